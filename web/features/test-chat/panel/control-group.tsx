// A group of the control panel: collapsible, with a count of its changes and a link to its help page.
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { HelpLink } from '#web/components/help/help-link.tsx'
import type { HelpTopic } from '#web/components/help/help-topics.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type ControlGroupProps = {
  title: string
  help: HelpTopic
  /** Number of its controls that differ from the agent. */
  changed?: number
  isOpenAtStart?: boolean
  children: ReactNode
}

/** The help link stands next to the heading that toggles the group, not inside it. */
export function ControlGroup({ title, help, changed = 0, isOpenAtStart = false, children }: ControlGroupProps) {
  const { t } = useTranslation('test-chat')
  return (
    <div className="relative border-border border-b last:border-b-0">
      <details open={isOpenAtStart} className="group/fold">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 py-2 ps-4 pe-14 font-medium text-sm hover:bg-muted focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
          <ChevronDown
            aria-hidden="true"
            className="-rotate-90 size-4 shrink-0 text-muted-foreground transition-transform group-open/fold:rotate-0"
          />
          {title}
          {changed > 0 && <Badge tone="primary">{t(($) => $.panel.changedCount, { count: changed })}</Badge>}
        </summary>
        <div className="flex flex-col gap-4 px-4 pt-1 pb-5">{children}</div>
      </details>
      <div className="absolute end-3 top-2 pointer-coarse:top-0">
        <HelpLink topic={help} />
      </div>
    </div>
  )
}
