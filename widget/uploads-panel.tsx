// The files of the next message: their progress, why one was rejected, and a button to remove each.
import { CloseIcon } from './icons.tsx'
import type { WidgetTexts } from './texts.ts'
import type { Upload, Uploads } from './use-uploads.ts'

type FileTrayProps = { uploads: Uploads; texts: WidgetTexts; onRemoved: () => void }

/** Nothing where nothing is attached. */
export function UploadsPanel({ uploads, texts, onRemoved }: FileTrayProps) {
  if (uploads.list.length === 0) return null
  return (
    <>
      <ul className="tray" aria-label={texts.files}>
        {uploads.list.map((upload) => (
          <li key={upload.key}>
            <Progress upload={upload} texts={texts} onRetry={() => uploads.retry(upload.key)} />
            <button
              type="button"
              className="icon"
              aria-label={texts.removeFile(upload.file.name)}
              onClick={() => {
                uploads.remove(upload.key)
                onRemoved() // the button goes, and the focus would go with it
              }}
            >
              <CloseIcon />
            </button>
          </li>
        ))}
      </ul>
      {uploads.isOverfull && (
        <p className="problem" role="alert">
          {texts.tooManyFiles}
        </p>
      )}
    </>
  )
}

function Progress({ upload, texts, onRetry }: { upload: Upload; texts: WidgetTexts; onRetry: () => void }) {
  const { file, share, ticket, problem } = upload
  const isRetried = problem === 'later' || problem === 'unreachable'
  return (
    <span className="upload">
      <span className="file-name">{file.name}</span>
      {ticket === null && problem === null && (
        <progress max={1} value={share} aria-label={texts.uploading(file.name)} />
      )}
      {problem && (
        <span className="problem" role="alert">
          {texts.fileProblems[problem]}{' '}
          {isRetried && (
            <button type="button" onClick={onRetry}>
              {texts.retryFile}
            </button>
          )}
        </span>
      )}
    </span>
  )
}
