// The frame of one topic of the settings: its heading with a link to itself, and what it does for the customer in a sentence.
import { ChevronDown, Link as LinkIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CardSection } from '#web/components/ui/card.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { SectionGroup as SectionGroupName, SectionId } from './sections.ts'
import { useSections } from './use-open-sections.ts'

/** Below the header and, where there is one, the bar with the list of sections. */
const SCROLL_MARGIN = 'scroll-mt-20 max-xl:scroll-mt-32'

/** A section that always stands open, as a card of its own. */
export function OpenSection({ id, actions, children }: { id: SectionId; actions?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('agents')
  return (
    <CardSection
      id={id}
      className={cn('group/section', SCROLL_MARGIN)}
      title={
        <span className="flex items-center gap-1">
          <span data-section-title="" tabIndex={-1} className="outline-none">
            {t(($) => $.sections[id].title)}
          </span>
          <AnchorLink id={id} />
        </span>
      }
      description={t(($) => $.sections[id].lead)}
      actions={actions}
    >
      {children}
    </CardSection>
  )
}

/** Rows that belong together, in one card under a small heading. */
export function SectionGroup({ name, children }: { name: SectionGroupName; children: ReactNode }) {
  const { t } = useTranslation('agents')
  return (
    <div className="flex flex-col gap-2.5 pt-2">
      <h2 className="px-1 font-medium text-[0.8125rem] text-muted-foreground">{t(($) => $.sectionGroups[name])}</h2>
      <div className="divide-y divide-border rounded-xl border border-border bg-surface shadow-card">{children}</div>
    </div>
  )
}

type FoldedSectionProps = {
  id: SectionId
  /** What is set, in a line; shown while the section is closed. */
  summary: string
  /** Whether what is set is more than nothing: the summary stands out then. */
  isSet?: boolean
  children: ReactNode
}

/** A row that opens. */
export function FoldedSection({ id, summary, isSet = false, children }: FoldedSectionProps) {
  const { t } = useTranslation('agents')
  const { isOpen, setOpen } = useSections()
  const isShown = isOpen(id)
  return (
    <section id={id} className={cn('group/section', SCROLL_MARGIN)}>
      <div className="relative flex items-start gap-2 rounded-xl px-5 py-4 has-[[aria-expanded=false]:hover]:bg-muted/60 sm:px-6">
        <div className="min-w-0 flex-1">
          <h3 className="flex items-center gap-1 font-semibold text-[0.9375rem] leading-6">
            <button
              type="button"
              data-section-title=""
              aria-expanded={isShown}
              aria-controls={isShown ? `${id}-fields` : undefined}
              aria-describedby={`${id}-about`}
              onClick={() => setOpen(id, !isShown)}
              className="link-cover text-start"
            >
              {t(($) => $.sections[id].title)}
            </button>
            <AnchorLink id={id} />
          </h3>
          <p
            id={`${id}-about`}
            className={cn(
              'mt-0.5 max-w-prose text-muted-foreground',
              !isShown && 'line-clamp-2 text-[0.8125rem] first-letter:uppercase sm:line-clamp-1',
              !isShown && isSet && 'text-foreground',
            )}
          >
            {isShown ? t(($) => $.sections[id].lead) : summary}
          </p>
        </div>
        <ChevronDown
          aria-hidden="true"
          className={cn('mt-1 size-4 shrink-0 text-muted-foreground transition-transform', isShown && 'rotate-180')}
        />
      </div>
      {isShown && (
        <div id={`${id}-fields`} className="flex flex-col gap-5 px-5 pt-1 pb-6 sm:px-6">
          {children}
        </div>
      )}
    </section>
  )
}

function AnchorLink({ id }: { id: SectionId }) {
  const { t } = useTranslation('agents')
  return (
    <Link
      to={`#${id}`}
      aria-label={t(($) => $.settings.linkTo, { section: t(($) => $.sections[id].title) })}
      className="relative flex size-6 items-center justify-center rounded-md text-muted-foreground opacity-0 hover:text-foreground focus-visible:opacity-100 group-hover/section:opacity-100 pointer-coarse:hidden"
    >
      <LinkIcon aria-hidden="true" className="size-3.5" />
    </Link>
  )
}
