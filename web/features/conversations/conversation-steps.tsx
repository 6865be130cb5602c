// From one conversation to the next and to the previous, in the order of the list.
import { ChevronDown, ChevronUp, type LucideIcon } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import type { Conversation, Neighbours } from '#shared/conversations.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { type ShortcutName, shortcutKeys, useShortcut } from '#web/lib/shortcuts.ts'
import { useConversationPath, useInboxFilters } from './use-inbox-filters.ts'
import { useListFilter } from './use-list-filter.ts'

type ConversationStepsProps = {
  conversationId: Conversation['_id']
  /** The list stands beside it, and takes the keys. */
  isBesideList: boolean
}

/** Nothing where a search has chosen the conversations: those stand in the list alone. */
export function ConversationSteps({ conversationId, isBesideList }: ConversationStepsProps) {
  const { t } = useTranslation('conversations')
  const [{ q }] = useInboxFilters()
  const { filter, isKnown } = useListFilter()
  const neighbours: Neighbours | undefined = useQuery(
    api.conversations.neighbours,
    isKnown && !q ? { conversationId, ...filter } : 'skip',
  )
  if (q) return null
  return (
    <div className="flex shrink-0">
      <Step
        label={t(($) => $.page.previous)}
        icon={ChevronUp}
        shortcut="previousItem"
        to={neighbours?.previous ?? null}
        isBesideList={isBesideList}
      />
      <Step
        label={t(($) => $.page.next)}
        icon={ChevronDown}
        shortcut="nextItem"
        to={neighbours?.next ?? null}
        isBesideList={isBesideList}
      />
    </div>
  )
}

type StepProps = {
  label: string
  icon: LucideIcon
  shortcut: ShortcutName
  to: Conversation['_id'] | null
  isBesideList: boolean
}

function Step({ label, icon: Icon, shortcut, to, isBesideList }: StepProps) {
  const navigate = useNavigate()
  const href = useConversationPath(isBesideList)(to ?? '')
  useShortcut(shortcut, () => void navigate(href), { isEnabled: !isBesideList && to !== null })
  const classes = buttonClasses({ variant: 'ghost', size: 'icon-sm' })
  if (to === null) {
    return (
      <span aria-hidden="true" className={`${classes} opacity-40`}>
        <Icon />
      </span>
    )
  }
  return (
    <Tooltip content={label} keys={shortcutKeys(shortcut)}>
      <Link to={href} aria-label={label} className={classes}>
        <Icon aria-hidden="true" />
      </Link>
    </Tooltip>
  )
}
