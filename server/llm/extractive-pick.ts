// Chooses the sentences that answer a question: rare words of the question count most, the kind of question counts too
// (how much → a number, when → a time, where → a place), and a good passage lifts its sentences.
import type { Passage } from './llm.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { isStopWord, stemOf, wordsOf } from './words.ts'

/** A chosen sentence; `lead` is what separates it from the one before it in the quotation. */
export type AnswerSentence = { passage: Passage; text: string; lead: string }

const MAX_SENTENCES = 3
const MAX_CHARACTERS = 700
/** A further sentence needs this part of the best one's score. */
const MIN_SHARE_OF_BEST = 0.55
/** Below this part of the question's weight a sentence answers nothing; then the passage's beginning stands in. */
const MIN_COVERAGE = 0.12
/** A heading or the name of the source says what a sentence is about, less surely than the sentence itself. */
const CONTEXT_WEIGHT = 0.6
/** A sentence of the wanted kind counts so much more. */
const KIND_FACTOR = 1.4
const NEAR_KIND_FACTOR = 1.25
/** How far below a sentence its completion is looked for. */
const NEAR_SENTENCES = 2

type Candidate = Sentence & { passage: Passage; rank: number; stems: Set<string>; context: Set<string>; score: number }

/** At most three sentences of at most two passages, in the order of reading; empty when there is nothing to choose from. */
export function pickAnswer(question: string, passages: Passage[]): AnswerSentence[] {
  const candidates = passages.flatMap((passage, rank) => candidatesOf(passage, rank))
  if (candidates.length === 0) return []
  score(candidates, question, passages)
  const best = candidates.reduce((a, b) => (b.score > a.score ? b : a))
  const chosen = best.score < MIN_COVERAGE ? opening(candidates) : around(candidates, best, wantedKind(question))
  return chosen
    .toSorted((a, b) => a.rank - b.rank || a.order - b.order)
    .map((sentence, index, all) => ({
      passage: sentence.passage,
      text: sentence.text,
      lead: leadOf(sentence, all[index - 1]),
    }))
}

function candidatesOf(passage: Passage, rank: number): Candidate[] {
  const source = stemsOf(passage.source)
  return sentencesOf(passage.text)
    .filter((sentence) => !sentence.isHeading)
    .map((sentence) => ({
      ...sentence,
      passage,
      rank,
      stems: stemsOf(sentence.text),
      context: new Set([...source, ...stemsOf(sentence.heading)]),
      score: 0,
    }))
}

function stemsOf(text: string): Set<string> {
  return new Set(wordsOf(text).map(stemOf))
}

/** Fills in the scores: how much of the question's weight is covered, more for the kind of sentence that is asked for. */
function score(candidates: Candidate[], question: string, passages: Passage[]): void {
  const weights = weightsOf(question, candidates)
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const wanted = wantedKind(question)
  const bestPassage = Math.max(...passages.map((passage) => passage.score), Number.MIN_VALUE)
  for (const candidate of candidates) {
    let covered = 0
    for (const [stem, weight] of weights) {
      if (has(candidate.stems, stem)) covered += weight
      else if (has(candidate.context, stem)) covered += weight * CONTEXT_WEIGHT
    }
    const coverage = total === 0 ? 0 : covered / total
    const kind = wanted ? kindFactor(candidates, candidate, wanted) : 1
    const questionPenalty = candidate.text.endsWith('?') ? 0.5 : 1
    const trust = 0.6 + 0.4 * Math.max(0, candidate.passage.score / bestPassage)
    candidate.score = coverage * kind * trust * questionPenalty * brevity(candidate.text)
  }
}

function kindFactor(candidates: Candidate[], candidate: Candidate, wanted: RegExp): number {
  if (wanted.test(candidate.text)) return KIND_FACTOR
  return nextOfKind(candidates, candidate, wanted) ? NEAR_KIND_FACTOR : 1
}

/** Stems of the question with their weights: rare among the candidates counts more, stop words hardly. */
function weightsOf(question: string, candidates: Candidate[]): Map<string, number> {
  const weights = new Map<string, number>()
  for (const word of wordsOf(question)) {
    const stem = stemOf(word)
    const holders = candidates.filter((candidate) => has(candidate.stems, stem)).length
    const rarity = Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5))
    weights.set(stem, weightOf(word) * rarity)
  }
  return weights
}

/** Words without a subject hardly count; a number may stand for anything. */
function weightOf(word: string): number {
  if (isStopWord(word)) return 0.1
  return /^\d+$/.test(word) ? 0.5 : 1
}

/** Equal, or long and with an equal beginning, which forgives an ending that the stemmer has missed. */
function has(stems: Set<string>, stem: string): boolean {
  if (stems.has(stem)) return true
  if (stem.length < 5) return false
  const beginning = stem.slice(0, Math.max(5, stem.length - 2))
  for (const other of stems) {
    if (Math.abs(other.length - stem.length) <= 2 && other.startsWith(beginning)) return true
  }
  return false
}

/** What an answer to this kind of question holds; null when the kind is not known. */
function wantedKind(question: string): RegExp | null {
  const text = question.toLowerCase()
  if (/стоит|стоят|стоимост|цен[аыу]|почем|прайс|how much|price|cost|fee/.test(text)) return MONEY
  if (/сколько|какой срок|how (many|long)/.test(text)) return /\d/
  if (/когда|во сколько|до скольки|по каким дням|часы работы|график|when|what time|opening hours|open/.test(text)) {
    return /\d|понедельник|вторник|сред[аы]|четверг|пятниц|суббот|воскресень|ежедневно|monday|tuesday|wednesday|thursday|friday|saturday|sunday|daily/i
  }
  if (/где|куда|адрес|where|address/.test(text)) {
    return /ул\.|улиц|просп|пр-т|площад|д(ом|\.) ?\d|метро|этаж|город|street|st\.|avenue|road|floor|station/i
  }
  return null
}

/** A sum, or that there is none to pay. */
const MONEY =
  /\d\s*(руб|₽|р\.|тенге|₸|тг|eur|€|\$|usd|доллар|dollar|rouble|ruble|£|pound)|[€$£₽]\s*\d|бесплатн|free of charge|\bfree\b/i

/** One for ordinary sentences, less for very long ones. */
function brevity(text: string): number {
  return text.length <= 300 ? 1 : Math.max(0.5, 300 / text.length)
}

/** The best sentence, and those that are nearly as good or complete it. */
function around(candidates: Candidate[], best: Candidate, wanted: RegExp | null): Candidate[] {
  const chosen = [best]
  const completing = wanted && !wanted.test(best.text) ? nextOfKind(candidates, best, wanted) : undefined
  if (completing) chosen.push(completing)
  const follower = candidates.find((other) => other.passage === best.passage && other.order === best.order + 1)
  if (
    follower &&
    follower !== completing &&
    (best.text.endsWith(':') || best.text.endsWith('?') || continues(follower))
  )
    chosen.push(follower)
  const rest = candidates
    .filter((other) => !chosen.includes(other) && other.score >= best.score * MIN_SHARE_OF_BEST)
    .toSorted((a, b) => b.score - a.score)
  for (const other of rest) {
    const passages = new Set([...chosen, other].map((candidate) => candidate.passage))
    const characters = chosen.reduce((sum, candidate) => sum + candidate.text.length, other.text.length)
    const isRepeated = chosen.some((candidate) => candidate.text === other.text)
    if (chosen.length >= MAX_SENTENCES || passages.size > 2 || characters > MAX_CHARACTERS || isRepeated) continue
    chosen.push(other)
  }
  return chosen
}

/** The sum, time or place that is asked for often stands a sentence later, below the same heading. */
function nextOfKind(candidates: Candidate[], best: Candidate, wanted: RegExp): Candidate | undefined {
  return candidates.find(
    (other) =>
      other.passage === best.passage &&
      other.heading === best.heading &&
      other.order > best.order &&
      other.order <= best.order + NEAR_SENTENCES &&
      wanted.test(other.text),
  )
}

/** A sentence that leans on the one before it: an item of a list, or one that begins with a link word. */
function continues(sentence: Candidate): boolean {
  return /^([-–—•*]|\d+[.)]|это |при этом |также |кроме того|если же |this |it |they |also |otherwise )/i.test(
    sentence.text,
  )
}

/** The search is sure of the passage, its words are not those of the question: its first two sentences. */
function opening(candidates: Candidate[]): Candidate[] {
  const best = Math.max(...candidates.map((candidate) => candidate.passage.score))
  return candidates.filter((candidate) => candidate.passage.score === best).slice(0, 2)
}

function leadOf(sentence: Candidate, previous: Candidate | undefined): string {
  if (!previous || previous.passage !== sentence.passage) return ''
  if (sentence.order !== previous.order + 1) return ' … '
  return sentence.startsLine ? '\n' : ' '
}
