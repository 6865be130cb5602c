// The drawn items of a long list: each at its place, measured as it is, and counted for assistive technology as one of all.
import type { Virtualizer } from '@tanstack/react-virtual'
import type { ReactNode, Ref } from 'react'
import { cn } from '#web/lib/cn.ts'
import { PartBoundary } from './part-boundary.tsx'

type VirtualItemsProps<Scroller extends Element | Window> = {
  items: Virtualizer<Scroller, HTMLLIElement>
  /** How many there are; -1 where that is not known. */
  setSize: number
  label?: string
  listRef?: Ref<HTMLUListElement>
  itemClassName?: string
  children: (index: number) => ReactNode
}

/** A list as high as all its items. */
export function VirtualItems<Scroller extends Element | Window>({
  items,
  setSize,
  label,
  listRef,
  itemClassName,
  children,
}: VirtualItemsProps<Scroller>) {
  return (
    <ul ref={listRef} aria-label={label} className="relative" style={{ height: items.getTotalSize() }}>
      {items.getVirtualItems().map(({ index, key, start }) => (
        <li
          key={key}
          ref={items.measureElement}
          data-index={index}
          aria-setsize={setSize}
          aria-posinset={index + 1}
          className={cn('absolute inset-x-0 top-0', itemClassName)}
          style={{ transform: `translateY(${start - items.options.scrollMargin}px)` }}
        >
          <PartBoundary>{children(index)}</PartBoundary>
        </li>
      ))}
    </ul>
  )
}
