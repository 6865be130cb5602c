// Buttons to the next and the previous conversation, in the order of the list.
import { ChevronDown, ChevronUp, type LucideIcon } from 'lucide-react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Conversation, ConversationFilter, Neighbours } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { type ShortcutName, shortcutKeys, useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { carryWritingOn, offerReturn } from '#web/lib/typing-burst.ts'
import { useBulk } from '../bulk/use-bulk.ts'
import { useConversationPath, useInboxFilters } from '../filters/use-inbox-filters.ts'
import { useListFilter } from '../filters/use-list-filter.ts'
import { useFound } from '../list/use-found.ts'

type ConversationStepsProps = {
  conversation: Conversation
  /** The list is shown next to it, and handles the keys. */
  isSplitView: boolean
}

/** Mod+Alt+E ends the conversation and opens the next. */
export function ConversationSteps(props: ConversationStepsProps) {
  const [{ q }] = useInboxFilters()
  const { filter, isKnown } = useListFilter()
  if (q) return isKnown && <FoundSteps key={q} {...props} words={q} filter={filter} />
  return <ListSteps {...props} filter={isKnown ? filter : null} />
}

/** In the order of the list; `filter` null: not known yet. */
function ListSteps({ filter, ...props }: ConversationStepsProps & { filter: ConversationFilter | null }) {
  const conversationId = props.conversation._id
  const neighbours: Neighbours | undefined = useQuery(
    api.conversations.neighbours,
    filter ? { conversationId, ...filter } : 'skip',
  )
  const hrefOf = useConversationPath(props.isSplitView)
  const to = (id: Conversation['_id'] | null | undefined) => (id ? hrefOf(id) : null)
  return <Steps {...props} previous={to(neighbours?.previous)} next={to(neighbours?.next)} />
}

/** In the order of the search results, from one found message to the next. */
function FoundSteps({
  words,
  filter,
  ...props
}: ConversationStepsProps & { words: string; filter: ConversationFilter }) {
  const { conversations = [], hits } = useFound(words, filter)
  const hrefOf = useConversationPath(props.isSplitView)
  const place = conversations.findIndex(({ _id }) => _id === props.conversation._id)
  const to = (index: number) => {
    const found = place < 0 ? undefined : conversations[index]
    return found ? hrefOf(found._id, hits?.get(found._id)?.messageId ?? undefined) : null
  }
  return <Steps {...props} previous={to(place - 1)} next={to(place + 1)} />
}

type StepsProps = ConversationStepsProps & { previous: string | null; next: string | null }

function Steps({ conversation: { _id: conversationId, status, folder }, isSplitView, previous, next }: StepsProps) {
  const { t } = useTranslation('conversations')
  const canEnd = useMay('inbox.write') && status !== 'ended' && folder !== 'deleted'
  const navigate = useNavigate()
  const bulk = useBulk()
  useShortcut(
    'endAndNext',
    () => {
      void bulk.changeStatus([conversationId], 'ended')
      if (next) void navigate(next)
    },
    { isEnabled: canEnd },
  )
  return (
    <div className="flex shrink-0">
      <Step
        label={t(($) => $.page.previous)}
        icon={ChevronUp}
        shortcut="previousItem"
        to={previous}
        isSplitView={isSplitView}
      />
      <Step label={t(($) => $.page.next)} icon={ChevronDown} shortcut="nextItem" to={next} isSplitView={isSplitView} />
    </div>
  )
}

type StepProps = {
  label: string
  icon: LucideIcon
  shortcut: ShortcutName
  /** An address; null when there is none. */
  to: string | null
  isSplitView: boolean
}

function Step({ label, icon: Icon, shortcut, to, isSplitView }: StepProps) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const step = () => {
    if (!to) return
    carryWritingOn()
    void navigate(to)
    offerReturn(() => void navigate(pathname + search))
  }
  useShortcut(shortcut, step, { isEnabled: !isSplitView && to !== null })
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
      <Link to={to} aria-label={label} className={classes}>
        <Icon aria-hidden="true" />
      </Link>
    </Tooltip>
  )
}
