// Chooses the sentences that answer a question: rare words of the question count most, the kind of question counts too
// (how much → a number, when → a time, where → a place), and a good passage lifts its sentences. What carries too little of the
// question is no answer to it.

import type { Passage } from '../llm.ts'
import { type Sentence, sentencesOf } from '../sentences.ts'
import { answersKind, isOtherAddress, type Kind, looksLikeAddress, wantedKind } from './extractive-kinds.ts'
import { alikeness, type ReadWord, readWords } from './extractive-match.ts'
import { type Asked, askedParts, asksForAddress, coverage, type Weighed, weigh } from './extractive-weights.ts'

/** A chosen sentence; `lead` is what separates it from the one before it in the quotation. */
export type AnswerSentence = { passage: Passage; text: string; lead: string }

const MAX_SENTENCES = 3
const MAX_CHARACTERS = 700
/** A further sentence needs this part of the best one's score. */
const MIN_SHARE_OF_BEST = 0.55
/** A sentence that carries less of the question than the best one may be the answer from this part of its score on. */
const NEARLY_BEST = 0.8
/** Below this part of the question's weight nothing is an answer. */
const MIN_COVERAGE = 0.4
/** A heading or the name of the source says what a sentence is about, less surely than the sentence itself. */
const CONTEXT_WEIGHT = 0.6
/** The same where it is decided whether a sentence is an answer at all, with what stands around it in its passage. */
const ACCEPTED = { context: 0.9, around: 0.7 }
/** A sentence of the wanted kind counts so much more. */
const KIND_FACTOR = 1.4
const NEAR_KIND_FACTOR = 1.25
/** How far below a sentence its completion is looked for. */
const NEAR_SENTENCES = 2

type Candidate = Sentence & {
  passage: Passage
  rank: number
  words: ReadWord[]
  context: ReadWord[]
  score: number
}

/** At most three sentences of at most two passages, in the order of reading; empty when none of them answers. */
export function pickAnswer(question: string, passages: Passage[]): AnswerSentence[] {
  const candidates = passages.flatMap((passage, rank) => candidatesOf(passage, rank))
  const chosen = choose(question, candidates)
  return chosen
    .toSorted((a, b) => a.rank - b.rank || a.order - b.order)
    .map((sentence, index, all) => ({
      passage: sentence.passage,
      text: sentence.text,
      lead: leadOf(sentence, all[index - 1]),
    }))
}

function choose(question: string, given: Candidate[]): Candidate[] {
  const parts = askedParts(question)
  const candidates = parts.some(asksForAddress) ? whereSomethingIs(given) : given
  if (candidates.length === 0) return []
  const words = weigh(
    parts.flatMap((part) => part.words),
    candidates.map((candidate) => [...candidate.words, ...candidate.context]),
  )
  const wanted = wantedKind(question)
  score(candidates, words, wanted)
  const best = bestCovered(candidates, (each) =>
    parts.some((part) => isCovered(part, { best: each, candidates, words })),
  )
  if (best) return around(candidates, best, wanted)
  return candidates.some(({ passage }) => passage.isNear) ? opening(candidates) : []
}

/** Sentences without the addresses of others; one that is an address without saying so carries the word for it. */
function whereSomethingIs(given: Candidate[]): Candidate[] {
  return given
    .filter(({ text }) => !isOtherAddress(text))
    .map((each) => (looksLikeAddress(each.text) ? { ...each, words: [...each.words, ...readWords('адрес')] } : each))
}

/** The best of those that carry enough of the question, among the ones that are nearly as good as the best of all. */
function bestCovered(candidates: Candidate[], isEnough: (each: Candidate) => boolean): Candidate | undefined {
  const sorted = candidates.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  const least = (sorted[0]?.score ?? 0) * NEARLY_BEST
  return sorted.find((each) => each.score >= least && isEnough(each))
}

/** Whether a sentence carries enough of one part of the question, with its heading and what stands around it. */
function isCovered(
  part: Asked,
  { best, candidates, words }: { best: Candidate; candidates: Candidate[]; words: Weighed },
): boolean {
  const around = candidates.filter((other) => other.passage === best.passage && other !== best)
  const held = [
    { words: best.words, weight: 1 },
    { words: best.context, weight: ACCEPTED.context },
    { words: around.flatMap((other) => other.words), weight: ACCEPTED.around },
  ]
  return coverage(part, { words, held, text: best.text }) >= MIN_COVERAGE
}

function candidatesOf(passage: Passage, rank: number): Candidate[] {
  const source = readWords(passage.source)
  return sentencesOf(passage.text)
    .filter((sentence) => !sentence.isHeading)
    .map((sentence) => ({
      ...sentence,
      passage,
      rank,
      words: readWords(sentence.text),
      context: [...source, ...readWords(sentence.heading)],
      score: 0,
    }))
}

/** Fills in the scores: how much of the question's weight is covered, more for the kind of sentence that is asked for. */
function score(candidates: Candidate[], words: Weighed, wanted: Kind | null): void {
  const total = [...words.values()].reduce((sum, { weight }) => sum + weight, 0)
  const bestPassage = Math.max(...candidates.map(({ passage }) => passage.score), Number.MIN_VALUE)
  for (const candidate of candidates) {
    let covered = 0
    for (const { asked, weight } of words.values()) {
      covered += weight * Math.max(held(asked, candidate.words), CONTEXT_WEIGHT * held(asked, candidate.context))
    }
    const share = total === 0 ? 0 : covered / total
    const kind = wanted ? kindFactor(candidates, candidate, wanted) : 1
    const questionPenalty = candidate.text.endsWith('?') ? 0.5 : 1
    const trust = 0.6 + 0.4 * Math.max(0, candidate.passage.score / bestPassage)
    candidate.score = share * kind * trust * questionPenalty * brevity(candidate.text)
  }
}

function held(asked: ReadWord, words: ReadWord[]): number {
  return words.reduce((best, word) => Math.max(best, alikeness(asked, word)), 0)
}

function kindFactor(candidates: Candidate[], candidate: Candidate, wanted: Kind): number {
  if (answersKind(candidate.text, wanted)) return KIND_FACTOR
  return nextOfKind(candidates, candidate, wanted) ? NEAR_KIND_FACTOR : 1
}

/** One for ordinary sentences, less for very long ones. */
function brevity(text: string): number {
  return text.length <= 300 ? 1 : Math.max(0.5, 300 / text.length)
}

/** The best sentence, and those that are nearly as good or complete it. */
function around(candidates: Candidate[], best: Candidate, wanted: Kind | null): Candidate[] {
  const chosen = [best]
  const completing = wanted && !answersKind(best.text, wanted) ? nextOfKind(candidates, best, wanted) : undefined
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
function nextOfKind(candidates: Candidate[], best: Candidate, wanted: Kind): Candidate | undefined {
  return candidates.find(
    (other) =>
      other.passage === best.passage &&
      other.heading === best.heading &&
      other.order > best.order &&
      other.order <= best.order + NEAR_SENTENCES &&
      answersKind(other.text, wanted),
  )
}

/** A sentence that leans on the one before it: an item of a list, or one that begins with a link word. */
function continues(sentence: Candidate): boolean {
  return /^([-–—•*]|\d+[.)]|это |при этом |также |кроме того|если же |this |it |they |also |otherwise )/i.test(
    sentence.text,
  )
}

/** The search is sure of the passage by its meaning, its words are not those of the question: its first two sentences. */
function opening(candidates: Candidate[]): Candidate[] {
  const near = candidates.filter(({ passage }) => passage.isNear)
  const best = Math.max(...near.map((candidate) => candidate.passage.score))
  return near.filter((candidate) => candidate.passage.score === best).slice(0, 2)
}

function leadOf(sentence: Candidate, previous: Candidate | undefined): string {
  if (!previous || previous.passage !== sentence.passage) return ''
  if (sentence.order !== previous.order + 1) return ' … '
  return sentence.startsLine ? '\n' : ' '
}
