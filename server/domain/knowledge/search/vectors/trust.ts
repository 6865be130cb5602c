// How far an embedding model is to be trusted in a space: asked with a few words of a passage, does it find the passage among others? A model
// that does not know the language or the names of a space fails at that, and no question of a customer is needed to see it. See docs/internals/search.md.
import { VectorBlock } from './vector-block.ts'

/** A few words that one passage alone holds. `at`: its position. */
export type TrustQuestion = { at: number; text: string }

/** Passages among which one is looked for; in all spaces alike, or large ones would seem to have a worse model. */
export const TRUST_CHUNKS = 1_000
/** Among fewer of them anything is found by chance. */
const LEAST_CHUNKS = 20
const QUESTIONS = 64
const LEAST_QUESTIONS = 16
const WORDS = 4
/** Spreads the places in the texts from which words are taken. */
const STRIDE = 7_919

/** The same bodies always give the same questions; none where there are too few to measure anything. */
export function trustQuestions(bodies: string[]): TrustQuestion[] {
  if (bodies.length < LEAST_CHUNKS) return []
  const questions = Array.from({ length: QUESTIONS }, (_, number) => {
    const at = bodies.length > QUESTIONS ? Math.floor((number * bodies.length) / QUESTIONS) : number % bodies.length
    return { at, text: wordsOf(bodies[at] ?? '', number) }
  })
  const unique = questions.filter(
    ({ text }) => text !== '' && bodies.filter((body) => body.includes(text)).length === 1,
  )
  return unique.length < LEAST_QUESTIONS ? [] : unique
}

/** A run of consecutive words of the text. */
function wordsOf(body: string, number: number): string {
  const words = [...body.matchAll(/\S+/g)]
  const from = (number * STRIDE) % Math.max(1, words.length - WORDS + 1)
  const [first, last] = [words[from], words[from + WORDS - 1]]
  return first && last ? body.slice(first.index, last.index + last[0].length) : ''
}

/**
 * Mean reciprocal rank of the passage that each question comes from, less what chance gives: 1 where it is always the nearest, 0 for
 * vectors without any knowledge.
 *
 * @param vectors by position
 * @param asked null: the model rejects the question
 */
export function trustOf(vectors: Int8Array[], asked: { at: number; vector: Float32Array | null }[]): number | null {
  const dimensions = vectors.find(({ length }) => length > 0)?.length ?? 0
  const taken = asked.flatMap(({ at, vector }) => (vector?.length === dimensions ? [{ at, vector }] : []))
  if (taken.length < LEAST_QUESTIONS) return null
  const block = new VectorBlock(dimensions, vectors.length)
  for (const vector of vectors) block.add(vector.length === dimensions ? vector : new Int8Array(dimensions))
  const worths = taken.map(({ at, vector }) => {
    return 1 / (block.nearest(vector, vectors.length).findIndex((near) => near.at === at) + 1)
  })
  const mean = worths.reduce((sum, worth) => sum + worth, 0) / worths.length
  const chance = vectors.reduce((sum, _, at) => sum + 1 / (at + 1), 0) / vectors.length
  return Math.max(0, (mean - chance) / (1 - chance))
}
