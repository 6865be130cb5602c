// Files that are going to be sent with the next message: uploaded at once, removable until then.
import { useCallback, useEffect, useRef, useState } from 'react'
import { ATTACHMENT_MAX_BYTES, ATTACHMENTS_PER_ANSWER } from '#shared/limits.ts'
import type { UploadedFile } from '#shared/messaging/attachments.ts'
import { describeError } from '#web/lib/errors.ts'
import { Refusal } from '#web/lib/refusal.ts'
import { postFile } from '#web/lib/server/post-file.ts'

export type PendingFile = {
  key: number
  name: string
  sizeBytes: number
  /** `share`: 0 to 1 of it is uploaded. `message`: why it is not, and what to do. */
  state:
    | { status: 'uploading'; share: number }
    | { status: 'ready'; ticket: string }
    | { status: 'failed'; message: string }
}

export type Attachments = {
  files: readonly PendingFile[]
  /** Uploads files; those beyond what a message may carry are left out. @returns how many were */
  add: (files: readonly File[], options?: { isRecorded?: boolean }) => number
  /** Also breaks an upload off. */
  remove: (key: number) => void
  /** After the message was sent. */
  clear: () => void
}

/** Uploads end with the component. */
export function useAttachments(): Attachments {
  const [files, setFiles] = useState<readonly PendingFile[]>([])
  const uploads = useRef(new Map<number, AbortController>())
  const lastKey = useRef(0)
  const count = files.length

  const change = useCallback((key: number, state: PendingFile['state']) => {
    setFiles((before) => before.map((file) => (file.key === key ? { ...file, state } : file)))
  }, [])
  const forget = useCallback((key: number) => {
    uploads.current.get(key)?.abort()
    uploads.current.delete(key)
    setFiles((before) => before.filter((file) => file.key !== key))
  }, [])
  const add = useCallback<Attachments['add']>(
    (given, { isRecorded = false } = {}) => {
      const taken = given.slice(0, ATTACHMENTS_PER_ANSWER - count)
      for (const file of taken) {
        lastKey.current += 1
        const key = lastKey.current
        const controller = new AbortController()
        uploads.current.set(key, controller)
        const state = { status: 'uploading', share: 0 } as const
        setFiles((before) => [...before, { key, name: file.name, sizeBytes: file.size, state }])
        void upload(file, isRecorded, {
          signal: controller.signal,
          onProgress: (share) => change(key, { status: 'uploading', share }),
        }).then((ended) => ended && change(key, ended))
      }
      return given.length - taken.length
    },
    [count, change],
  )
  const clear = useCallback(() => {
    uploads.current.clear()
    setFiles([])
  }, [])
  useEffect(() => {
    const { current } = uploads
    return () => {
      for (const controller of current.values()) controller.abort()
    }
  }, [])
  return { files, add, remove: forget, clear }
}

type Sending = { signal: AbortSignal; onProgress: (share: number) => void }

/** Null when it was given up. */
async function upload(file: File, isRecorded: boolean, sending: Sending): Promise<PendingFile['state'] | null> {
  try {
    if (file.size > ATTACHMENT_MAX_BYTES) throw new Refusal('file_too_large')
    if (file.size === 0) throw new Refusal('file_empty')
    const query = new URLSearchParams({ name: file.name, ...(isRecorded && { isRecorded: 'true' }) })
    const { ticket } = (await postFile(`/api/files/uploads?${query}`, file, sending)) as UploadedFile
    return { status: 'ready', ticket }
  } catch (error) {
    return sending.signal.aborted ? null : { status: 'failed', message: describeError(error).message }
  }
}
