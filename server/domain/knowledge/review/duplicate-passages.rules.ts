// Which passages of a space are duplicates, and which sentences agree except for their figures. No model is used. Each passage is compared
// only with candidates from MinHash: the work grows with the number of passages, not with its square.
import { createHash } from 'node:crypto'
import { sentencesOf } from '#server/integrations/llm/sentences.ts'
import type { PairKind, PairSide } from '#shared/knowledge/review.ts'
import { type Likeness, likenessOf, sharedByBoth } from './likeness.rules.ts'

/** A passage as compared. */
export type ComparedChunk = Omit<PairSide, 'text'> & { headingPath: string[]; body: string }
export type FoundPair = { kind: PairKind; key: string; first: PairSide; second: PairSide }

/** Two passages with this part of all their words in common, and the same numbers, say the same. */
const SAME_PASSAGE = 0.9
/** Two sentences with this part of their words and headings in common are about the same. */
const SAME_FRAME = 0.75
/** Distinct words below which a passage, or a sentence, says too little to be compared. */
const PASSAGE_WORDS = 8
const SENTENCE_WORDS = 3
const PAIRS_KEPT = 200
const TEXT_KEPT = 600

/** `pause` is awaited after each passage, so that the caller can yield to other work. */
export async function findPairs(chunks: ComparedChunk[], pause: () => Promise<unknown>): Promise<FoundPair[]> {
  const duplicates = new Pairing('duplicate', { share: SAME_PASSAGE, bands: 6, rows: 4 }, haveSameNumbers)
  const contradictions = new Pairing('contradiction', { share: SAME_FRAME, bands: 8, rows: 2 }, haveOtherNumbers)
  for (const chunk of chunks) {
    await pause()
    const whole = likenessOf(joinThousands(chunk.body))
    if (whole.stems.size >= PASSAGE_WORDS) duplicates.add({ chunk, text: chunk.body, likeness: whole })
    for (const sentence of statementsOf(chunk)) contradictions.add(sentence)
  }
  return [...contradictions.found, ...duplicates.found]
}

type Item = { chunk: ComparedChunk; text: string; likeness: Likeness }

/** Sentences with figures, each with the headings above it. */
function statementsOf(chunk: ComparedChunk): Item[] {
  return sentencesOf(chunk.body).flatMap(({ text, heading, isHeading }) => {
    const likeness = likenessOf(joinThousands(text))
    if (isHeading || likeness.numbers.length === 0 || likeness.stems.size < SENTENCE_WORDS) return []
    const above = likenessOf([...chunk.headingPath, heading].join(' ')).stems
    return [{ chunk, text, likeness: { stems: new Set([...likeness.stems, ...above]), numbers: likeness.numbers } }]
  })
}

/** "1 500" and "1500" are one number. */
function joinThousands(text: string): string {
  return text.replace(/(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, '')
}

function haveSameNumbers(a: Likeness, b: Likeness): boolean {
  return a.numbers.join(' ') === b.numbers.join(' ')
}

/** Each has a number that the other lacks: a sentence with additional numbers only contradicts nothing. */
function haveOtherNumbers(a: Likeness, b: Likeness): boolean {
  const lacks = (one: Likeness, other: Likeness) => one.numbers.some((number) => !other.numbers.includes(number))
  return lacks(a, b) && lacks(b, a)
}

/** Items of one bucket that are compared: a sentence that occurs everywhere proves nothing. */
const BUCKET_MAX = 20

/** How near two items have to be: compared where all `rows` of one of the `bands` of their hashes are the same. */
type Nearness = { share: number; bands: number; rows: number }

/** Pairs each item with the first before it that is like it and comes from another source. */
class Pairing {
  readonly found: FoundPair[] = []
  /** By band: items by the hash of its rows. */
  readonly #buckets: Map<number, Item[]>[]
  readonly #kind: PairKind
  readonly #nearness: Nearness
  readonly #isPair: (a: Likeness, b: Likeness) => boolean

  constructor(kind: PairKind, nearness: Nearness, isPair: (a: Likeness, b: Likeness) => boolean) {
    this.#kind = kind
    this.#nearness = nearness
    this.#isPair = isPair
    this.#buckets = Array.from({ length: nearness.bands }, () => new Map<number, Item[]>())
  }

  add(item: Item): void {
    if (this.found.length >= PAIRS_KEPT) return
    const { bands, rows } = this.#nearness
    const signature = minHash(item.likeness.stems, bands * rows)
    const near = new Set<Item>()
    for (const [band, buckets] of this.#buckets.entries()) {
      const key = signature.subarray(band * rows, (band + 1) * rows).reduce(mix, band)
      const bucket = buckets.get(key)
      for (const other of bucket ?? []) near.add(other)
      if (!bucket) buckets.set(key, [item])
      else if (bucket.length < BUCKET_MAX) bucket.push(item)
    }
    const partner = [...near].find((other) => this.#isLike(item, other))
    if (partner) this.found.push(pairOf(this.#kind, partner, item))
  }

  #isLike({ chunk, likeness }: Item, other: Item): boolean {
    if (chunk.documentId === other.chunk.documentId) return false
    return this.#isPair(likeness, other.likeness) && sharedByBoth(likeness, other.likeness) >= this.#nearness.share
  }
}

function pairOf(kind: PairKind, first: Item, second: Item): FoundPair {
  const texts = [first.text, second.text].sort()
  const key = createHash('sha256')
    .update(JSON.stringify([kind, ...texts]))
    .digest('hex')
    .slice(0, 32)
  return { kind, key, first: sideOf(first), second: sideOf(second) }
}

function sideOf({ chunk: { chunkId, kind, documentId, name }, text }: Item): PairSide {
  return { chunkId, kind, documentId, name, text: text.slice(0, TEXT_KEPT).toWellFormed() }
}

/** For each of several hash functions the least value of any word: two sets share one as often as they share words. */
function minHash(stems: Set<string>, count: number): Uint32Array {
  const least = new Uint32Array(count).fill(0xffffffff)
  for (const stem of stems) {
    let hash = 0x811c9dc5
    for (let at = 0; at < stem.length; at++) hash = Math.imul(hash ^ stem.charCodeAt(at), 0x01000193)
    for (let index = 0; index < count; index++) {
      const value = mix(hash, index)
      if (value < (least[index] ?? 0)) least[index] = value
    }
  }
  return least
}

/** Two numbers as one of 32 bits that looks random. */
function mix(one: number, other: number): number {
  let mixed = Math.imul(one ^ Math.imul(other + 1, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
