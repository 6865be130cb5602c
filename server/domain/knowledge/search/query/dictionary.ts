// The terms of an index as a question sees them, and what a word of it stands for.
import type { SimilarTerm } from '../index/trigram-lookup.ts'

export type Dictionary = {
  hasStem(term: string): boolean
  similarStems(word: string, least: number, most: number): SimilarTerm[]
  /** Terms that begin with these letters, by alphabet, at most so many. */
  stemsFrom(letters: string, most: number): string[]
  /** Terms of the other alphabet that sound like a word. */
  stemsSoundingLike(word: string): string[]
}

export type QueryGroup = {
  /** The normalised word of the question. */
  word: string
  /** How much the word says of what is asked. */
  queryWeight: number
  /** Dictionary term → how surely it is meant. */
  terms: Map<string, number>
}
