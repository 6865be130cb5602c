// Question → groups: each word stands for the dictionary terms it may mean, with weights. Pure, given a dictionary.
import { otherAlphabet, otherKeyboard } from '../analysis/spellings.ts'
import { isNumber, stem } from '../analysis/stem.ts'
import { isStopWord } from '../analysis/stop-words.ts'
import type { SimilarTerm } from '../index/trigram-lookup.ts'
import { commonPrefixLength, editDistance } from './distance.ts'

export type Dictionary = {
  hasStem(term: string): boolean
  similarStems(word: string, least: number, most: number): SimilarTerm[]
}

export type QueryGroup = {
  /** The normalised word of the question. */
  word: string
  /** How much the word says of what is asked. */
  queryWeight: number
  /** Dictionary term → how surely it is meant. */
  terms: Map<string, number>
}

const STOP_WORD_WEIGHT = 0.3

/** How far to look, and how much to take: for a word that the dictionary knows, and for one it does not. */
const KNOWN = { least: 0.55, most: 40, accepted: 3, prefixWeight: 0.4 }
const UNKNOWN = { least: 0.3, most: 60, accepted: 5, prefixWeight: 0.56 }
const TYPO_WEIGHT = 0.8
const OTHER_SPELLING_WEIGHT = 0.9
const NEAR_OTHER_SPELLING = { least: 0.4, most: 3, distance: 2, weight: 0.5 }

/** One group for each word that leads to a term; a repeated word gives a repeated group. */
export function queryGroups(words: string[], dictionary: Dictionary): QueryGroup[] {
  return words
    .map((word) => ({ word, queryWeight: queryWeight(word), terms: termsFor(word, dictionary) }))
    .filter((group) => group.terms.size > 0)
}

/** 0.3 for a stop word, else 1. */
export function queryWeight(word: string): number {
  return isStopWord(word) ? STOP_WORD_WEIGHT : 1
}

function termsFor(word: string, dictionary: Dictionary): Map<string, number> {
  const term = stem(word)
  const isKnown = dictionary.hasStem(term)
  const terms = new Map<string, number>(isKnown ? [[term, 1]] : [])
  if (isStopWord(word) || word.length < 3 || isNumber(word)) return terms
  addSimilar(terms, term, isKnown, dictionary)
  if (terms.size > 0) return terms
  for (const spelling of [...otherAlphabet(word), otherKeyboard(word)]) {
    addOtherSpelling(terms, stem(spelling), dictionary)
    if (terms.size > 0) break
  }
  return terms
}

/** Typing errors, and words of the same family. */
function addSimilar(terms: Map<string, number>, term: string, isKnown: boolean, dictionary: Dictionary): void {
  const reach = isKnown ? KNOWN : UNKNOWN
  let accepted = 0
  for (const { term: candidate } of dictionary.similarStems(term, reach.least, reach.most)) {
    if (accepted === reach.accepted) break
    const weight = similarWeight(term, candidate, isKnown)
    if (weight === 0) continue
    terms.set(candidate, weight)
    accepted++
  }
}

function similarWeight(term: string, candidate: string, isKnown: boolean): number {
  if (digitsOf(term) !== digitsOf(candidate)) return 0
  const length = Math.max(term.length, candidate.length)
  if (!isKnown) {
    const distance = editDistance(term, candidate)
    if (distance <= typosAllowed(length)) return TYPO_WEIGHT * (1 - distance / length)
  }
  const prefix = commonPrefixLength(term, candidate)
  const isFamily = (prefix >= 4 && prefix >= 0.65 * length) || (prefix >= 5 && prefix >= 0.55 * length)
  return isFamily ? (isKnown ? KNOWN : UNKNOWN).prefixWeight : 0
}

function typosAllowed(length: number): number {
  if (length >= 8) return 2
  return length >= 4 ? 1 : 0
}

/** Article and model numbers that differ in a digit are different things, not typing errors. */
function digitsOf(term: string): string {
  return term.replace(/\P{N}+/gu, '')
}

function addOtherSpelling(terms: Map<string, number>, term: string, dictionary: Dictionary): void {
  if (dictionary.hasStem(term)) {
    terms.set(term, OTHER_SPELLING_WEIGHT)
    return
  }
  const { least, most, distance, weight } = NEAR_OTHER_SPELLING
  for (const { term: candidate } of dictionary.similarStems(term, least, most)) {
    if (editDistance(term, candidate) <= distance) terms.set(candidate, weight)
  }
}
