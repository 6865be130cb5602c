// What is going to be sent with the next message: how far each file is, and the way to leave it out.
import { CircleAlert, Paperclip, X } from 'lucide-react'
import { Button } from '#web/components/ui/button.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatBytes, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { Attachments, PendingFile } from './use-attachments.ts'

/** Renders nothing without attachments. */
export function AttachmentsPanel({ attachments: { files, remove } }: { attachments: Attachments }) {
  const { t } = useTranslation('conversations')
  if (files.length === 0) return null
  return (
    <ul aria-label={t(($) => $.attach.list)} className="flex max-h-40 flex-wrap gap-2 overflow-y-auto">
      {files.map((file) => (
        <li
          key={file.key}
          className="flex min-w-0 max-w-full items-center gap-2 rounded-lg border border-border py-1 ps-2.5 pe-1 text-sm sm:max-w-80"
        >
          <File file={file} />
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t(($) => $.attach.remove, { name: file.name })}
            title={t(($) => $.attach.remove, { name: file.name })}
            onClick={() => remove(file.key)}
          >
            <X aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  )
}

function File({ file: { name, sizeBytes, state } }: { file: PendingFile }) {
  const { t } = useTranslation('conversations')
  const hasFailed = state.status === 'failed'
  const Icon = hasFailed ? CircleAlert : Paperclip
  return (
    <>
      <Icon
        aria-hidden="true"
        className={hasFailed ? 'size-4 shrink-0 text-destructive' : 'size-4 shrink-0 text-muted-foreground'}
      />
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="truncate">{name}</span>
        {state.status === 'uploading' && (
          <span className="flex items-center gap-2 text-muted-foreground text-xs tabular-nums">
            <Progress value={state.share} label={t(($) => $.attach.uploading, { name })} className="w-24" />
            {formatPercent(state.share)}
          </span>
        )}
        {state.status === 'ready' && <span className="text-muted-foreground text-xs">{formatBytes(sizeBytes)}</span>}
        {state.status === 'failed' && (
          <span role="alert" className="text-destructive-soft-foreground text-xs">
            {state.message}
          </span>
        )}
      </span>
    </>
  )
}
