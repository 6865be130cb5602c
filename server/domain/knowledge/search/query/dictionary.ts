// The terms of an index as a query sees them, and the terms that a word of it stands for.
import type { SimilarTerm } from '../index/trigram-lookup.ts'

export type Dictionary = {
  hasStem(term: string): boolean
  similarStems(word: string, least: number, most: number): SimilarTerm[]
  /** At most `most` terms that begin with these letters, in alphabetical order. */
  stemsFrom(letters: string, most: number): string[]
  /** Terms of the other alphabet that sound like a word; `isHalf`: just like half of one, which may be of a single consonant. */
  stemsSoundingLike(word: string, isHalf?: boolean): string[]
}

export type QueryGroup = {
  /** The normalised word of the question. */
  word: string
  /** The weight of the word in the query. */
  queryWeight: number
  /** Dictionary term → how surely it is meant. */
  terms: Map<string, number>
}
