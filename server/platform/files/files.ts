// The contract of the file store: uploads by key, on disk or elsewhere.

export interface FileStore {
  /** Random, kept with the files: processes with the same id see the same files. */
  readonly id: string
  /** Writes a stream under a new key while counting. @throws AppError file_too_large beyond `maxBytes`, file_empty for nothing, storage_full; nothing is kept then */
  put(key: string, body: ReadableStream<Uint8Array>, maxBytes: number): Promise<{ sizeBytes: number }>
  /** The whole content. @throws an error with the code ENOENT when there is no such key; with another one what the store has failed at */
  get(key: string): Promise<Uint8Array>
  /** An absolute path on this machine that a child process may read; makes a temporary copy where the store is remote. */
  localPath(key: string): Promise<string>
  /** Keys of what was stored, or begun and never finished, before a time. */
  listBefore(time: Date): Promise<string[]>
  /** How much is kept, and the room of the disk. Takes a moment where there is much. */
  measure(): Promise<{ count: number; sizeBytes: number; freeBytes: number; totalBytes: number }>
  /** Safe to repeat. */
  remove(key: string): Promise<void>
}
