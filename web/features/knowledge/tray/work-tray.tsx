// The work with documents that goes on in the background, shown in the header of every page.
import { FileUp, X } from 'lucide-react'
import { Link } from 'react-router'
import type { DocumentWork, WorkItem } from '#shared/knowledge.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/components/ui/popover.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { useMutation, useQuery } from '#web/lib/convex.ts'
import { formatNumber, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { type QueuedUpload, useAllUploads } from '../documents/use-uploads.ts'
import { useEndedToasts } from './use-ended-toasts.ts'
import { useKeptUploads } from './use-kept-uploads.ts'

/** Nothing while nothing goes on. Live, so that it is the same after a reload and in another tab. */
export function WorkTray() {
  const { t } = useTranslation('tray')
  const work: DocumentWork | undefined = useQuery(api.knowledge.documents.listWork, {})
  const uploads = useAllUploads()
  useKeptUploads()
  useEndedToasts(work)
  const sending = uploads.filter(({ upload }) => upload.state !== 'failed')
  // The row of a file that this tab sends says more than the server's.
  const onServer = (work?.unfinished ?? []).filter(
    ({ name, status }) => status === 'processing' || !sending.some(({ upload }) => upload.file.name === name),
  )
  const count = sending.length + onServer.length
  return (
    <>
      <span role="status" className="sr-only">
        {count > 0 && t(($) => $.working, { count })}
      </span>
      {count > 0 && (
        <Popover>
          <PopoverTrigger asChild>
            <Button variant="ghost" className="gap-1.5 px-2" aria-label={t(($) => $.open, { count })}>
              <FileUp aria-hidden="true" className="motion-safe:animate-pulse" />
              <span aria-hidden="true" className="tabular-nums">
                {formatNumber(count)}
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
              {onServer.map((item) => (
                <DocumentItem key={item._id} item={item} />
              ))}
            </ul>
          </PopoverContent>
        </Popover>
      )}
    </>
  )
}

function UploadItem({ queued: { upload, queue } }: { queued: QueuedUpload }) {
  const { t } = useTranslation('tray')
  const { name } = upload.file
  return (
    <li className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <p className="truncate">{name}</p>
        <Row
          name={name}
          state={upload.state === 'waiting' ? t(($) => $.state.waiting) : t(($) => $.state.uploading)}
          progress={upload.progress}
        />
      </div>
      <CancelButton name={name} onClick={() => queue.remove(upload.id)} />
    </li>
  )
}

function DocumentItem({ item }: { item: WorkItem }) {
  const { t } = useTranslation('tray')
  const cancel = useMutation(api.knowledge.documents.cancel)
  return (
    <li className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <Link to={paths.space(item.spaceSlug)} className="block truncate underline-offset-2 hover:underline">
          {item.name}
        </Link>
        <Row
          name={item.name}
          state={item.status === 'processing' ? t(($) => $.state.processing) : t(($) => $.state.uploading)}
          progress={item.progress}
        />
      </div>
      {item.status === 'processing' && (
        <CancelButton
          name={item.name}
          onClick={() => void cancel({ documentId: item._id }).catch(() => undefined)} // the toast has told
        />
      )}
    </li>
  )
}

function Row({ name, state, progress }: { name: string; state: string; progress: number }) {
  const { t } = useTranslation('tray')
  return (
    <div className="mt-1 flex items-center gap-2 text-muted-foreground text-xs">
      <Progress value={progress} label={t(($) => $.progress, { percent: formatPercent(progress), name })} />
      <span className="w-28 shrink-0 text-end">{state}</span>
    </div>
  )
}

function CancelButton({ name, onClick }: { name: string; onClick: () => void }) {
  const { t } = useTranslation('tray')
  return (
    <Button variant="ghost" size="icon-sm" onClick={onClick} aria-label={t(($) => $.cancel, { name })}>
      <X />
    </Button>
  )
}
