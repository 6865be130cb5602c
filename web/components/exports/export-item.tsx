// One exported file: its progress and actions. Used in the panel of exports and in the settings.
import { Download, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Export } from '#shared/messaging/exports.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatBytes, formatDateTime, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { saveFile } from '#web/lib/server/use-file.ts'
import { toast } from '#web/lib/toast.ts'

type ExportItemProps = {
  item: Export
  /** Shows the author, for lists of several people's exports. */
  hasAuthor?: boolean
  /** More buttons at the end. */
  children?: ReactNode
}

/** An item of a list. */
export function ExportItem({ item, hasAuthor, children }: ExportItemProps) {
  const { t } = useTranslation('exports')
  const { name, status, sizeBytes, expiresAt, author } = item
  const isOpen = status === 'waiting' || status === 'running'
  return (
    <li className="flex min-w-0 items-center gap-2">
      <div className="min-w-0 flex-1">
        <p className="truncate">{name}</p>
        <div className="flex flex-wrap items-center gap-x-1.5 text-muted-foreground text-xs">
          {hasAuthor && author && <span>{t(($) => $.by, { name: author.name })}</span>}
          {isOpen && <HowFar item={item} />}
          {(status === 'failed' || status === 'cancelled') && <span>{t(($) => $.state[status])}</span>}
          {status === 'ready' && (
            <span>
              {t(($) => $.size, { size: formatBytes(sizeBytes ?? 0), day: formatDateTime(expiresAt ?? 0, 'date') })}
            </span>
          )}
        </div>
      </div>
      {isOpen ? <CancelButton item={item} /> : <RemoveButton item={item} />}
      {status === 'ready' && <DownloadButton item={item} />}
      {children}
    </li>
  )
}

function HowFar({ item: { name, status, done, total } }: { item: Export }) {
  const { t } = useTranslation('exports')
  const counts = total === null ? null : { done: formatNumber(done), total: formatNumber(total) }
  const label = counts ? t(($) => $.progress, { name, ...counts }) : t(($) => $.progressUnknown, { name })
  return (
    <>
      <span>{t(($) => $.state[status === 'waiting' ? 'waiting' : 'running'])}</span>
      {counts && <span className="tabular-nums">{t(($) => $.done, counts)}</span>}
      <Progress value={total ? done / total : null} label={label} className="mt-1" />
    </>
  )
}

function CancelButton({ item: { _id: exportId, name } }: { item: Export }) {
  const { t } = useTranslation('exports')
  const cancel = useMutation(api.conversations.exports.cancel)
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={t(($) => $.cancel, { name })}
      onClick={() => void cancel({ exportId }).catch(() => undefined)} // reported in a toast
    >
      <X />
    </Button>
  )
}

function RemoveButton({ item: { _id: exportId, name } }: { item: Export }) {
  const { t } = useTranslation('exports')
  const remove = useMutation(api.conversations.exports.remove)
  const run = async () => {
    await remove({ exportId })
    toast.success(t(($) => $.removed))
  }
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={t(($) => $.remove, { name })}
      onClick={() => void run().catch(() => undefined)} // reported in a toast
    >
      <Trash2 />
    </Button>
  )
}

function DownloadButton({ item }: { item: Export }) {
  const { t } = useTranslation('exports')
  const download = useDownload()
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={t(($) => $.download, { name: item.name })}
      onClick={() => download(item._id)}
    >
      <Download />
    </Button>
  )
}

/** Requests a link to a file and saves what it points to. A failure is shown in a toast. */
export function useDownload(): (exportId: Export['_id']) => void {
  const link = useMutation(api.conversations.exports.link, { hasToast: false })
  return (exportId) => {
    void link({ exportId })
      .then(({ url }) => saveFile(url))
      .catch(toast.failure)
  }
}
