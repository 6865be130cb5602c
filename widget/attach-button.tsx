// The ways in which a visitor chooses files: a button, pasting, and letting them fall onto the chat.
import { useEffect, useRef } from 'react'
import { ClipIcon } from './icons.tsx'

/** What the server takes, as browsers offer it. */
const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,.pdf,.docx,.xlsx,.txt,.log,.md,.csv,.json'

/** Files that are dropped or pasted anywhere in the chat count like chosen ones. */
export function AttachButton({ label, onFiles }: { label: string; onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const listener = useRef(onFiles)
  listener.current = onFiles
  useEffect(() => listenToFiles((files) => listener.current(files)), [])
  return (
    <>
      <button type="button" className="icon attach" aria-label={label} onClick={() => input.current?.click()}>
        <ClipIcon />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = '' // the same file may be chosen again
        }}
      />
    </>
  )
}

function listenToFiles(onFiles: (files: File[]) => void): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const take = (event: Event, data: DataTransfer | null) => {
    if (!data || data.files.length === 0) return
    event.preventDefault()
    onFiles([...data.files])
  }
  // Without this a browser opens what is dropped instead of the chat.
  window.addEventListener('dragover', (event) => event.preventDefault(), { signal })
  window.addEventListener('drop', (event) => take(event, event.dataTransfer), { signal })
  window.addEventListener('paste', (event) => take(event, event.clipboardData), { signal })
  return () => controller.abort()
}
