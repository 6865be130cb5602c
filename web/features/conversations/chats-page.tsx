// /chats: the inbox. On wide screens the open conversation is shown next to the list.

import { MessagesSquare } from 'lucide-react'
import { type ComponentProps, useCallback, useState } from 'react'
import type { InboxView } from '#shared/messaging/views.ts'
import { api } from '#web/api.ts'
import { Page } from '#web/components/ui/page.tsx'
import { ActionScope } from '#web/lib/action-scope.tsx'
import { useIsWide } from '#web/lib/browser/use-is-wide.ts'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import type { Address } from '#web/lib/sign-in/asked-address.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { useUnread } from '#web/lib/use-unread.ts'
import { ApprovalsBar } from './approvals/approvals-bar.tsx'
import { InboxFilters } from './filters/inbox-filters.tsx'
import { useDefaultView } from './filters/inbox-view-query.ts'
import { isFiltered, useInboxFilters } from './filters/use-inbox-filters.ts'
import { useListFilter } from './filters/use-list-filter.ts'
import { AvailabilityBar } from './list/availability-bar.tsx'
import { ConversationList } from './list/conversation-list.tsx'
import { FoundList } from './list/found-list.tsx'
import { MentionsMenu } from './list/mentions-menu.tsx'
import { ConversationPanel } from './panel/conversation-panel.tsx'

/** Live list, filters in the URL, split view when there is room. */
export function ChatsPage() {
  const { t } = useTranslation('conversations')
  const isWide = useIsWide()
  const [shown, setShown] = useState<number | null>(null)
  const unread = useUnread()
  const [query, setQuery] = useInboxFilters()
  const tags: string[] | undefined = useQuery(api.conversations.tags, {})
  const views: InboxView[] | undefined = useQuery(api.conversations.views.list, {})
  const { filter, isKnown, agents, members } = useListFilter()
  const isDecided = useDefaultView(views)
  const isHere = useIsConversationAsked(query.conversation)
  const title = t(($) => $.list.title)
  const hasFilters = isFiltered(query)
  const isInboxEmpty = shown === 0 && !hasFilters && !query.q
  const isUnused = useIsUnused(isInboxEmpty)
  // With nothing to read or to filter, the invitation to connect a channel fills the page.
  const isEmpty = isUnused !== false && isInboxEmpty && !query.conversation
  return (
    <Page
      title={title}
      documentTitle={unread ? t(($) => $.list.documentTitleUnread, { unread: unread.text }) : title}
      width="full"
      isTitleHidden
    >
      <div className="flex min-h-0 flex-1">
        <div
          className={cn('flex min-h-0 w-full flex-col border-border', !isEmpty && 'lg:w-90 lg:shrink-0 lg:border-e')}
        >
          <MentionsMenu />
          <ApprovalsBar />
          {!isEmpty && (
            <May need="inbox.write">
              <AvailabilityBar />
            </May>
          )}
          {!isEmpty && (
            <InboxFilters
              agents={agents}
              members={members}
              tags={tags ?? []}
              views={views ?? []}
              filter={isKnown ? filter : null}
            />
          )}
          {isDecided && isKnown && (
            <Conversations
              words={query.q}
              filter={filter}
              isFiltered={hasFilters || query.sort === 'waiting'}
              selectedId={isWide ? query.conversation : null}
              isUnused={isUnused}
              onCount={setShown}
            />
          )}
        </div>
        {isWide && !isEmpty && (
          <ActionScope isHere={isHere} className="flex min-h-0 min-w-0 flex-1 flex-col">
            {query.conversation ? (
              <ConversationPanel
                key={query.conversation}
                conversationId={query.conversation}
                isSplitView
                onClose={() => void setQuery({ conversation: null })}
              />
            ) : (
              shown !== 0 && <NothingChosen />
            )}
          </ActionScope>
        )}
      </div>
    </Page>
  )
}

/** Returns a test for the address of the shown conversation; every address passes while none is shown. */
function useIsConversationAsked(conversationId: string | null): (asked: Address) => boolean {
  return useCallback(
    ({ search }) => conversationId === null || new URLSearchParams(search).get('conversation') === conversationId,
    [conversationId],
  )
}

/** Whether there is no conversation anywhere; queried when the inbox is empty, undefined until known. */
function useIsUnused(isInboxEmpty: boolean): boolean | undefined {
  const one = { paginationOpts: { numItems: 1, cursor: null } }
  const archived = useQuery(api.conversations.list, isInboxEmpty ? { ...one, folder: 'archived' } : 'skip')
  const deleted = useQuery(api.conversations.list, isInboxEmpty ? { ...one, folder: 'deleted' } : 'skip')
  if (!isInboxEmpty) return false
  return archived && deleted && archived.page.length + deleted.page.length === 0
}

function Conversations({ words, ...props }: ComponentProps<typeof ConversationList> & { words: string | null }) {
  return words ? <FoundList words={words} {...props} /> : <ConversationList {...props} />
}

function NothingChosen() {
  const { t } = useTranslation('conversations')
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-1 p-6 text-center text-muted-foreground">
      <MessagesSquare aria-hidden="true" className="mb-2 size-8" strokeWidth={1.5} />
      <p className="font-medium text-foreground">{t(($) => $.list.choose)}</p>
      <p>{t(($) => $.list.chooseBody)}</p>
    </div>
  )
}
