// What a word of a question may be called in the index where it is written otherwise: in the other alphabet, on the other keyboard layout, by its
// sound, in one piece or in two.

import { editDistance } from '#server/platform/lib/text/word-distance.ts'
import { otherAlphabet, otherKeyboard } from '../analysis/spellings.ts'
import { stem } from '../analysis/stem.ts'
import { isStopWord } from '../analysis/stop-words.ts'
import type { Dictionary, QueryGroup } from './dictionary.ts'

const SPELLING_WEIGHT = 0.9
const SOUND_WEIGHT = 0.7
const NEAR_SPELLING = { least: 0.4, most: 3, distance: 2, weight: 0.5 }
/** Each half of a word that the index has in two. */
const HALF_WEIGHT = 0.45
const HALF_LEAST = 2
/** Two Cyrillic letters are a word of the index by chance more often. */
const CYRILLIC_HALF_LEAST = 3
/** Of a word whose halves are found as well. */
const BESIDE_HALVES = 0.5
const JOINED_MOST = 24

/** Terms for a word that the dictionary knows in no form like it; the surest way that leads to any. */
export function otherSpellings(word: string, dictionary: Dictionary): Map<string, number> {
  const terms = new Map<string, number>()
  const spellings = [...otherAlphabet(word), otherKeyboard(word)].map(stem)
  const exact = spellings.find((term) => dictionary.hasStem(term))
  if (exact !== undefined) return terms.set(exact, SPELLING_WEIGHT)
  for (const term of dictionary.stemsSoundingLike(word)) terms.set(term, SOUND_WEIGHT)
  if (terms.size > 0) return terms
  for (const term of halvesOf(word, dictionary)) terms.set(term, HALF_WEIGHT)
  if (terms.size > 0) return terms
  for (const term of spellings) {
    addNear(terms, term, dictionary)
    if (terms.size > 0) break
  }
  return terms
}

/** A word that a question has in two pieces. `halves`: those of them that the index does not have, which then mean nothing by themselves. */
export type JoinedGroup = QueryGroup & { halves: string[] }

/** Words that stand next to each other in a question and in one piece in the index: `check in`, `вай фай`, `SH 1002`. */
export function joinedGroups(words: string[], dictionary: Dictionary): JoinedGroup[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1]
    if (next === undefined || !canBeOne(word, next)) return []
    const halves = [word, next].filter((half) => !dictionary.hasStem(stem(half)))
    const terms = joinedTerms(word + next, halves.length > 0 && !isStopWord(word) && !isStopWord(next), dictionary)
    return terms.size === 0
      ? []
      : [{ word: word + next, queryWeight: halves.length > 0 ? 1 : BESIDE_HALVES, terms, halves }]
  })
}

function joinedTerms(joined: string, mayBeHeard: boolean, dictionary: Dictionary): Map<string, number> {
  const exact = stem(joined)
  if (dictionary.hasStem(exact)) return new Map([[exact, 1]])
  return new Map(mayBeHeard ? dictionary.stemsSoundingLike(joined).map((term) => [term, SOUND_WEIGHT]) : [])
}

/** A Russian word in two pieces consists of no little words: `на сколько` means no more than its parts. */
function canBeOne(word: string, next: string): boolean {
  const stops = [word, next].filter(isStopWord).length
  return word.length + next.length <= JOINED_MOST && stops < (isLatin(word) && isLatin(next) ? 2 : 1)
}

function addNear(terms: Map<string, number>, term: string, dictionary: Dictionary): void {
  const { least, most, distance, weight } = NEAR_SPELLING
  for (const { term: candidate } of dictionary.similarStems(term, least, most)) {
    if (editDistance(term, candidate) <= distance) terms.set(candidate, weight)
  }
}

/** A code's letters and digits, or two words that the index has: `SH1002` for «SH 1002», `checkin` for “check in”, «шведскийстол». */
function halvesOf(word: string, dictionary: Dictionary): string[] {
  const border = /^(\p{L}+)(\p{N}+)$|^(\p{N}+)(\p{L}+)$/u.exec(word)
  const cuts = border ? [(border[1] ?? border[3] ?? '').length] : innerCuts(word)
  for (const cut of cuts) {
    const halves = [word.slice(0, cut), word.slice(cut)]
    if (!isLatin(word) && halves.some(isStopWord)) continue
    const stems = halves.map(stem)
    if (stems.every((half) => dictionary.hasStem(half))) return stems
  }
  return []
}

function isLatin(word: string): boolean {
  return /^[a-z]+$/.test(word)
}

/** Where a word of one alphabet may end and another begin, the last place first. */
function innerCuts(word: string): number[] {
  const least = isLatin(word) ? HALF_LEAST : CYRILLIC_HALF_LEAST
  if (!isLatin(word) && !/^[а-я]+$/.test(word)) return []
  const count = Math.max(0, word.length - 2 * least + 1)
  return Array.from({ length: count }, (_, at) => word.length - least - at)
}
