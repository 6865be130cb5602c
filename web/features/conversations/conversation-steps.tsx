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
import { useBulk } from './use-bulk.ts'
import { useConversationPath, useInboxFilters } from './use-inbox-filters.ts'
import { useListFilter } from './use-list-filter.ts'

type ConversationStepsProps = {
  conversation: Conversation
  /** The list stands beside it, and takes the keys. */
  isBesideList: boolean
}

/** Mod+Alt+E ends the conversation and opens the next. Nothing where a search has chosen the conversations: those stand in the list alone. */
export function ConversationSteps({ conversation, isBesideList }: ConversationStepsProps) {
  const { _id: conversationId, status, place } = conversation
  const canEnd = status !== 'ended' && place !== 'deleted'
  const { t } = useTranslation('conversations')
  const [{ q }] = useInboxFilters()
  const { filter, isKnown } = useListFilter()
  const neighbours: Neighbours | undefined = useQuery(
    api.conversations.neighbours,
    isKnown && !q ? { conversationId, ...filter } : 'skip',
  )
  const navigate = useNavigate()
  const hrefOf = useConversationPath(isBesideList)
  const bulk = useBulk()
  const next = neighbours?.next ?? null
  useShortcut(
    'endAndNext',
    () => {
      void bulk.changeStatus([conversationId], 'ended')
      if (next) void navigate(hrefOf(next))
    },
    { isEnabled: canEnd && !q },
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
        to={next}
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
