// Uploads to one knowledge space: sending, waiting, failed, and those that ask whether to replace a document. Independent of React and HTTP.
import { randomKey } from '#web/lib/server/random-key.ts'
import { isFinal, type NamedDocument, refusalOf, type UploadFailure, type UploadKind } from './upload.rules.ts'

/**
 * waiting ─► sending ─► (gone: the document list shows it)     sending ─► failed ─► waiting (retry)
 * checking ─► waiting, or ─► asking ─► waiting (answered): a document has its name already
 */
export type Upload = {
  id: string
  /** Idempotency key: the server accepts it once however often it is sent; the same after a reload. */
  key: string
  file: File
  state: 'checking' | 'asking' | 'waiting' | 'sending' | 'failed'
  /** The document of which it is a new version; while asking, the one it could replace. Null: a document of its own. */
  replaces: NamedDocument | null
  /** 0 to 1. */
  progress: number
  failure: UploadFailure | null
}

/** Sends one upload; rejects with an UploadError, or with anything once the signal is aborted. */
export type SendFile = (
  upload: Pick<Upload, 'key' | 'file' | 'replaces'>,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => Promise<void>

/** Looks up the documents with the names of files; keyed by the names as given. */
export type FindNamed = (names: string[]) => Promise<ReadonlyMap<string, NamedDocument>>

/** An upload entering its queue. `isAnswered`: the question whether to replace a document is not asked. */
export type NewUpload = Pick<Upload, 'key' | 'file' | 'replaces'> & { isAnswered: boolean }

/** Why sending failed. */
export class UploadError extends Error {
  readonly failure: UploadFailure
  constructor(failure: UploadFailure) {
    super(failure)
    this.name = 'UploadError'
    this.failure = failure
  }
}

/** More in parallel would only share the same bandwidth. */
const SENT_AT_ONCE = 3

/** A queue of uploads whose snapshot changes identity on every change, as React requires. */
export class UploadQueue {
  private uploads: readonly Upload[] = []
  private readonly running = new Map<string, AbortController>()
  private readonly listeners = new Set<() => void>()
  private readonly send: SendFile
  private readonly findNamed: FindNamed | null
  private count = 0
  /** What can be uploaded here. */
  readonly kind: UploadKind

  /** Without `findNamed` no file replaces a document. */
  constructor(send: SendFile, kind: UploadKind, findNamed: FindNamed | null = null) {
    this.send = send
    this.findNamed = findNamed
    this.kind = kind
  }

  /** Unfinished uploads, oldest first. */
  readonly snapshot = (): readonly Upload[] => this.uploads

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Adds files; refused ones are kept as failed, to show the reason. */
  add(files: readonly File[]): void {
    this.enqueue(files.map((file) => ({ key: randomKey(), file, replaces: null, isAnswered: this.findNamed === null })))
  }

  /** Adds the new version of a document. */
  addVersion(file: File, replaces: NamedDocument): void {
    this.enqueue([{ key: randomKey(), file, replaces, isAnswered: true }])
  }

  /** Restores an upload from before a reload, under its key. */
  addAgain(upload: NewUpload): void {
    this.enqueue([upload])
  }

  /** Answers the question of an upload: replace the document of its name, or become a document of its own. */
  answer(id: string, choice: 'replace' | 'keep'): void {
    if (this.uploads.find((each) => each.id === id)?.state !== 'asking') return
    this.update(id, { state: 'waiting', ...(choice === 'keep' && { replaces: null }) })
    this.startNext()
  }

  private enqueue(files: readonly NewUpload[]): void {
    const added = files.map(({ key, file, replaces, isAnswered }): Upload => {
      this.count += 1
      const failure = refusalOf(file, this.kind)
      const state = failure ? 'failed' : isAnswered ? 'waiting' : 'checking'
      return { id: String(this.count), key, file, replaces, state, progress: 0, failure }
    })
    this.change([...this.uploads, ...added])
    this.startNext()
    void this.check(added.filter(({ state }) => state === 'checking'))
  }

  /** When the lookup fails, files become documents of their own: nothing is lost by that. */
  private async check(uploads: readonly Upload[]): Promise<void> {
    if (uploads.length === 0 || !this.findNamed) return
    const named = await this.findNamed(uploads.map(({ file }) => file.name)).catch(
      () => new Map<string, NamedDocument>(),
    )
    for (const { id, file } of uploads) {
      const replaces = named.get(file.name) ?? null
      this.update(id, { state: replaces ? 'asking' : 'waiting', replaces })
    }
    this.startNext()
  }

  /** Aborts an upload, or removes one that has failed or is asking. */
  remove(id: string): void {
    this.running.get(id)?.abort()
    this.running.delete(id)
    this.change(this.uploads.filter((upload) => upload.id !== id))
    this.startNext()
  }

  /** Sends a failed file again; does nothing for a refused one. */
  retry(id: string): void {
    const upload = this.uploads.find((each) => each.id === id)
    if (upload?.state !== 'failed' || isFinal(upload, this.kind)) return
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
