// Several segments → one, without reading the chunks again. Deleted chunks and terms that only they held are left out.
import type { StoredSegment } from '../retrieval.ts'
import { type FieldName, isDeleted, openSegment, type Segment } from './segment.ts'
import { FieldWriter, writeSegment } from './segment-writer.ts'

type Source = {
  segment: Segment
  /** Old local number → new one; -1 for a deleted chunk. */
  renumbered: Int32Array
}

/** One segment with the chunks of all, in the given order. */
export function mergeSegments(segments: StoredSegment[]): Uint8Array {
  const chunkIds: string[] = []
  const sources = segments.map(({ blob, deleted }): Source => {
    const segment = openSegment(blob)
    const renumbered = new Int32Array(segment.chunkCount).fill(-1)
    for (let local = 0; local < segment.chunkCount; local++) {
      if (!isDeleted(deleted, local)) renumbered[local] = chunkIds.push(segment.chunkIdAt(local)) - 1
    }
    return { segment, renumbered }
  })
  return writeSegment(chunkIds, {
    stems: mergeField(sources, 'stems', chunkIds.length),
    grams: mergeField(sources, 'grams', chunkIds.length),
  })
}

function mergeField(sources: Source[], name: FieldName, chunkCount: number): FieldWriter {
  const lengths = new Uint16Array(chunkCount)
  for (const { segment, renumbered } of sources) {
    for (const [local, renewed] of renumbered.entries()) {
      if (renewed >= 0) lengths[renewed] = segment[name].lengths[local] ?? 0
    }
  }
  const writer = new FieldWriter(lengths)
  const cursors = sources.map(({ segment, renumbered }) => new Cursor(segment, name, renumbered))
  for (;;) {
    const term = smallest(cursors)
    if (term === undefined) return writer
    for (const cursor of cursors) if (cursor.term === term) cursor.take(writer)
    writer.endTerm(term)
  }
}

function smallest(cursors: Cursor[]): string | undefined {
  let least: string | undefined
  for (const { term } of cursors) if (term !== undefined && (least === undefined || term < least)) least = term
  return least
}

/** Walks the dictionary of one segment. */
class Cursor {
  /** Undefined after the last. */
  term: string | undefined
  readonly #field: Segment[FieldName]
  readonly #renumbered: Int32Array
  #position = 0

  constructor(segment: Segment, name: FieldName, renumbered: Int32Array) {
    this.#field = segment[name]
    this.#renumbered = renumbered
    this.#read()
  }

  /** Writes the postings of the current term and advances to the next. */
  take(writer: FieldWriter): void {
    this.#field.forEachPosting(this.#position, (local, frequency) => {
      const renewed = this.#renumbered[local] ?? -1
      if (renewed >= 0) writer.addPosting(renewed, frequency)
    })
    this.#position++
    this.#read()
  }

  #read(): void {
    this.term = this.#position < this.#field.termCount ? this.#field.termAt(this.#position) : undefined
  }
}
