// What one search looks into: the open segments of the searched spaces, with the sums over what is not deleted.
import { type FieldName, isDeleted, markDeleted, noneDeleted, type Segment } from './segment.ts'
import { SoundLookup } from './sound-lookup.ts'
import { bySimilarity, type SimilarTerm, TrigramLookup } from './trigram-lookup.ts'

/** An open segment. Shared by all searches; the lookups are made when first needed. */
export class OpenSegment {
  readonly segment: Segment
  #lookup: TrigramLookup | undefined
  #sounds: SoundLookup | undefined

  constructor(segment: Segment) {
    this.segment = segment
  }

  get lookup(): TrigramLookup {
    this.#lookup ??= new TrigramLookup(this.segment.stems)
    return this.#lookup
  }

  get sounds(): SoundLookup {
    this.#sounds ??= new SoundLookup(this.segment.stems)
    return this.#sounds
  }
}

/** A segment as one state of its space sees it. */
export class IndexPart {
  readonly open: OpenSegment
  readonly deleted: Uint8Array
  readonly liveCount: number
  /** Sum of the lengths of live chunks. */
  readonly liveLength: Record<FieldName, number>

  constructor(open: OpenSegment, deleted: Uint8Array) {
    const { segment } = open
    this.open = open
    this.deleted = deleted
    let liveCount = 0
    const liveLength = { stems: 0, grams: 0 }
    for (let local = 0; local < segment.chunkCount; local++) {
      if (isDeleted(deleted, local)) continue
      liveCount++
      liveLength.stems += segment.stems.lengths[local] ?? 0
      liveLength.grams += segment.grams.lengths[local] ?? 0
    }
    this.liveCount = liveCount
    this.liveLength = liveLength
  }
}

/** A part without some chunks; itself when it holds none of them. */
export function partWithout(part: IndexPart, locals: Iterable<number>): IndexPart {
  const { open } = part
  const deleted = noneDeleted(open.segment.chunkCount)
  deleted.set(part.deleted.subarray(0, deleted.length))
  let isSame = true
  for (const local of locals) {
    markDeleted(deleted, local)
    isSame = false
  }
  return isSame ? part : new IndexPart(open, deleted)
}

/** The parts together, as one index. */
export class SearchedIndex {
  readonly parts: readonly IndexPart[]
  readonly chunkCount: number

  constructor(parts: readonly IndexPart[]) {
    this.parts = parts
    this.chunkCount = parts.reduce((sum, part) => sum + part.liveCount, 0)
  }

  /** The same index without some chunks, given by part and local number. */
  without(places: Iterable<{ part: number; local: number }>): SearchedIndex {
    const byPart = Map.groupBy(places, ({ part }) => part)
    return new SearchedIndex(
      this.parts.map((part, number) =>
        partWithout(
          part,
          (byPart.get(number) ?? []).map(({ local }) => local),
        ),
      ),
    )
  }

  averageLength(field: FieldName): number {
    const sum = this.parts.reduce((total, part) => total + part.liveLength[field], 0)
    return this.chunkCount === 0 ? 0 : sum / this.chunkCount
  }

  /** Whether a chunk that is not deleted holds it: what a question means does not depend on when the index was tidied. */
  hasStem(term: string): boolean {
    return this.parts.some((part) => holdsAlive(part, term))
  }

  /** Chunks that hold the stem; those deleted since the last merge are still counted. */
  countOfStem(term: string): number {
    return this.parts.reduce((sum, { open }) => {
      const position = open.segment.stems.find(term)
      return position < 0 ? sum : sum + open.segment.stems.countAt(position)
    }, 0)
  }

  /** Stems that resemble a word, best first. */
  similarStems(word: string, least: number, most: number): SimilarTerm[] {
    const found = new Map<string, SimilarTerm>()
    for (const part of this.parts) {
      for (const similar of part.open.lookup.similar(word, least, most)) found.set(similar.term, similar)
    }
    return [...found.values()]
      .filter(({ term }) => this.hasStem(term))
      .sort(bySimilarity)
      .slice(0, most)
  }

  stemsFrom(letters: string, most: number): string[] {
    const found = new Set(this.parts.flatMap((part) => part.open.segment.stems.termsFrom(letters, most)))
    return [...found]
      .filter((term) => this.hasStem(term))
      .sort()
      .slice(0, most)
  }

  stemsSoundingLike(word: string, isHalf = false): string[] {
    return [...new Set(this.parts.flatMap((part) => part.open.sounds.soundingLike(word, isHalf)))]
      .filter((term) => this.hasStem(term))
      .sort()
  }
}

function holdsAlive({ open: { segment }, deleted, liveCount }: IndexPart, term: string): boolean {
  const position = segment.stems.find(term)
  if (position < 0) return false
  if (segment.stems.countAt(position) > segment.chunkCount - liveCount) return true
  let isAlive = false
  segment.stems.forEachPosting(position, (local) => {
    isAlive ||= !isDeleted(deleted, local)
  })
  return isAlive
}
