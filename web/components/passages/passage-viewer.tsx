// The text of a document as agents see it: its passages in order, one of them highlighted where an answer or a search points to it.
import { useEffect, useRef } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import type { Id } from '#shared/ids.ts'
import type { Chunk } from '#shared/knowledge.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { cn } from '#web/lib/cn.ts'
import { usePaginatedQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** What to open. */
export type ViewedSource = {
  documentId: string
  /** Name of the document or note. */
  name: string
  /** Passage to show and highlight. */
  chunkId?: string
  /** Its text, shown when the document itself cannot be opened. */
  excerpt?: string
}

const PAGE_SIZE = 50

/** Open as long as there is a source. The title stays while the passages scroll. */
export function PassageViewer({ source, onClose }: { source: ViewedSource | null; onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const title = source && t(($) => $.viewer.title, { name: source.name })
  return (
    <Dialog open={source !== null} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {source && (
        <DialogContent title={title} description={t(($) => $.viewer.description)} className="max-w-3xl">
          <section
            aria-label={title ?? ''}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
            tabIndex={0}
            className="-mx-6 -mb-6 flex min-h-0 flex-col gap-5 overflow-y-auto overscroll-contain rounded-b-2xl px-6 pb-6 focus-visible:-outline-offset-2"
          >
            <ErrorBoundary fallback={<ExcerptOnly source={source} />} resetKeys={[source.documentId]}>
              <Passages source={source} />
            </ErrorBoundary>
          </section>
        </DialogContent>
      )}
    </Dialog>
  )
}

function ExcerptOnly({ source }: { source: ViewedSource }) {
  const { t } = useTranslation('conversations')
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted-foreground">{t(($) => $.viewer.missing)}</p>
      {source.excerpt && (
        <blockquote className="whitespace-pre-wrap rounded-lg bg-primary-soft p-4 text-primary-soft-foreground">
          {source.excerpt}
        </blockquote>
      )}
    </div>
  )
}

function Passages({ source }: { source: ViewedSource }) {
  const { t } = useTranslation('conversations')
  const { results, status, loadMore } = usePaginatedQuery(
    api.knowledge.documents.chunks,
    { documentId: source.documentId as Id<'documents'> }, // another kind of source is refused, and its excerpt is shown
    { initialNumItems: PAGE_SIZE },
  )
  const chunks: Chunk[] = results
  const isFound = source.chunkId === undefined || chunks.some((chunk) => chunk._id === source.chunkId)
  useEffect(() => {
    // A passage further down: pages are loaded until it is there.
    if (!isFound && status === 'CanLoadMore') loadMore(PAGE_SIZE)
  }, [isFound, status, loadMore])

  if (status === 'LoadingFirstPage') {
    return (
      <Delayed>
        <div className="flex flex-col gap-3">
          <Skeleton className="h-24" />
          <Skeleton className="h-24" />
        </div>
      </Delayed>
    )
  }
  if (chunks.length === 0) return <p className="text-muted-foreground">{t(($) => $.viewer.empty)}</p>
  return (
    <>
      <ol className="flex flex-col gap-3">
        {chunks.map((chunk) => (
          <Passage key={chunk._id} chunk={chunk} isHighlighted={chunk._id === source.chunkId} />
        ))}
      </ol>
      {status !== 'Exhausted' && (
        <Button className="self-center" isBusy={status === 'LoadingMore'} onClick={() => loadMore(PAGE_SIZE)}>
          {t(($) => $.viewer.more)}
        </Button>
      )}
    </>
  )
}

function Passage({ chunk, isHighlighted }: { chunk: Chunk; isHighlighted: boolean }) {
  const { t } = useTranslation('conversations')
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isHighlighted) ref.current?.scrollIntoView({ block: 'center' })
  }, [isHighlighted])
  return (
    <li
      ref={ref}
      className={cn('rounded-lg border border-border p-4', isHighlighted && 'border-primary bg-primary-soft/40')}
    >
      <div className="mb-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted-foreground text-xs">
        <span className="font-medium">{t(($) => $.viewer.part, { number: chunk.chunkIndex + 1 })}</span>
        {chunk.page !== null && <span>{t(($) => $.viewer.page, { page: chunk.page })}</span>}
        <span>{t(($) => $.viewer.tokens, { count: chunk.tokens })}</span>
        {isHighlighted && <Badge tone="primary">{t(($) => $.viewer.highlighted)}</Badge>}
      </div>
      {chunk.headingPath.length > 0 && (
        <p className="mb-1 font-medium text-[0.8125rem]">{chunk.headingPath.join(' › ')}</p>
      )}
      <p className="whitespace-pre-wrap break-words">{chunk.content}</p>
    </li>
  )
}
