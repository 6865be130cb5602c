// Files on their way to one knowledge space: what is sent now, what waits, what failed. Knows neither React nor HTTP.
import { randomKey } from '#web/lib/random-key.ts'
import { refusalOf, type UploadFailure, type UploadKind } from './upload.rules.ts'

/** waiting ─► sending ─► (gone: the document list shows it)     sending ─► failed ─► waiting (retry) */
export type Upload = {
  id: string
  /** Names it to the server, which takes it once however often it is sent; the same after a reload. */
  key: string
  file: File
  state: 'waiting' | 'sending' | 'failed'
  /** 0 to 1. */
  progress: number
  failure: UploadFailure | null
}

/** Sends one upload; rejects with an UploadError, or with anything once the signal is aborted. */
export type SendFile = (
  upload: Pick<Upload, 'key' | 'file'>,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => Promise<void>

/** Why sending failed. */
export class UploadError extends Error {
  readonly failure: UploadFailure
  constructor(failure: UploadFailure) {
    super(failure)
    this.name = 'UploadError'
    this.failure = failure
  }
}

/** More at once would only share the same line. */
const SENT_AT_ONCE = 3

/** A queue of uploads whose snapshot changes identity with every change, as React wants it. */
export class UploadQueue {
  private uploads: readonly Upload[] = []
  private readonly running = new Map<string, AbortController>()
  private readonly listeners = new Set<() => void>()
  private readonly send: SendFile
  private count = 0
  /** What can be uploaded here. */
  readonly kind: UploadKind

  constructor(send: SendFile, kind: UploadKind) {
    this.send = send
    this.kind = kind
  }

  /** Uploads that are not over, oldest first. */
  readonly snapshot = (): readonly Upload[] => this.uploads

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Takes files in; refused ones are kept as failed, so that their reason can be read. */
  add(files: readonly File[]): void {
    this.enqueue(files.map((file) => ({ key: randomKey(), file })))
  }

  /** Takes a file in that was on its way before, under the key that it had. */
  addAgain(file: File, key: string): void {
    this.enqueue([{ key, file }])
  }

  private enqueue(files: readonly Pick<Upload, 'key' | 'file'>[]): void {
    const added = files.map(({ key, file }): Upload => {
      this.count += 1
      const failure = refusalOf(file, this.kind)
      return { id: String(this.count), key, file, state: failure ? 'failed' : 'waiting', progress: 0, failure }
    })
    this.change([...this.uploads, ...added])
    this.startNext()
  }

  /** Stops sending, or forgets a failed one. */
  remove(id: string): void {
    this.running.get(id)?.abort()
    this.running.delete(id)
    this.change(this.uploads.filter((upload) => upload.id !== id))
    this.startNext()
  }

  /** Sends a failed file again; does nothing for one that would be refused again. */
  retry(id: string): void {
    const upload = this.uploads.find((each) => each.id === id)
    if (upload?.state !== 'failed' || refusalOf(upload.file, this.kind)) return
    this.update(id, { state: 'waiting', progress: 0, failure: null })
    this.startNext()
  }

  private startNext(): void {
    for (const upload of this.uploads) {
      if (this.running.size >= SENT_AT_ONCE) return
      if (upload.state === 'waiting') void this.start(upload)
    }
  }

  private async start(upload: Upload): Promise<void> {
    const { id } = upload
    const controller = new AbortController()
    this.running.set(id, controller)
    this.update(id, { state: 'sending' })
    try {
      await this.send(upload, (progress) => this.update(id, { progress }), controller.signal)
      this.change(this.uploads.filter((each) => each.id !== id))
    } catch (error) {
      const failure = error instanceof UploadError ? error.failure : 'failed'
      if (!controller.signal.aborted) this.update(id, { state: 'failed', failure })
    } finally {
      if (this.running.get(id) === controller) this.running.delete(id)
      this.startNext()
    }
  }

  private update(id: string, change: Partial<Upload>): void {
    this.change(this.uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))
  }

  private change(uploads: readonly Upload[]): void {
    this.uploads = uploads
    for (const listener of this.listeners) listener()
  }
}
