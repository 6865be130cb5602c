// Files that are still on their way, or were refused.
import { CircleAlert, FileUp, RotateCw, X } from 'lucide-react'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatBytes, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { isFinal, type UploadKind } from './upload.rules.ts'
import { QuestionForAll, UploadQuestion } from './upload-question.tsx'
import type { Upload, UploadQueue } from './upload-queue.ts'

/** Renders nothing when there is nothing to show. */
export function UploadList({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const { t } = useTranslation('knowledge')
  if (uploads.length === 0) return null
  return (
    <Card>
      <QuestionForAll uploads={uploads} queue={queue} />
      <ul aria-label={t(($) => $.documents.uploadsLabel)} className="divide-y divide-border">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </Card>
  )
}

function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { t } = useTranslation('knowledge')
  const { name } = upload.file
  const hasFailed = upload.state === 'failed'
  const Icon = hasFailed ? CircleAlert : FileUp
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <Icon
        aria-hidden="true"
        className={hasFailed ? 'size-5 text-destructive-soft-foreground' : 'size-5 text-muted-foreground'}
      />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        {upload.replaces && upload.state !== 'asking' && (
          <p className="truncate text-[0.8125rem] text-muted-foreground">
            {t(($) => $.documents.versionOf, { name: upload.replaces?.name ?? name })}
          </p>
        )}
        {upload.state === 'asking' ? (
          <UploadQuestion upload={upload} queue={queue} />
        ) : hasFailed ? (
          <p role="alert" className="text-[0.8125rem] text-destructive-soft-foreground">
            <FailureText upload={upload} kind={queue.kind} />
          </p>
        ) : (
          <div className="mt-1.5 flex items-center gap-3">
            <Progress
              value={upload.progress}
              label={t(($) => $.documents.progress, { percent: formatPercent(upload.progress), name })}
            />
            <span className="w-20 shrink-0 text-end text-muted-foreground text-xs tabular-nums">
              {upload.state !== 'sending' ? t(($) => $.status.waiting) : formatPercent(upload.progress)}
            </span>
          </div>
        )}
      </div>
      {hasFailed && !isFinal(upload, queue.kind) && (
        <Button
          size="sm"
          onClick={() => queue.retry(upload.id)}
          aria-label={t(($) => $.documents.retryUpload, { name })}
        >
          <RotateCw aria-hidden="true" />
          {t(($) => $.documents.retry)}
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon-sm"
        onClick={() => queue.remove(upload.id)}
        aria-label={
          hasFailed ? t(($) => $.documents.dismissUpload, { name }) : t(($) => $.documents.cancelUpload, { name })
        }
      >
        <X />
      </Button>
    </li>
  )
}

function FailureText({ upload, kind }: { upload: Upload; kind: UploadKind }) {
  const { t } = useTranslation('knowledge')
  const failure = upload.failure ?? 'failed'
  return t(($) => $.refused[failure === 'unsupported_format' ? kind.unsupported : failure], {
    size: formatBytes(upload.file.size),
    max: formatBytes(kind.maxBytes),
  })
}
