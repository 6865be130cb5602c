// One line of the panel: work on a file, a table or a site, with its progress and actions.
import { EyeOff, RotateCw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import type { QueuedUpload } from '../documents/use-uploads.ts'
import type { WorkEntry } from './work.rules.ts'

/** A file sent by this tab. */
export function UploadItem({ queued: { upload, queue } }: { queued: QueuedUpload }) {
  const { t } = useTranslation('tray')
  const { name } = upload.file
  if (upload.state === 'asking') {
    return (
      <Item title={<p className="truncate">{name}</p>}>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <span className="min-w-0 flex-1 basis-28">{t(($) => $.state.asking)}</span>
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              onClick={() => queue.answer(upload.id, 'replace')}
              aria-label={t(($) => $.replace, { name })}
            >
              {t(($) => $.replaceShort)}
            </Button>
            <Button
              size="sm"
              onClick={() => queue.answer(upload.id, 'keep')}
              aria-label={t(($) => $.keepBoth, { name })}
            >
              {t(($) => $.keepBothShort)}
            </Button>
          </div>
        </div>
        <Button
          variant="ghost"
          size="icon-sm"
          onClick={() => queue.remove(upload.id)}
          aria-label={t(($) => $.cancel, { name })}
        >
          <X />
        </Button>
      </Item>
    )
  }
  return (
    <Item title={<p className="truncate">{name}</p>}>
      <HowFar
        name={name}
        state={t(($) => $.state[upload.state === 'sending' ? 'uploading' : 'waiting'])}
        progress={upload.progress}
        onCancel={() => queue.remove(upload.id)}
      />
    </Item>
  )
}

/** Work on the server. */
export function WorkItem({ entry }: { entry: WorkEntry }) {
  const { t } = useTranslation('tray')
  const cancel = useSubjectCall('cancel')
  return (
    <Item title={<SpaceLink entry={entry} />}>
      <HowFar
        name={entry.name}
        state={t(($) => $.state[entry.step])}
        progress={entry.progress}
        onCancel={entry.canCancel ? () => cancel(entry) : undefined}
      />
    </Item>
  )
}

/** Failed work. */
export function FailedItem({ entry, onHide }: { entry: WorkEntry; onHide: () => void }) {
  const { t } = useTranslation('tray')
  const retry = useSubjectCall('retry')
  return (
    <Item title={<SpaceLink entry={entry} />}>
      <span className="min-w-0 flex-1 text-destructive-soft-foreground">{t(($) => $.state.failed)}</span>
      {entry.canRetry && (
        <Button
          variant="ghost"
          size="icon-sm"
          onClick={() => retry(entry)}
          aria-label={t(($) => $.retry, { name: entry.name })}
        >
          <RotateCw />
        </Button>
      )}
      <Button variant="ghost" size="icon-sm" onClick={onHide} aria-label={t(($) => $.hide, { name: entry.name })}>
        <EyeOff />
      </Button>
    </Item>
  )
}

/** The mutation that fits the subject. A failure is reported in a toast. */
function useSubjectCall(what: 'cancel' | 'retry'): (entry: WorkEntry) => void {
  const document = useMutation(api.knowledge.documents[what])
  const table = useMutation(api.knowledge.tables[what])
  const site = useMutation(what === 'cancel' ? api.knowledge.sites.cancel : api.knowledge.sites.syncNow)
  return ({ subject }) => {
    const call = 'documentId' in subject ? document(subject) : 'tableId' in subject ? table(subject) : site(subject)
    void call.catch(() => undefined)
  }
}

function Item({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <li className="min-w-0">
      {title}
      <div className="mt-1 flex items-center gap-2 text-muted-foreground text-xs">{children}</div>
    </li>
  )
}

function SpaceLink({ entry }: { entry: WorkEntry }) {
  return (
    <Link to={paths.space(entry.spaceSlug)} className="block truncate underline-offset-2 hover:underline">
      {entry.name}
    </Link>
  )
}

type HowFarProps = { name: string; state: string; progress: number | null; onCancel: (() => void) | undefined }

function HowFar({ name, state, progress, onCancel }: HowFarProps) {
  const { t } = useTranslation('tray')
  const label =
    progress === null ? `${state}: ${name}` : t(($) => $.progress, { percent: formatPercent(progress), name })
  return (
    <>
      <Progress value={progress} label={label} />
      <span className="w-28 shrink-0 text-end">{state}</span>
      {onCancel && (
        <Button variant="ghost" size="icon-sm" onClick={onCancel} aria-label={t(($) => $.cancel, { name })}>
          <X />
        </Button>
      )}
    </>
  )
}
