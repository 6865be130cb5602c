// The text of a document or note as agents see it: its passages in order, one of them highlighted where an answer or a search points to it.
import { ExternalLink, Globe } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Link, useLocation } from 'react-router'
import type { Chunk, ChunkSource } from '#shared/chunks.ts'
import { api } from '#web/api.ts'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { usePaginatedQuery, useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { Passage } from './passage.tsx'
import type { ViewedSource } from './viewed-source.ts'

type PassageViewerProps = {
  source: ViewedSource | null
  onClose: () => void
  /** Buttons beside each passage. */
  actions?: (chunk: Chunk) => ReactNode
}

const PAGE_SIZE = 50

/** Open as long as there is a source. The title stays while the passages scroll. Needs texts `conversations`. */
export function PassageViewer({ source, onClose, actions }: PassageViewerProps) {
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
            className="-mx-6 -mb-6 flex min-h-0 flex-col gap-5 overflow-y-auto overscroll-contain rounded-b-2xl px-6 pt-1 pb-6 focus-visible:-outline-offset-2"
          >
            <ErrorBoundary
              fallback={<Excerpt note={t(($) => $.viewer.missing)} text={source.excerpt} />}
              resetKeys={[source.documentId]}
            >
              <Passages source={source} actions={actions} />
            </ErrorBoundary>
          </section>
        </DialogContent>
      )}
    </Dialog>
  )
}

function Excerpt({ note, text }: { note: string; text: string | undefined }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted-foreground">{note}</p>
      {text && (
        <blockquote className="whitespace-pre-wrap rounded-lg bg-primary-soft p-4 text-primary-soft-foreground">
          {text}
        </blockquote>
      )}
    </div>
  )
}

type PassagesProps = { source: ViewedSource; actions: PassageViewerProps['actions'] }

function Passages({ source, actions }: PassagesProps) {
  const { t } = useTranslation('conversations')
  const { results, status, loadMore } = usePaginatedQuery(
    api.knowledge.chunks.list,
    { sourceId: source.documentId },
    { initialNumItems: PAGE_SIZE },
  )
  const chunks: Chunk[] = results
  const isMeant = ({ _id, formerIds }: Chunk) => [_id, ...formerIds].some((id) => id === source.chunkId)
  const meant = chunks.find(isMeant)
  const isSought = source.chunkId !== undefined && !meant
  useEffect(() => {
    // A passage further down: pages are loaded until it is there.
    if (isSought && status === 'CanLoadMore') loadMore(PAGE_SIZE)
  }, [isSought, status, loadMore])

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
  const hasChanged = meant ? meant._id !== source.chunkId : isSought && status === 'Exhausted'
  return (
    <>
      {hasChanged && source.excerpt && <Excerpt note={t(($) => $.viewer.changed)} text={source.excerpt} />}
      {chunks.length === 0 && <p className="text-muted-foreground">{t(($) => $.viewer.empty)}</p>}
      <ol className="flex flex-col gap-3">
        {chunks.map((chunk) => (
          <Passage
            key={chunk._id}
            chunk={chunk}
            isHighlighted={chunk === meant}
            about={source.about}
            actions={actions?.(chunk)}
          />
        ))}
      </ol>
      {status !== 'Exhausted' && (
        <Button className="self-center" isBusy={status === 'LoadingMore'} onClick={() => loadMore(PAGE_SIZE)}>
          {t(($) => $.viewer.more)}
        </Button>
      )}
      <SourceLinks source={source} />
    </>
  )
}

/** Where the text comes from and is kept; the space not on the pages of knowledge themselves. */
function SourceLinks({ source }: { source: ViewedSource }) {
  const { t } = useTranslation('conversations')
  const { pathname } = useLocation()
  const found: ChunkSource | undefined = useQuery(api.knowledge.chunks.source, { sourceId: source.documentId })
  if (!found) return null
  const part = partOf(found.kind, source.documentId)
  const chunk = source.chunkId && found.kind === 'document' ? { chunk: source.chunkId } : {}
  return (
    <>
      {found.url && (
        <a
          href={found.url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className={buttonClasses({ variant: 'secondary' })}
        >
          <Globe aria-hidden="true" />
          {t(($) => $.viewer.openPage)}
        </a>
      )}
      {!pathname.startsWith(paths.knowledge) && (
        <Link
          to={`${paths.space(found.spaceSlug)}?${new URLSearchParams({ ...part, ...chunk })}`}
          className={buttonClasses({ variant: 'secondary' })}
        >
          <ExternalLink aria-hidden="true" />
          {t(($) => $.viewer.openInSpace, { name: found.spaceName })}
        </Link>
      )}
    </>
  )
}

/** Query parameters by which the page of a space opens a source. */
function partOf(kind: ChunkSource['kind'], id: string): Record<string, string> {
  switch (kind) {
    case 'fragment':
      return { part: 'notes', note: id }
    case 'table':
      return { part: 'tables', table: id }
    case 'document':
      return { document: id }
    default:
      return kind satisfies never
  }
}
