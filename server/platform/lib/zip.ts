// Archives that are written while their files are read: never more than a piece of one file is in memory.
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** `isPacked`: its content is made smaller; what pictures and recordings hold is so already. */
export type ZippedFile = { name: string; isPacked: boolean; content: AsyncIterable<Uint8Array> }

/** The archive in pieces. */
export async function* zipped(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    ready.push(piece)
  })
  for await (const { name, isPacked, content } of files) {
    const entry = isPacked ? new ZipDeflate(name) : new ZipPassThrough(name)
    zip.add(entry)
    for await (const piece of content) {
      entry.push(piece)
      yield* ready.splice(0)
    }
    entry.push(new Uint8Array(0), true)
    yield* ready.splice(0)
  }
  zip.end()
  yield* ready.splice(0)
}
