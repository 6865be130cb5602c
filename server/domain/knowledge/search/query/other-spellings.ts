// What a word of a question may be called in the index where it is written otherwise: in the other alphabet, on the other keyboard layout, by its
// sound, in one piece or in two.

import { editDistance } from '#server/platform/lib/text/word-distance.ts'
import { soundOf } from '#server/platform/lib/text/word-sounds.ts'
import { inEitherAlphabet, lookAlikesOf } from '../analysis/look-alikes.ts'
import { otherAlphabet, otherKeyboard, otherVowels } from '../analysis/spellings.ts'
import { stem } from '../analysis/stem.ts'
import { isStopWord } from '../analysis/stop-words.ts'
import type { Dictionary, QueryGroup } from './dictionary.ts'

const SPELLING_WEIGHT = 0.9
const SOUND_WEIGHT = 0.7
const NEAR_SPELLING = { least: 0.4, most: 3, distance: 2, weight: 0.5 }
/** Each half of a word that the index has in two. */
const HALF_WEIGHT = 0.45
const HALF_LEAST = 2
/** Letters of a half that is surely a word. */
const WORD_LEAST = 4
/** Of halves that are known by their sounds. */
const CONSONANTS = { longer: 3, both: 5 }
/** Of a word whose halves are found as well. */
const BESIDE_HALVES = 0.5
const JOINED_MOST = 30
/** Pieces that may make one word. */
const PIECES = [2, 3]
/** With a little word in it a joined one must be long to be known by its sound. */
const HEARD_WITH_STOP_WORD = 10

/** Terms for a word that the dictionary knows in no form like it; the surest way that leads to any. */
export function otherSpellings(word: string, dictionary: Dictionary): Map<string, number> {
  const terms = new Map<string, number>()
  const spellings = [...otherAlphabet(word), otherKeyboard(word)].map(stem)
  const exact = [...otherVowels(word).map(stem), ...spellings].find((term) => dictionary.hasStem(term))
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

/** The same for a code of two characters, such as `3д` or `5л`: nothing is like it but its other alphabet and its halves. */
export function otherShortCodes(word: string, dictionary: Dictionary): Map<string, number> {
  const exact = otherAlphabet(word)
    .map(stem)
    .find((term) => dictionary.hasStem(term))
  if (exact !== undefined) return new Map([[exact, SPELLING_WEIGHT]])
  return new Map(halvesOf(word, dictionary).map((term) => [term, HALF_WEIGHT]))
}

/** A word that a question has in two pieces. `halves`: those of them that the index does not have, which then mean nothing by themselves. */
export type JoinedGroup = QueryGroup & { halves: string[] }

/** Words that stand next to each other in a question and in one piece in the index: `check in`, `вай фай`, `SH 1002`, `end to end`. */
export function joinedGroups(words: string[], dictionary: Dictionary): JoinedGroup[] {
  return words.flatMap((_, at) =>
    PIECES.flatMap((count) => {
      const pieces = words.slice(at, at + count)
      return pieces.length === count && canBeOne(pieces) ? joinedGroup(pieces, dictionary) : []
    }),
  )
}

function joinedGroup(pieces: string[], dictionary: Dictionary): JoinedGroup[] {
  const word = pieces.join('')
  const halves = pieces.filter((piece) => !dictionary.hasStem(stem(piece)))
  const isLong = word.length >= HEARD_WITH_STOP_WORD || !pieces.some(isStopWord)
  const terms = joinedTerms(pieces, halves.length > 0 && isLong, dictionary)
  return terms.size === 0 ? [] : [{ word, queryWeight: halves.length > 0 ? 1 : BESIDE_HALVES, terms, halves }]
}

function joinedTerms(pieces: string[], mayBeHeard: boolean, dictionary: Dictionary): Map<string, number> {
  const joined = pieces.join('')
  const areSides = pieces.every((piece) => /\p{N}/u.test(piece))
  const written = areSides ? [joined, pieces.join('x')] : [joined]
  const exact = written
    .flatMap((word) => [word, ...lookAlikesOf(word)].map(stem))
    .filter((term) => dictionary.hasStem(term))
  if (exact.length > 0) return new Map(exact.map((term) => [term, 1]))
  return new Map(mayBeHeard ? dictionary.stemsSoundingLike(joined).map((term) => [term, SOUND_WEIGHT]) : [])
}

/** A Russian word in pieces consists of no little words, but a code may: `а 4`, and not `на сколько`, which means no more than its parts. */
function canBeOne(pieces: string[]): boolean {
  const [first = '', second = ''] = pieces
  if (pieces.length === 2 && first.length === 1 && /^\p{N}+$/u.test(second)) return true
  const stops = pieces.filter(isStopWord).length
  return pieces.join('').length <= JOINED_MOST && stops < (pieces.every(isLatin) ? 2 : 1)
}

function addNear(terms: Map<string, number>, term: string, dictionary: Dictionary): void {
  const { least, most, distance, weight } = NEAR_SPELLING
  for (const { term: candidate } of dictionary.similarStems(term, least, most)) {
    if (editDistance(term, candidate) <= distance) terms.set(candidate, weight)
  }
}

/**
 * A code's letters and digits, or two words that the index has, in either alphabet: `SH1002` for «SH 1002», `шведскийстол` for «шведский
 * стол», `румсервис` for “room service”.
 */
function halvesOf(word: string, dictionary: Dictionary): string[] {
  const sides = /^\p{N}+(?:[xх]\p{N}+)+$/u.test(word) ? word.split(/[xх]/) : []
  if (sides.length > 0 && sides.every((side) => dictionary.hasStem(side))) return sides
  const border = /^(\p{L}+)(\p{N}+)$|^(\p{N}+)(\p{L}+)$/u.exec(word)
  const cuts = border ? [(border[1] ?? border[3] ?? '').length] : /\p{N}/u.test(word) ? [] : innerCuts(word)
  const pairs = cuts.map((cut) => [word.slice(0, cut), word.slice(cut)] as const)
  for (const pair of pairs.filter((halves) => isLatin(word) || border !== null || areWords(halves))) {
    const terms = pair.map((half) => (border ? knownForm(half, dictionary) : stem(half)))
    if (terms.every((term) => dictionary.hasStem(term))) return terms
  }
  if (border) return []
  for (const pair of pairs.filter(areDistinct)) {
    const terms = pair.map((half) => dictionary.stemsSoundingLike(half, true))
    if (terms.every((found) => found.length > 0)) return terms.flat()
  }
  return []
}

/** The letters before or behind a number in the alphabet in which the index has them. */
function knownForm(half: string, dictionary: Dictionary): string {
  const forms = [half, ...inEitherAlphabet(half), ...otherAlphabet(half)].map(stem)
  return forms.find((term) => dictionary.hasStem(term)) ?? stem(half)
}

/** Russian is full of syllables that are words as well. */
function areWords(halves: readonly string[]): boolean {
  return halves.some((half) => half.length >= WORD_LEAST) && !halves.some(isStopWord)
}

/** Whether two halves have consonants enough to be known by their sounds: of few there is always some other word. */
function areDistinct(halves: readonly string[]): boolean {
  const counts = halves.map((half) => soundOf(half, 1)?.key.replace('-', '').length ?? 0)
  return (
    Math.min(...counts) > 0 &&
    Math.max(...counts) >= CONSONANTS.longer &&
    Math.min(...counts) + Math.max(...counts) >= CONSONANTS.both
  )
}

function isLatin(word: string): boolean {
  return /^[a-z]+$/.test(word)
}

function innerCuts(word: string): number[] {
  const count = Math.max(0, word.length - 2 * HALF_LEAST + 1)
  return Array.from({ length: count }, (_, at) => word.length - HALF_LEAST - at)
}
