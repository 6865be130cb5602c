// Chunks → one segment. Heavy for many chunks: see segment-builder.ts for the way beside the main thread.
import { gramsOf } from '../analysis/grams.ts'
import { stem } from '../analysis/stem.ts'
import { wordsOf } from '../analysis/words.ts'
import type { IndexedChunk } from '../retrieval.ts'
import { FieldWriter, writeSegment } from './segment-writer.ts'

/** What one token of a title, a heading or a further wording adds to the frequency of its term; to the length it adds 1. */
const LABEL_WEIGHT = 2

/** One segment of these chunks, numbered in the given order. */
export function buildSegment(chunks: IndexedChunk[]): Uint8Array {
  const stems = new FieldBuilder()
  const grams = new FieldBuilder()
  for (const chunk of chunks) {
    const labels = wordsOf([chunk.title, ...chunk.headingPath, ...chunk.alsoAskedAs].join('\n'))
    const body = wordsOf(chunk.body)
    stems.add(labels.map(stem), body.map(stem))
    grams.add(labels.flatMap(gramsOf), body.flatMap(gramsOf))
  }
  return writeSegment(
    chunks.map((chunk) => chunk.id),
    { stems: stems.finish(), grams: grams.finish() },
  )
}

class FieldBuilder {
  readonly #lengths: number[] = []
  /** Term → local number and frequency in turns. */
  readonly #postings = new Map<string, number[]>()

  add(labels: string[], body: string[]): void {
    const local = this.#lengths.push(labels.length + body.length) - 1
    const frequencies = new Map<string, number>()
    for (const term of labels) frequencies.set(term, (frequencies.get(term) ?? 0) + LABEL_WEIGHT)
    for (const term of body) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
    for (const [term, frequency] of frequencies) {
      const postings = this.#postings.get(term)
      if (postings) postings.push(local, frequency)
      else this.#postings.set(term, [local, frequency])
    }
  }

  finish(): FieldWriter {
    const writer = new FieldWriter(this.#lengths)
    for (const term of [...this.#postings.keys()].sort()) {
      const postings = this.#postings.get(term) ?? []
      for (let at = 0; at < postings.length; at += 2) writer.addPosting(postings[at] ?? 0, postings[at + 1] ?? 0)
      writer.endTerm(term)
    }
    return writer
  }
}
