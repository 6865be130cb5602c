// The ways from a passage to where its text comes from and is kept.
import { Download, ExternalLink, Globe } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { ChunkSource } from '#shared/knowledge/chunks.ts'
import { api } from '#web/api.ts'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { saveFile } from '#web/lib/server/use-file.ts'
import { toast } from '#web/lib/toast.ts'
import { usePlaceText } from './use-place-text.ts'
import type { ViewedSource } from './viewed-source.ts'

/** To the page of the web or the file, and to the space, the latter not on the pages of knowledge themselves. */
export function SourceLinks({ source }: { source: ViewedSource }) {
  const { t } = useTranslation('conversations')
  const { pathname } = useLocation()
  const found: ChunkSource | undefined = useQuery(api.knowledge.chunks.source, { sourceId: source.documentId })
  if (!found) return null
  const part = partOf(found.kind, source.documentId)
  const chunk = source.chunkId && found.kind === 'document' ? { chunk: source.chunkId } : {}
  return (
    <>
      {found.url && <PageLink url={found.url} />}
      {found.hasFile && <OriginalFile source={source} />}
      {!pathname.startsWith(paths.knowledge) && (
        <Link
          to={`${paths.space(found.spaceSlug)}?${new URLSearchParams({ ...part, ...chunk })}`}
          className={buttonClasses({ variant: 'secondary' })}
        >
          <ExternalLink aria-hidden="true" />
          <span className="truncate">{t(($) => $.viewer.openInSpace, { name: found.spaceName })}</span>
        </Link>
      )}
    </>
  )
}

/** Saves the file, and says where in it the passage stands. */
function OriginalFile({ source: { documentId, place } }: { source: ViewedSource }) {
  const { t } = useTranslation('conversations')
  const [isBusy, setBusy] = useState(false)
  const at = usePlaceText()(place ?? { page: null })
  async function save() {
    setBusy(true)
    try {
      await saveFile(`/api/files/sources/${documentId}`)
    } catch (error) {
      toast.failure(error)
    }
    setBusy(false)
  }
  return (
    <Button isBusy={isBusy} onClick={() => void save()}>
      <Download aria-hidden="true" />
      <span className="truncate">
        {at ? t(($) => $.viewer.originalAt, { place: at }) : t(($) => $.viewer.original)}
      </span>
    </Button>
  )
}

/** To a page of the web, in a tab of its own. */
export function PageLink({ url }: { url: string }) {
  const { t } = useTranslation('conversations')
  return (
    <a
      href={url}
      title={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={buttonClasses({ variant: 'secondary' })}
    >
      <Globe aria-hidden="true" />
      <span className="truncate">{t(($) => $.viewer.openPage)}</span>
    </a>
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
      kind satisfies never
      return {}
  }
}
