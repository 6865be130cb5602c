// Chunks → one segment. Expensive for many chunks: see segment-builder.ts for building off the main thread.
import { gramsOf } from '../analysis/grams.ts'
import { termsOf } from '../analysis/terms.ts'
import { wordsOf } from '../analysis/words.ts'
import type { IndexedChunk } from '../retrieval.ts'
import { FieldWriter, writeSegment } from './segment-writer.ts'

/** What one token of a title, a heading or a further wording adds to the frequency of its term; to the length it adds 1. */
const LABEL_WEIGHT = 2

/** One segment of these chunks, numbered in the given order. */
export function buildSegment(chunks: IndexedChunk[]): Uint8Array {
  const stems = new FieldBuilder()
  const pieces = new FieldBuilder()
  for (const chunk of chunks) {
    const labels = [chunk.title, ...chunk.headingPath, ...chunk.alsoAskedAs].join('\n')
    const words = { labels: wordsOf(labels), body: wordsOf(chunk.body) }
    // Further forms of a word make a text no longer.
    stems.add(termsOf(labels), termsOf(chunk.body), words.labels.length + words.body.length)
    const grams = { labels: words.labels.flatMap(gramsOf), body: words.body.flatMap(gramsOf) }
    pieces.add(grams.labels, grams.body, grams.labels.length + grams.body.length)
  }
  return writeSegment(
    chunks.map((chunk) => chunk.id),
    { stems: stems.finish(), grams: pieces.finish() },
  )
}

class FieldBuilder {
  readonly #lengths: number[] = []
  /** Term → local number and frequency in turns. */
  readonly #postings = new Map<string, number[]>()

  add(labels: string[], body: string[], length: number): void {
    const local = this.#lengths.push(length) - 1
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
