// A list of any length in a card that scrolls with the page: only visible items are drawn, more are asked for on the way down.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Card } from '#web/components/ui/card.tsx'
import { VirtualItems } from '#web/components/ui/virtual-items.tsx'

type PageListProps<Item extends { _id: string }> = {
  items: Item[]
  label: string
  /** Of an item, until it is measured. */
  itemHeightPx: number
  canLoadMore: boolean
  onLoadMore: () => void
  children: (item: Item) => ReactNode
}

/** Asks for more this many items before the last one is in sight. */
const AHEAD = 10

/** Live items keep their place by their id. */
export function PageList<Item extends { _id: string }>({
  items,
  label,
  itemHeightPx,
  canLoadMore,
  onLoadMore,
  children,
}: PageListProps<Item>) {
  const list = useRef<HTMLUListElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const rows = useWindowVirtualizer<HTMLLIElement>({
    count: items.length,
    estimateSize: () => itemHeightPx,
    getItemKey: (index) => items[index]?._id ?? index,
    overscan: 10,
    scrollMargin,
  })
  useLayoutEffect(() => {
    // What stands above may have grown.
    setScrollMargin(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
  })
  const lastDrawn = rows.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (canLoadMore && lastDrawn >= items.length - AHEAD) onLoadMore()
  }, [canLoadMore, lastDrawn, items.length, onLoadMore])
  return (
    <Card>
      <VirtualItems
        items={rows}
        setSize={canLoadMore ? -1 : items.length}
        label={label}
        listRef={list}
        itemClassName="border-border border-b last:border-b-0"
      >
        {(index) => {
          const item = items[index]
          return item && children(item)
        }}
      </VirtualItems>
    </Card>
  )
}
