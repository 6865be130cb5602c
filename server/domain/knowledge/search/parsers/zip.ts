// Reads single entries of a zip container within an unpack budget. The directory is checked first; bytes are counted again while unpacking.
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import type { ParseLimits } from './limits.ts'
import { ParseFailure } from './parse-failure.ts'

/** Small entries may be as repetitive as they like. */
const RATIO_FROM_BYTES = 1024 * 1024

export interface Zip {
  /** Of all entries. */
  names: readonly string[]
  /** The whole entry; undefined when there is none of this name. */
  read(name: string): Promise<Buffer | undefined>
}

/** @throws ParseFailure damaged when it is no readable zip, too_large beyond the unpack budget */
export async function openZip(bytes: Uint8Array, limits: ParseLimits['zip']): Promise<Zip> {
  const zip = await orDamaged(fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)))
  if (zip.entryCount > limits.entries) throw new ParseFailure('too_large')
  const entries = await orDamaged(directoryOf(zip, limits))
  return {
    names: [...entries.keys()],
    async read(name) {
      const entry = entries.get(name)
      return entry && orDamaged(unpack(zip, entry))
    },
  }
}

/** The part that makes a container what it is. */
const MAIN_PARTS = ['word/document.xml', 'xl/workbook.xml', 'xl/workbook.bin', 'ppt/presentation.xml', 'content.xml']

/** Why a container without its main part cannot be read: it is of another kind, or broken. */
export function withoutMainPart({ names }: Zip): ParseFailure {
  return new ParseFailure(names.some((name) => MAIN_PARTS.includes(name)) ? 'type_mismatch' : 'damaged')
}

async function directoryOf(zip: ZipFile, limits: ParseLimits['zip']): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let totalBytes = 0
  for await (const entry of zip.eachEntry()) {
    const { uncompressedSize, compressedSize } = entry
    totalBytes += uncompressedSize
    const isBomb = uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * limits.ratio
    if (isBomb || uncompressedSize > limits.entryBytes || totalBytes > limits.totalBytes) {
      throw new ParseFailure('too_large')
    }
    entries.set(entry.fileName, entry)
  }
  return entries
}

/** Fails as soon as an entry gives more bytes than the directory promised. */
async function unpack(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part)
  return Buffer.concat(parts)
}

async function orDamaged<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ParseFailure) throw error
    throw new ParseFailure('damaged', { cause: error })
  }
}
