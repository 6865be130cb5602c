// The work with documents, tables and sites that goes on in the background, shown in the header of every page.
import { FileUp, FileWarning } from 'lucide-react'
import { useMemo } from 'react'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/components/ui/popover.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useAllUploads } from '../documents/use-uploads.ts'
import { useKeptUploads } from './use-kept-uploads.ts'
import { useNews } from './use-news.ts'
import { allWork, type Work } from './work.rules.ts'
import { FailedItem, UploadItem, WorkItem } from './work-item.tsx'

/** Renders nothing unless work is running or has failed. Live, so that it is the same after a reload and in another tab. */
export function UploadsPanel() {
  const { t } = useTranslation('tray')
  const { work, unlisted } = useWork()
  const uploads = useAllUploads()
  useKeptUploads()
  const { failed, forget } = useNews(work)
  const sending = uploads.filter(({ upload }) => upload.state !== 'failed')
  // The row of a file that this tab sends says more than the server's.
  const onServer = (work?.unfinished ?? []).filter(
    ({ name, step }) => step !== 'uploading' || !sending.some(({ upload }) => upload.file.name === name),
  )
  const count = sending.length + onServer.length + unlisted
  const title = count > 0 ? t(($) => $.open, { count }) : t(($) => $.openFailed, { count: failed.length })
  return (
    <>
      <span role="status" className="sr-only">
        {count > 0 && t(($) => $.working, { count })}
      </span>
      {count + failed.length > 0 && (
        <Popover>
          <PopoverTrigger asChild>
            <Button variant="ghost" className="gap-1.5 px-2" aria-label={title}>
              {count > 0 ? (
                <FileUp aria-hidden="true" className="motion-safe:animate-pulse" />
              ) : (
                <FileWarning aria-hidden="true" className="text-destructive-soft-foreground" />
              )}
              <span aria-hidden="true" className="tabular-nums">
                {formatNumber(count || failed.length)}
              </span>
            </Button>
          </PopoverTrigger>
          <PopoverContent align="end" className="w-96" aria-label={t(($) => $.title)}>
            <h2 className="mb-3 font-medium">{t(($) => $.title)}</h2>
            <ul
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
              tabIndex={0}
              className="flex max-h-80 flex-col gap-4 overflow-y-auto"
            >
              {sending.map((each) => (
                <UploadItem key={`${each.kind.route} ${each.knowledgeSpaceId} ${each.upload.id}`} queued={each} />
              ))}
              {onServer.map((entry) => (
                <WorkItem key={entry.key} entry={entry} />
              ))}
              {unlisted > 0 && <li className="text-muted-foreground">{t(($) => $.unlisted, { count: unlisted })}</li>}
              {failed.map((entry) => (
                <FailedItem key={entry.key} entry={entry} onHide={() => forget(entry.key)} />
              ))}
            </ul>
          </PopoverContent>
        </Popover>
      )}
    </>
  )
}

/** `work` is undefined until all of it is known: what comes later would look like news. `unlisted`: how much more goes on. */
function useWork(): { work: Work | undefined; unlisted: number } {
  const documents = useQuery(api.knowledge.documents.listWork, {})
  const tables = useQuery(api.knowledge.tables.listWork, {})
  const sites = useQuery(api.knowledge.sites.listWork, {})
  return useMemo(() => {
    if (!documents || !tables || !sites) return { work: undefined, unlisted: 0 }
    const unlisted = documents.unlisted + tables.unlisted + sites.unlisted
    return { work: allWork(documents, tables, sites), unlisted }
  }, [documents, tables, sites])
}
