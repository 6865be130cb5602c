// The text of a source as agents see it: its passages in order, highlighting the one that an answer or a search points to.
import { type ReactNode, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import type { Chunk, ChunkLocation } from '#shared/knowledge/chunks.ts'
import { api } from '#web/api.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { MarkedText } from './marked-text.tsx'
import { PassageList } from './passage-list.tsx'
import { PageLink, SourceLinks } from './source-links.tsx'
import { locatedBy, type ViewedSource } from './viewed-source.ts'

type PassageViewerProps = {
  source: ViewedSource | null
  onClose: () => void
  /** Buttons next to each passage. */
  actions?: (chunk: Chunk) => ReactNode
}

/** Open while there is a source. Title and links stay in view while the passages scroll. Needs the texts `conversations`. */
export function PassageViewer({ source, onClose, actions }: PassageViewerProps) {
  const { t } = useTranslation('conversations')
  const title = source && t(($) => $.viewer[source.url ? 'pageTitle' : 'title'], { name: source.name })
  return (
    <Dialog open={source !== null} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {source && (
        <DialogContent
          title={title}
          description={t(($) => $.viewer[source.url ? 'pageDescription' : 'description'])}
          className="max-w-3xl overflow-hidden"
        >
          {source.url ? (
            <WebPage source={source} url={source.url} />
          ) : (
            <ErrorBoundary
              fallback={<Excerpt note={t(($) => $.viewer.missing)} source={source} />}
              resetKeys={[source.documentId]}
            >
              <Passages key={source.documentId} source={source} label={title ?? ''} actions={actions} />
              <SourceLinks source={source} />
            </ErrorBoundary>
          )}
        </DialogContent>
      )}
    </Dialog>
  )
}

/** The excerpt that was read and a link: the page may have changed since. */
function WebPage({ source, url }: { source: ViewedSource; url: string }) {
  return (
    <>
      <Excerpt source={source} />
      <PageLink url={url} />
    </>
  )
}

/** The text as it was used, of a passage that is gone. */
function Excerpt({ note, source }: { note?: string; source: ViewedSource }) {
  const { t } = useTranslation('conversations')
  return (
    <div className="flex flex-col gap-3">
      {note && <p className="text-muted-foreground">{note}</p>}
      {source.excerpt && (
        <>
          <p>{t(($) => $.viewer.then)}</p>
          <blockquote className="whitespace-pre-wrap break-words rounded-lg bg-muted p-4">
            <MarkedText text={source.excerpt} about={source.about} />
          </blockquote>
        </>
      )}
    </div>
  )
}

type PassagesProps = { source: ViewedSource; label: string; actions: PassageViewerProps['actions'] }

function Passages({ source, label, actions }: PassagesProps) {
  const { t } = useTranslation('conversations')
  const [viewport, setViewport] = useState<HTMLElement | null>(null)
  const location: ChunkLocation | undefined = useQuery(api.knowledge.chunks.locate, locatedBy(source))
  if (!location) {
    return (
      <Delayed>
        <div className="flex flex-col gap-3">
          <Skeleton className="h-24" />
          <Skeleton className="h-24" />
        </div>
      </Delayed>
    )
  }
  const { total, found } = location
  const hasChanged = source.chunkId !== undefined && (found === null || found.hasChanged)
  return (
    <section
      ref={setViewport}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="relative -mx-6 flex min-h-0 flex-col gap-5 overflow-y-auto overscroll-contain px-6 py-1 focus-visible:-outline-offset-2"
    >
      {hasChanged && <Excerpt note={t(($) => $.viewer.changed)} source={source} />}
      {hasChanged && total > 0 && <p>{t(($) => $.viewer.now)}</p>}
      {total === 0 && <p className="text-muted-foreground">{t(($) => $.viewer.empty)}</p>}
      {viewport && (
        <PassageList source={source} total={total} meant={found?.index ?? null} viewport={viewport} actions={actions} />
      )}
    </section>
  )
}
