// The rows of the list, virtualized: only the visible ones are rendered.

import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Conversation, ConversationFilter, ConversationHit } from '#shared/messaging/conversations.ts'
import { Button } from '#web/components/ui/button.tsx'
import { PartBoundary } from '#web/components/ui/part-boundary.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useIsWide } from '#web/lib/browser/use-is-wide.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { carryWritingOn, offerReturn } from '#web/lib/typing-burst.ts'
import { BulkBar } from '../bulk/bulk-bar.tsx'
import { ROW_ATTRIBUTE, useSelection } from '../bulk/use-selection.ts'
import { askedConversation, useConversationPath, useInboxFilters } from '../filters/use-inbox-filters.ts'
import { ConversationRow, ROW_HEIGHT_PX } from './conversation-row.tsx'
import { listKey, readScroll, revealedId } from './scroll-restoration.ts'
import { useNewAbove } from './use-new-above.ts'
import { offsetOf, useKeptPlace, useRevealed, useStillRows } from './use-scroll-restoration.ts'

type VirtualRowsProps = {
  conversations: Conversation[]
  selectedId: string | null
  /** More rows can be loaded. */
  canLoadMore?: boolean
  onLoadMore?: () => void
  /** With it all rows can be selected, including those that are not loaded; `words`: the search words. */
  filter?: ConversationFilter
  words?: string
  /** Search results: the match in each conversation, at which it opens. */
  hits?: ReadonlyMap<string, ConversationHit>
}

/**
 * J and K open the next and the previous one; several can be selected and changed together. Visible rows keep their place while others are
 * inserted, and when the list is closed and shown again.
 */
export function VirtualRows(props: VirtualRowsProps) {
  const [query] = useInboxFilters()
  const key = listKey(query)
  return <Rows key={key} listKey={key} {...props} />
}

function Rows({
  listKey: key,
  conversations,
  selectedId,
  canLoadMore = false,
  onLoadMore,
  filter,
  words,
  hits,
}: VirtualRowsProps & { listKey: string }) {
  const { t } = useTranslation('conversations')
  const viewport = useRef<HTMLDivElement>(null)
  const ids = useMemo(() => conversations.map(({ _id }): string => _id), [conversations])
  const [left] = useState(() => readScroll(key))
  const [firstOffset] = useState(() => offsetOf(left, ids))
  const openedId = selectedId ?? left?.openedId ?? null
  // In the split view when there is room, otherwise on its own page.
  const pathOf = useConversationPath(useIsWide())
  const hrefOf = (conversationId: string) => pathOf(conversationId, hits?.get(conversationId)?.messageId ?? undefined)
  const keyOf = useCallback((index: number) => ids[index] ?? index, [ids]) // stable: a new function makes every row be measured again
  const rows = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT_PX,
    getItemKey: keyOf,
    overscan: 8,
    initialOffset: firstOffset,
  })
  const lastShown = rows.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (canLoadMore && lastShown >= conversations.length - 10) onLoadMore?.()
  }, [canLoadMore, lastShown, conversations.length, onLoadMore])
  useMoveThroughList(conversations, openedId, hrefOf, (index) => rows.scrollToIndex(index))
  const newAbove = useNewAbove(ids, viewport, firstOffset > 0 ? (left?.firstId ?? null) : null)
  useStillRows(rows, ids, viewport)
  useRevealed(rows, ids.indexOf(revealedId(left, selectedId) ?? ''))
  useKeptPlace(viewport, { key, ids, firstId: newAbove.firstId, openedId })
  const selection = useSelection(conversations, openedId, { filter, words, canLoadMore })
  return (
    <>
      <div className="relative min-h-0 flex-1">
        <div ref={viewport} className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none]">
          <ul aria-label={t(($) => $.list.label)} className="relative" style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map(({ index, key, start }) => {
              const conversation = conversations[index]
              return (
                conversation && (
                  <li
                    key={key}
                    {...{ [ROW_ATTRIBUTE]: conversation._id }}
                    aria-setsize={conversations.length}
                    aria-posinset={index + 1}
                    className="absolute inset-x-0 top-0"
                    style={{ transform: `translateY(${start}px)`, height: ROW_HEIGHT_PX }}
                  >
                    <PartBoundary resetKeys={[conversation]}>
                      <ConversationRow
                        conversation={conversation}
                        to={hrefOf(conversation._id)}
                        isSelected={conversation._id === openedId}
                        isChosen={selection.has(conversation._id)}
                        onChoose={(isRange) => selection.toggle(conversation._id, isRange)}
                        excerpt={hits?.get(conversation._id)?.excerpt}
                      />
                    </PartBoundary>
                  </li>
                )
              )
            })}
          </ul>
        </div>
        {newAbove.count > 0 && (
          <Button
            size="sm"
            className="absolute top-2 left-1/2 -translate-x-1/2 rounded-full shadow-raised"
            onClick={() => rows.scrollToOffset(0)}
          >
            <ArrowUp aria-hidden="true" />
            {t(($) => $.list.newAbove, { count: newAbove.count })}
          </Button>
        )}
      </div>
      <May need="inbox.write">
        <BulkBar selection={selection} conversations={conversations} />
      </May>
    </>
  )
}

function useMoveThroughList(
  conversations: Conversation[],
  selectedId: string | null,
  hrefOf: (conversationId: string) => string,
  reveal: (index: number) => void,
): void {
  const navigate = useNavigate()
  // Uses the requested conversation while it is still rendering, so that no key press is lost.
  const at = () => conversations.findIndex(({ _id }) => _id === (askedConversation() ?? selectedId))
  const open = (index: number) => {
    const conversation = conversations[index]
    if (!conversation) return
    const left = conversations[at()]
    carryWritingOn()
    reveal(index)
    void navigate(hrefOf(conversation._id))
    if (left) offerReturn(() => void navigate(hrefOf(left._id)))
  }
  useShortcut('nextItem', () => open(at() + 1))
  useShortcut('previousItem', () => open(at() < 0 ? 0 : at() - 1))
}
