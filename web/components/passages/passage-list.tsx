// The passages of a source: read where they are looked at, from any place in it on, so that a long document opens as fast as a short one.
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Chunk } from '#shared/knowledge/chunks.ts'
import { api } from '#web/api.ts'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { VirtualItems } from '#web/components/ui/virtual-items.tsx'
import { useQuery } from '#web/lib/server/convex.ts'
import { Passage } from './passage.tsx'
import type { ViewedSource } from './viewed-source.ts'

/** Passages are read by so many, in blocks that begin at its multiples. */
const BLOCK = 25
/** Of the skeleton; passages are measured when they are there. */
const PASSAGE_HEIGHT_PX = 160
const GAP_PX = 12
/** How long passages around the meant one may take to arrive and be measured after it. */
const SETTLE_MS = 2000

type PassageListProps = {
  source: ViewedSource
  total: number
  /** Which passage is meant, from 0; null: none, or it is gone. */
  meant: number | null
  /** What scrolls. */
  viewport: HTMLElement
  actions: ((chunk: Chunk) => ReactNode) | undefined
}

/** Opens at the passage that is meant and stays there while those around it arrive, until the reader moves. */
export function PassageList({ source, total, meant, viewport, actions }: PassageListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const items = useVirtualizer<HTMLElement, HTMLLIElement>({
    count: total,
    getScrollElement: () => viewport,
    estimateSize: () => PASSAGE_HEIGHT_PX,
    gap: GAP_PX,
    overscan: 8,
    scrollMargin,
    initialOffset: (meant ?? 0) * (PASSAGE_HEIGHT_PX + GAP_PX),
  })
  useEffect(() => setScrollMargin(list.current?.offsetTop ?? 0), [])
  const stayAt = useStayAt(viewport, meant, items)
  useEffect(stayAt) // at every turn of the list: what stands above the passage has been measured
  return (
    <VirtualItems items={items} setSize={total} listRef={list}>
      {(index) => (
        <PassageAt source={source} index={index} isMeant={index === meant} onShown={stayAt} actions={actions} />
      )}
    </VirtualItems>
  )
}

/** A function that brings the meant passage to the middle, its marked sentence if it has one, until the reader moves or all has settled. */
function useStayAt(
  viewport: HTMLElement,
  meant: number | null,
  items: Virtualizer<HTMLElement, HTMLLIElement>,
): () => void {
  const hasMoved = useRef(false)
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  const release = useCallback(() => {
    hasMoved.current = true
  }, [])
  useEffect(() => {
    const moves = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
    for (const move of moves) viewport.addEventListener(move, release, { passive: true })
    return () => {
      for (const move of moves) viewport.removeEventListener(move, release)
      clearTimeout(settling.current)
    }
  }, [viewport, release])
  return useCallback(() => {
    if (hasMoved.current || meant === null) return
    const shown = viewport.querySelector(`[data-index="${meant}"]`)
    if (!shown)
      return items.scrollToIndex(meant, { align: 'center' }) // pushed away by the height of others
    ;(shown.querySelector('mark') ?? shown).scrollIntoView({ block: 'center' })
    settling.current ??= setTimeout(release, SETTLE_MS)
  }, [viewport, meant, items, release])
}

type PassageAtProps = {
  source: ViewedSource
  index: number
  isMeant: boolean
  onShown: () => void
  actions: PassageListProps['actions']
}

function PassageAt({ source, index, isMeant, onShown, actions }: PassageAtProps) {
  const from = index - (index % BLOCK)
  const block: Chunk[] | undefined = useQuery(api.knowledge.chunks.range, {
    sourceId: source.documentId,
    from,
    count: BLOCK,
  })
  const chunk = block?.[index - from]
  const isShown = isMeant && chunk !== undefined
  useEffect(() => {
    if (isShown) onShown()
  }, [isShown, onShown])
  if (!chunk) return <Skeleton className="h-40 rounded-lg" />
  return <Passage chunk={chunk} isHighlighted={isMeant} about={source.about} actions={actions?.(chunk)} />
}
