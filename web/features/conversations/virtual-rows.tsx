// The rows of the list: only those drawn that can be seen.
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { Conversation, ConversationHit } from '#shared/conversations.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ConversationRow, ROW_HEIGHT_PX } from './conversation-row.tsx'
import { useConversationPath } from './use-inbox-filters.ts'
import { useNewAbove } from './use-new-above.ts'
import { ROW_ATTRIBUTE, useSelection } from './use-selection.ts'

type VirtualRowsProps = {
  conversations: Conversation[]
  selectedId: string | null
  /** There are more than these. */
  canLoadMore?: boolean
  onLoadMore?: () => void
  /** Of a search: what was found in each, at which it opens. */
  hits?: ReadonlyMap<string, ConversationHit>
}

/** J and K open the next and the previous one; several can be chosen and changed together. */
export function VirtualRows({ conversations, selectedId, canLoadMore = false, onLoadMore, hits }: VirtualRowsProps) {
  const { t } = useTranslation('conversations')
  const viewport = useRef<HTMLDivElement>(null)
  // Beside the list when there is room, else to a page of its own.
  const pathOf = useConversationPath(useIsWide())
  const hrefOf = (conversationId: string) => pathOf(conversationId, hits?.get(conversationId)?.messageId ?? undefined)
  const rows = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT_PX,
    getItemKey: (index) => conversations[index]?._id ?? index,
    overscan: 8,
  })
  const lastShown = rows.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (canLoadMore && lastShown >= conversations.length - 10) onLoadMore?.()
  }, [canLoadMore, lastShown, conversations.length, onLoadMore])
  useMoveThroughList(conversations, selectedId, hrefOf, (index) => rows.scrollToIndex(index))
  const newAbove = useNewAbove(conversations, viewport)
  const selection = useSelection(conversations, selectedId)
  return (
    <>
      <div className="relative min-h-0 flex-1">
        <div ref={viewport} className="h-full overflow-y-auto overscroll-contain">
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
                    <ConversationRow
                      conversation={conversation}
                      to={hrefOf(conversation._id)}
                      isSelected={conversation._id === selectedId}
                      isChosen={selection.has(conversation._id)}
                      onChoose={(isRange) => selection.toggle(conversation._id, isRange)}
                      excerpt={hits?.get(conversation._id)?.excerpt}
                    />
                  </li>
                )
              )
            })}
          </ul>
        </div>
        {newAbove > 0 && (
          <Button
            size="sm"
            className="absolute top-2 left-1/2 -translate-x-1/2 rounded-full shadow-raised"
            onClick={() => rows.scrollToOffset(0)}
          >
            <ArrowUp aria-hidden="true" />
            {t(($) => $.list.newAbove, { count: newAbove })}
          </Button>
        )}
      </div>
      <BulkBar selection={selection} conversations={conversations} />
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
  const at = conversations.findIndex((conversation) => conversation._id === selectedId)
  const open = (index: number) => {
    const conversation = conversations[index]
    if (!conversation) return
    reveal(index)
    void navigate(hrefOf(conversation._id))
  }
  useShortcut('nextItem', () => open(at + 1))
  useShortcut('previousItem', () => open(at < 0 ? 0 : at - 1))
}
