// Files whose name a document has already: does one take its place, or are both kept? Until that is answered nothing is sent.
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { Upload, UploadQueue } from './upload-queue.ts'

/** The question about one file. */
export function UploadQuestion({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { t } = useTranslation('knowledge')
  const { name } = upload.replaces ?? upload.file
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p role="status" className="min-w-0 flex-1 basis-48 break-words text-[0.8125rem] text-muted-foreground">
        {t(($) => $.documents.isHere, { name })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          onClick={() => queue.answer(upload.id, 'replace')}
          aria-label={t(($) => $.documents.replaceNamed, { name })}
        >
          {t(($) => $.documents.replace)}
        </Button>
        <Button
          size="sm"
          onClick={() => queue.answer(upload.id, 'keep')}
          aria-label={t(($) => $.documents.keepNamed, { name })}
        >
          {t(($) => $.documents.keepBoth)}
        </Button>
      </div>
    </div>
  )
}

/** One answer for all files that are asked about; nothing where there are not several. */
export function QuestionForAll({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const { t } = useTranslation('knowledge')
  const asked = uploads.filter(({ state }) => state === 'asking')
  if (asked.length < 2) return null
  const answer = (choice: 'replace' | 'keep') => {
    for (const { id } of asked) queue.answer(id, choice)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-border border-b px-4 py-3">
      <p className="min-w-0 flex-1 basis-56">{t(($) => $.documents.areHere, { count: asked.length })}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => answer('replace')}>
          {t(($) => $.documents.replaceAll)}
        </Button>
        <Button size="sm" onClick={() => answer('keep')}>
          {t(($) => $.documents.keepAll)}
        </Button>
      </div>
    </div>
  )
}
