// Writes segments: the byte layout described in segment.ts.
import { FIELD_SECTIONS, FIELDS, type FieldName, HEADER_WORDS, ID_LENGTH, MAGIC, VERSION } from './segment.ts'

const MAX_LENGTH = 65_535
const MAX_FREQUENCY = 255

/** Takes the terms of one field in sorted order, each with its chunks by rising local number. */
export class FieldWriter {
  readonly #lengths: Uint16Array
  readonly #termEnds = new Bytes()
  readonly #termBytes = new Bytes()
  readonly #counts = new Bytes()
  readonly #ends = new Bytes()
  readonly #postings = new Bytes()
  #count = 0
  #last = -1

  constructor(lengths: ArrayLike<number>) {
    this.#lengths = Uint16Array.from(lengths, (length) => Math.min(length, MAX_LENGTH))
  }

  addPosting(local: number, frequency: number): void {
    let distance = local - this.#last - 1
    while (distance > 127) {
      this.#postings.byte((distance & 127) | 128)
      distance >>>= 7
    }
    this.#postings.byte(distance)
    this.#postings.byte(Math.min(frequency, MAX_FREQUENCY))
    this.#last = local
    this.#count++
  }

  /** Ends the postings added since the last call: they belong to this term. A term without postings is left out. */
  endTerm(term: string): void {
    if (this.#count === 0) return
    this.#termBytes.bytes(Buffer.from(term))
    this.#termEnds.word(this.#termBytes.length)
    this.#counts.word(this.#count)
    this.#ends.word(this.#postings.length)
    this.#count = 0
    this.#last = -1
  }

  /** In the order of FIELD_SECTIONS. */
  sections(): Uint8Array[] {
    const lengths = new Uint8Array(this.#lengths.buffer)
    return [
      lengths,
      ...[this.#termEnds, this.#termBytes, this.#counts, this.#ends, this.#postings].map((b) => b.take()),
    ]
  }
}

/** Joins the fields to one blob. */
export function writeSegment(chunkIds: string[], fields: Record<FieldName, FieldWriter>): Uint8Array {
  const ids = new Uint8Array(chunkIds.length * ID_LENGTH)
  for (const [local, id] of chunkIds.entries())
    ids.set(Buffer.from(id, 'latin1').subarray(0, ID_LENGTH), local * ID_LENGTH)
  const sections = [ids, ...FIELDS.flatMap((name) => fields[name].sections())]
  if (sections.length !== 1 + FIELDS.length * FIELD_SECTIONS.length) throw new Error('A section is missing.')

  const header = new Uint32Array(HEADER_WORDS)
  header.set([MAGIC, VERSION, chunkIds.length])
  let offset = header.byteLength
  for (const [index, section] of sections.entries()) {
    header.set([offset, section.length], 3 + 2 * index)
    offset += align(section.length)
  }
  const blob = new Uint8Array(offset)
  blob.set(new Uint8Array(header.buffer))
  for (const [index, section] of sections.entries()) blob.set(section, header[3 + 2 * index])
  return blob
}

/** A byte array that grows. */
class Bytes {
  length = 0
  #buffer = new Uint8Array(1024)

  byte(value: number): void {
    this.#reserve(1)
    this.#buffer[this.length++] = value
  }
  bytes(values: Uint8Array): void {
    this.#reserve(values.length)
    this.#buffer.set(values, this.length)
    this.length += values.length
  }
  /** Little-endian, as the typed arrays of every machine that Node runs on. */
  word(value: number): void {
    this.#reserve(4)
    new DataView(this.#buffer.buffer).setUint32(this.length, value, true)
    this.length += 4
  }
  take(): Uint8Array {
    return this.#buffer.subarray(0, this.length)
  }
  #reserve(count: number): void {
    if (this.length + count <= this.#buffer.length) return
    const grown = new Uint8Array(Math.max(this.#buffer.length * 2, this.length + count))
    grown.set(this.#buffer.subarray(0, this.length))
    this.#buffer = grown
  }
}

function align(length: number): number {
  return (length + 3) & ~3
}
