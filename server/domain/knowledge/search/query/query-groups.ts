// Question → groups: each word stands for the dictionary terms it may mean, with weights. Pure, given a dictionary.
import {
  beginningsOf,
  isSearchedTopic,
  type Topic,
  topicOf,
  topicsOf,
} from '#server/platform/lib/text/everyday-topics.ts'
import { countKazakhWords, isKazakhStopWord } from '#server/platform/lib/text/kazakh.ts'
import { numbersAskedIn } from '#server/platform/lib/text/number-words.ts'
import { commonPrefixLength, editDistance, typosAllowed } from '#server/platform/lib/text/word-distance.ts'
import { lookAlikesOf } from '../analysis/look-alikes.ts'
import { isNumber, stem } from '../analysis/stem.ts'
import { isStopWord } from '../analysis/stop-words.ts'
import { kazakhTermOf } from '../analysis/terms.ts'
import { countedIn, hyphenatedIn, withoutSlashes, wordsOf } from '../analysis/words.ts'
import type { Dictionary, QueryGroup } from './dictionary.ts'
import { joinedGroups, otherShortCodes, otherSpellings } from './other-spellings.ts'

/** A parsed question. `words`: its words, which the evidence is measured by; further forms do not count against an answer. */
export type ReadQuestion = { words: string[]; groups: QueryGroup[]; isKazakh: boolean }

const STOP_WORD_WEIGHT = 0.3
/** A word in one piece, next to its parts. */
const JOINED_WEIGHT = 0.5

/** How far to look, and how much to take: for a word that the dictionary knows, and for one it does not. */
const KNOWN = { least: 0.55, most: 40, accepted: 3, prefixWeight: 0.4 }
const UNKNOWN = { least: 0.3, most: 60, accepted: 5, prefixWeight: 0.56 }
const TYPO_WEIGHT = 0.8
/** Weights of words on the same topic: for a word that is not in the index, and for one that is. */
const TOPIC_WEIGHT = { unknown: 0.5, known: 0.0001 }
const TOPIC_TERMS_MOST = 6
const NUMBER_TERMS_MOST = 20

/** One group for each word that leads to a term; a repeated word gives a repeated group. */
export function readQuestion(written: string, dictionary: Dictionary): ReadQuestion {
  const question = withoutSlashes(written)
  const words = wordsOf(question)
  const isKazakh = countKazakhWords(question) > 0
  const topics = topicsOf(words, true)
  const groups = words.map((word, at) => groupOf(word, { dictionary, isKazakh, topic: topics[at] }))
  const further = [
    ...hyphenatedIn(question).map((word) => ({ word, queryWeight: JOINED_WEIGHT })),
    ...countedIn(question).map((word) => ({ word, queryWeight: 1 })),
  ].map((each) => ({ ...groupOf(each.word, { dictionary, isKazakh, topic: topicOf(each.word) }), ...each }))
  const pairs = joinedGroups(words, dictionary)
  const halves = new Set(pairs.flatMap((pair) => pair.halves))
  const numbers = numberGroups(question, dictionary)
  // A number that is found counts as one word, however many pieces it is written in.
  const others = numbers.reduce((text, number) => text.replace(number.written, ' '), question)
  return {
    words: [
      ...wordsOf(others).filter((word) => !halves.has(word)),
      ...numbers.map(({ word }) => word),
      ...pairs.flatMap((pair) => (pair.halves.length > 0 ? pair.word : [])),
    ],
    isKazakh,
    groups: [...groups, ...further, ...pairs, ...numbers].filter(({ terms }) => terms.size > 0),
  }
}

/** 0.3 for a stop word, else 1. */
export function queryWeight(word: string, isKazakh = false): number {
  return isStopWord(word) || (isKazakh && isKazakhStopWord(word)) ? STOP_WORD_WEIGHT : 1
}

/** The stems of a word of a question: of a Kazakh one both, as a Kazakh text is indexed. */
export function stemsOfAsked(word: string, isKazakh: boolean): string[] {
  const own = isKazakh ? kazakhTermOf(word) : null
  return own === null ? [stem(word)] : [...new Set([stem(word), own])]
}

type Asked = { dictionary: Dictionary; isKazakh: boolean; topic: Topic | undefined }

function groupOf(word: string, asked: Asked): QueryGroup {
  const weight = queryWeight(word, asked.isKazakh)
  const terms = termsFor(word, asked, weight < 1)
  addTopic(terms, asked)
  return { word, queryWeight: weight, terms }
}

function termsFor(word: string, { dictionary, isKazakh }: Asked, isStop: boolean): Map<string, number> {
  const stems = stemsOfAsked(word, isKazakh)
  const known = stems.filter((term) => dictionary.hasStem(term))
  const alike = lookAlikesOf(word)
    .map(stem)
    .filter((term) => dictionary.hasStem(term))
  const terms = new Map<string, number>([...known, ...alike].map((term) => [term, 1]))
  if (known.length === 0 && alike.length > 0) return terms
  if (isStop || isNumber(word)) return terms
  if (word.length < 3) return known.length > 0 || !/\p{N}/u.test(word) ? terms : otherShortCodes(word, dictionary)
  for (const term of known.length > 0 ? known : stems) addSimilar(terms, term, known.length > 0, dictionary)
  if (terms.size > 0) return terms
  return otherSpellings(word, dictionary)
}

/** Typing errors, and words of the same family. */
function addSimilar(terms: Map<string, number>, term: string, isKnown: boolean, dictionary: Dictionary): void {
  const reach = isKnown ? KNOWN : UNKNOWN
  let accepted = 0
  for (const { term: candidate } of dictionary.similarStems(term, reach.least, reach.most)) {
    if (accepted === reach.accepted) break
    const weight = similarWeight(term, candidate, isKnown)
    if (weight === 0) continue
    terms.set(candidate, Math.max(weight, terms.get(candidate) ?? 0))
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

/** Article and model numbers that differ in a digit are different things, not typing errors. */
function digitsOf(term: string): string {
  return term.replace(/\P{N}+/gu, '')
}

/** What documents call the same thing: «достав…» for `возите`. */
function addTopic(terms: Map<string, number>, { topic, dictionary }: Asked): void {
  if (topic === undefined || !isSearchedTopic(topic)) return
  if ([...terms.values()].includes(1)) return
  const weight = TOPIC_WEIGHT.unknown
  for (const { letters, isWhole } of beginningsOf(topic)) {
    const stems = isWhole
      ? [stem(letters)].filter((term) => dictionary.hasStem(term))
      : dictionary.stemsFrom(letters, TOPIC_TERMS_MOST)
    for (const term of stems) if (!terms.has(term)) terms.set(term, weight)
  }
}

/** Telephone numbers and the like, however they are written, by their last digits; those that lead to a term. */
function numberGroups(question: string, dictionary: Dictionary): (QueryGroup & { written: string })[] {
  const groups = numbersAskedIn(question).flatMap(({ written, prefixes }) =>
    prefixes.map((prefix) => ({
      ...{ word: prefix, queryWeight: 1, written },
      terms: new Map(dictionary.stemsFrom(prefix, NUMBER_TERMS_MOST).map((term) => [term, 1])),
    })),
  )
  return groups.filter(({ terms }) => terms.size > 0)
}
