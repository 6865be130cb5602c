// Similarity of two texts by the stems of their words. Numbers are compared separately: a price makes all the difference.
import { isStopWord, stemOf, wordsOf } from '#server/integrations/llm/words.ts'

const NUMBER = /\p{N}/u

/** A text prepared for comparison. */
export type Likeness = { stems: Set<string>; numbers: string[] }

/** What a text is compared by. */
export function likenessOf(text: string): Likeness {
  const words = wordsOf(text)
  const numbers = words.filter((word) => NUMBER.test(word))
  const telling = words.filter((word) => !NUMBER.test(word) && !isStopWord(word))
  return { stems: new Set(telling.map(stemOf)), numbers }
}

/** From 0 to 1: the part of the smaller text's words that the other one has too. */
export function sharedBySmaller(a: Likeness, b: Likeness): number {
  const smaller = Math.min(a.stems.size, b.stems.size)
  return smaller === 0 ? 0 : common(a, b) / smaller
}

/** From 0 to 1: the part of all words that both have. */
export function sharedByBoth(a: Likeness, b: Likeness): number {
  const shared = common(a, b)
  const all = a.stems.size + b.stems.size - shared
  return all === 0 ? 0 : shared / all
}

/** Whether the second contains each number of the first. */
export function hasNumbersOf(a: Likeness, b: Likeness): boolean {
  return a.numbers.every((number) => b.numbers.includes(number))
}

function common(a: Likeness, b: Likeness): number {
  let shared = 0
  for (const stem of a.stems) if (b.stems.has(stem)) shared += 1
  return shared
}
