// An immutable piece of a space's lexical index, read straight from its bytes. How it is made is in segment-writer.ts.
//
//   header   Uint32: magic, version, chunk count, then byte offset and length of each section
//   ids      32 ASCII characters a chunk, by local number
//   stems, grams: each
//     lengths    Uint16 a chunk, words counted with their field's weight
//     termEnds   Uint32 a term, into termBytes (UTF-8, terms sorted)
//     counts     Uint32 a term: chunks that hold it
//     ends       Uint32 a term, into postings
//     postings   per chunk: varint distance to the previous local number, one byte of term frequency
import type { Id } from '#shared/ids.ts'

export const MAGIC = 0x31474553
export const VERSION = 1
export const ID_LENGTH = 32
/** Sections of one field, in order. */
export const FIELD_SECTIONS = ['lengths', 'termEnds', 'termBytes', 'counts', 'ends', 'postings'] as const
export const FIELDS = ['stems', 'grams'] as const
export type FieldName = (typeof FIELDS)[number]
export const HEADER_WORDS = 3 + 2 * (1 + FIELDS.length * FIELD_SECTIONS.length)

const utf8 = new TextDecoder()
const ascii = new TextDecoder('latin1')

/** Bytes at the beginning of a segment that say which chunks are in it. */
export function headLength(chunkCount: number): number {
  return HEADER_WORDS * 4 + chunkCount * ID_LENGTH
}

/** The chunks of a segment, by local number. `head`: its first `headLength` bytes. */
export function chunkIdsOf(head: Uint8Array, chunkCount: number): Id<'chunks'>[] {
  const ids = ascii.decode(head.subarray(HEADER_WORDS * 4, headLength(chunkCount)))
  return Array.from({ length: chunkCount }, (_, local) => idAt(ids, local))
}

function idAt(ids: string, local: number): Id<'chunks'> {
  return ids.slice(local * ID_LENGTH, (local + 1) * ID_LENGTH) as Id<'chunks'>
}

export interface Segment {
  readonly chunkCount: number
  readonly sizeBytes: number
  readonly stems: SegmentField
  readonly grams: SegmentField
  chunkIdAt(local: number): Id<'chunks'>
}

/** @throws Error when the bytes are not a segment of this version */
export function openSegment(blob: Uint8Array): Segment {
  const bytes = blob.byteOffset % 4 === 0 ? blob : Uint8Array.from(blob)
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.min(HEADER_WORDS, Math.floor(bytes.length / 4)))
  if (header[0] !== MAGIC || header[1] !== VERSION) throw new Error('Not an index segment of this version.')
  const chunkCount = header[2] ?? 0
  let at = 3
  const section = () => {
    const offset = header[at++] ?? 0
    const length = header[at++] ?? 0
    return bytes.subarray(offset, offset + length)
  }
  const ids = section()
  const field = () => new SegmentField(chunkCount, section(), section(), section(), section(), section(), section())
  const stems = field()
  const grams = field()
  return {
    chunkCount,
    sizeBytes: bytes.length,
    stems,
    grams,
    chunkIdAt: (local) => ascii.decode(ids.subarray(local * ID_LENGTH, (local + 1) * ID_LENGTH)) as Id<'chunks'>,
  }
}

/** The dictionary and the postings of one field. Terms are known by their position in the dictionary. */
export class SegmentField {
  readonly termCount: number
  readonly lengths: Uint16Array
  readonly #termEnds: Uint32Array
  readonly #termBytes: Uint8Array
  readonly #counts: Uint32Array
  readonly #ends: Uint32Array
  readonly #postings: Uint8Array

  constructor(
    chunkCount: number,
    lengths: Uint8Array,
    termEnds: Uint8Array,
    termBytes: Uint8Array,
    counts: Uint8Array,
    ends: Uint8Array,
    postings: Uint8Array,
  ) {
    this.lengths = new Uint16Array(lengths.buffer, lengths.byteOffset, chunkCount)
    this.#termEnds = words(termEnds)
    this.#termBytes = termBytes
    this.#counts = words(counts)
    this.#ends = words(ends)
    this.#postings = postings
    this.termCount = this.#termEnds.length
  }

  /** Position of a term in the dictionary; -1 when it is not there. */
  find(term: string): number {
    let low = 0
    let high = this.termCount - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = this.termAt(middle)
      if (found === term) return middle
      if (found < term) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  /** At most `most` terms that begin with these letters, in dictionary order. */
  termsFrom(letters: string, most: number): string[] {
    let low = 0
    let high = this.termCount
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.termAt(middle) < letters) low = middle + 1
      else high = middle
    }
    const terms: string[] = []
    for (let at = low; at < this.termCount && terms.length < most; at++) {
      const term = this.termAt(at)
      if (!term.startsWith(letters)) break
      terms.push(term)
    }
    return terms
  }

  termAt(position: number): string {
    return utf8.decode(this.#termBytes.subarray(this.#termEnds[position - 1] ?? 0, this.#termEnds[position]))
  }

  /** Chunks that hold the term, deleted ones included. */
  countAt(position: number): number {
    return this.#counts[position] ?? 0
  }

  /** Calls back for each chunk that holds the term, by rising local number. */
  forEachPosting(position: number, visit: (local: number, frequency: number) => void): void {
    const bytes = this.#postings
    const end = this.#ends[position] ?? 0
    let at = this.#ends[position - 1] ?? 0
    let local = -1
    while (at < end) {
      let distance = 0
      let shift = 0
      let byte: number
      do {
        byte = bytes[at++] ?? 0
        distance |= (byte & 127) << shift
        shift += 7
      } while (byte & 128)
      local += distance + 1
      visit(local, bytes[at++] ?? 0)
    }
  }
}

/** Whether a local number is marked in a deleted bitmap. A bitmap may be shorter than the segment. */
export function isDeleted(deleted: Uint8Array, local: number): boolean {
  return ((deleted[local >>> 3] ?? 0) & (1 << (local & 7))) !== 0
}

/** Marks a local number in a deleted bitmap that is long enough. */
export function markDeleted(deleted: Uint8Array, local: number): void {
  deleted[local >>> 3] = (deleted[local >>> 3] ?? 0) | (1 << (local & 7))
}

/** A bitmap for `chunkCount` chunks with none deleted. */
export function noneDeleted(chunkCount: number): Uint8Array {
  return new Uint8Array(Math.ceil(chunkCount / 8))
}

function words(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
}
