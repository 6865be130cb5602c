// Where files come in: by button, by drop anywhere on it, by paste anywhere on the page.
import { Upload } from 'lucide-react'
import { useEffect } from 'react'
import { useDropzone } from 'react-dropzone'
import { Button } from '#web/components/ui/button.tsx'
import { cn } from '#web/lib/cn.ts'
import { formatBytes } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { DOCUMENT_UPLOADS, type UploadKind } from './upload.rules.ts'

type UploadAreaProps = { kind?: UploadKind; onFiles: (files: File[]) => void }

/** Hands over every file; which of them are refused is decided where they are queued, so that each gets its reason. */
export function UploadArea({ kind = DOCUMENT_UPLOADS, onFiles }: UploadAreaProps) {
  const { t } = useTranslation('knowledge')
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    onDrop: (files) => onFiles(files),
    noClick: true,
    noKeyboard: true,
  })
  usePastedFiles(onFiles)
  return (
    <div
      {...getRootProps({ role: 'group', 'aria-label': t(($) => $.documents.upload) })}
      className={cn(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-input border-dashed bg-surface p-5 transition-colors',
        isDragActive && 'border-primary bg-primary-soft/60',
      )}
    >
      <span
        aria-hidden="true"
        className="flex size-10 shrink-0 items-center justify-center rounded-lg bg-primary-soft text-primary-soft-foreground"
      >
        <Upload className="size-5" />
      </span>
      <div className="relative min-w-0 flex-1 basis-56">
        <input {...getInputProps({ accept: kind.extensions.join(',') })} />
        <p className="font-medium">{isDragActive ? t(($) => $.documents.dropNow) : t(($) => $.documents.drop)}</p>
        <p className="text-[0.8125rem] text-muted-foreground">
          {t(($) => $.documents.formats, { formats: kind.formats, size: formatBytes(kind.maxBytes) })}
        </p>
      </div>
      <Button variant="primary" onClick={open}>
        {t(($) => $.documents.upload)}
      </Button>
    </div>
  )
}

/** Files pasted anywhere on the page, unless they are pasted into a text field. */
function usePastedFiles(onFiles: (files: File[]) => void): void {
  useEffect(() => {
    const take = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0 || isTextField(event.target)) return
      event.preventDefault()
      onFiles(files)
    }
    window.addEventListener('paste', take)
    return () => window.removeEventListener('paste', take)
  }, [onFiles])
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'file')
}
