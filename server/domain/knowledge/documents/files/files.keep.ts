// Stores a file for a row that is not written yet: the file is kept if the row is, or may be.
import { CommitUnknownError } from '#server/platform/db/engine/engine.ts'
import type { FileStore } from '#server/platform/files/files.ts'

type NewFile = { key: string; body: ReadableStream<Uint8Array>; maxBytes: number }
/** `isNamed`: a row names the file now. */
type Recorded<Result> = { result: Result; isNamed: boolean }

/**
 * Stores a file, then has `record` write the row that refers to it. The file is deleted when no row does; when that is unknown, as after a
 * connection lost during the commit, it is left to the sweep of files.sweep.ts.
 *
 * @throws AppError file_too_large, file_empty, and whatever `record` throws
 */
export async function keepFile<Result>(
  files: FileStore,
  { key, body, maxBytes }: NewFile,
  record: (sizeBytes: number) => Promise<Recorded<Result>>,
): Promise<Result> {
  const { sizeBytes } = await files.put(key, body, maxBytes)
  try {
    const { result, isNamed } = await record(sizeBytes)
    if (!isNamed) await files.remove(key)
    return result
  } catch (error) {
    if (!mayStand(error)) await files.remove(key)
    throw error
  }
}

/** Whether a write that has failed in this way may have happened nevertheless. */
export function mayStand(error: unknown): boolean {
  return error instanceof CommitUnknownError
}
