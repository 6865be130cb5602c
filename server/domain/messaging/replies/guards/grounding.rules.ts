// Finds the origin of each sentence of an answer: which of its figures, dates, addresses and names occur in the model's context.
// Uses no model, so that every answer can be checked: what occurs nowhere was made up, or computed by the model itself.
import { sentencesOf } from '#server/integrations/llm/sentences.ts'
import { subjectStems } from '#server/integrations/llm/words.ts'
import type { TraceSentence } from '#shared/messaging/trace.ts'
import { type Fact, factsIn, isSameFact, isSameKind } from './grounding.facts.ts'
import { KnownNames, namesIn } from './grounding.names.ts'
import { withWorkedOut } from './grounding.sums.ts'
import {
  agrees,
  isCount,
  isOfAnotherRow,
  type NamedRows,
  readTables,
  rowsNamedIn,
  type TableEvidence,
} from './grounding.tables.ts'

/** A text of the model's context. `conversation` may hold a customer's assumptions. */
export type Evidence = { origin: 'knowledge' | 'instructions' | 'conversation'; text: string } & {
  /** Of knowledge: the passage, table or page. */
  id?: string
  /** Of knowledge: where it stands, such as the headings above it. */
  title?: string
  /** Of a table: what of it the text says. */
  table?: TableEvidence
}

/** One sentence or row of a text. */
type Line = { facts: Fact[]; stems: Set<string> }
/** One sentence or row of the evidence. */
type Piece = Line & { evidence: Evidence }

/** Part of a sentence's subject that a source has to share before its other figure contradicts, and by how much more than any other. */
const SUBJECT_SHARED = 0.5
const SUBJECT_AHEAD = 0.3
/** Part of a sentence's words by which a source is taken for its origin where there is nothing to compare. */
const WORDS_SHARED = 0.6
const SENTENCE_KEPT = 500
/** Texts whose lines are remembered, some 10 KB each: instructions, passages and earlier messages come again with every question. */
const TEXTS_REMEMBERED = 500
/** Longer texts are read each time: so many of them would fill the memory. */
const REMEMBERED_LENGTH = 20_000
const remembered = new Map<string, Line[]>()

/** Each sentence of an answer with its verdict, in the order of the answer. */
export function groundSentences(answer: string, evidence: Evidence[]): TraceSentence[] {
  const pieces = evidence.flatMap(piecesOf)
  const tables = readTables(evidence.flatMap(({ table }) => table ?? []))
  let names: KnownNames | undefined // lazy: the most expensive step, and many answers have no names
  const isKnown = (name: string) => {
    names ??= new KnownNames(evidence.flatMap(({ text, title }) => [text, title ?? '']))
    return names.has(name)
  }
  let spokenOf: NamedRows = []
  return sentencesOf(withoutMarks(answer)).map(({ text, heading }) => {
    const facts = factsIn(text)
    const mentioned = namesIn(text)
    const subject = subjectOf(`${heading} ${text}`)
    const held = facts.map((fact) => {
      const origin = originOf(fact, subject, { pieces, sentence: text })
      const elsewhere = pieces.filter(
        (piece) =>
          !piece.evidence.table && piece.facts.some((each) => isSameFact(fact, each)) && tells(piece, fact, subject),
      )
      const before = elsewhere.length > 0 ? null : spokenOf
      return !elsewhere.some(isTrusted) && isOfAnotherRow(fact, text, tables, before) ? null : origin
    })
    const origins = withWorkedOut(text, facts, held)
    const named = rowsNamedIn(text, tables)
    if (named.length > 0) spokenOf = named
    const isCounted = tables.length > 0 && facts.some((fact, index) => origins[index] === null && isCount(fact, text))
    const unfounded = [
      ...facts.flatMap((fact, index) => (origins[index] === null ? [fact.text.trim()] : [])),
      ...mentioned.filter((name) => !isKnown(name)),
    ]
    const found = origins.filter((origin) => origin !== null)
    const byWords = facts.length === 0 ? originByWords(subject, pieces) : null
    const sources = [...found, byWords].flatMap((piece) => piece?.evidence.id ?? [])
    return {
      text: text.slice(0, SENTENCE_KEPT).toWellFormed(),
      verdict: verdictOf({ unfounded, sources, checked: facts.length + mentioned.length }),
      unfounded,
      sources: [...new Set(sources)],
      ...(isCounted && { isCounted }),
    }
  })
}

/** Sentences that state something outside the model's context. */
export function unfoundedOf(sentences: TraceSentence[]): string[] {
  return sentences.filter(({ verdict }) => verdict === 'unfounded').map(({ text }) => text)
}

/** Sentences that count or add up table contents, with a number that the tables do not hold. */
export function madeUpCountsOf(sentences: TraceSentence[]): string[] {
  return sentences.filter(({ isCounted }) => isCounted).map(({ text }) => text)
}

function verdictOf(of: { unfounded: string[]; sources: string[]; checked: number }): TraceSentence['verdict'] {
  if (of.unfounded.length > 0) return 'unfounded'
  if (of.sources.length > 0) return 'knowledge'
  return of.checked > 0 ? 'given' : 'unchecked'
}

/**
 * The origin of a fact; null when it has none. A figure found only with another subject has none either when the sources give a different
 * figure for this subject: a customer's assumption does not make it true.
 */
function originOf(
  fact: Fact,
  subject: Set<string>,
  { pieces, sentence }: { pieces: Piece[]; sentence: string },
): Piece | null {
  const isHeld = ({ facts, evidence }: Piece) =>
    facts.some((given) => isSameFact(fact, given) || (evidence.table && agrees(fact, given, sentence)))
  const holding = pieces.filter(isHeld)
  const best = closest(holding, subject)
  if (!best) return null
  const trusted = closest(holding.filter(isTrusted), subject)
  const other = closest(
    pieces.filter(
      (piece) => isTrusted(piece) && !holding.includes(piece) && piece.facts.some((given) => isSameKind(fact, given)),
    ),
    subject,
  )
  const isContradicted =
    subject.size > 1 &&
    other !== null &&
    other.share >= SUBJECT_SHARED &&
    other.share - (trusted?.share ?? 0) >= SUBJECT_AHEAD
  return isContradicted ? null : (trusted ?? best).piece
}

/** Whether a text may be the origin of a figure next to a table: a bare number stands in some text or other, and has to be of this subject. */
function tells({ stems }: Piece, fact: Fact, subject: Set<string>): boolean {
  return fact.kind !== 'number' || fact.unit !== null || [...subject].some((stem) => stems.has(stem))
}

function isTrusted({ evidence }: Piece): boolean {
  return evidence.origin !== 'conversation'
}

function originByWords(subject: Set<string>, pieces: Piece[]): Piece | null {
  const best = closest(
    pieces.filter(({ evidence }) => evidence.origin === 'knowledge'),
    subject,
  )
  return best && subject.size > 1 && best.share >= WORDS_SHARED ? best.piece : null
}

/** The piece that shares most of a subject, and the share; the first of equals. */
function closest(pieces: Piece[], subject: Set<string>): { piece: Piece; share: number } | null {
  let best: { piece: Piece; share: number } | null = null
  for (const piece of pieces) {
    let shared = 0
    for (const stem of subject) if (piece.stems.has(stem)) shared += 1
    const share = subject.size === 0 ? 0 : shared / subject.size
    if (!best || share > best.share) best = { piece, share }
  }
  return best
}

function piecesOf(evidence: Evidence): Piece[] {
  return linesOf(evidence.text, evidence.title ?? '').map((line) => ({ ...line, evidence }))
}

function linesOf(text: string, title: string): Line[] {
  const key = `${title}\n${text}`
  if (key.length > REMEMBERED_LENGTH) return readLines(text, title)
  const lines = remembered.get(key) ?? readLines(text, title)
  remembered.delete(key) // moves the key to the end: the cache evicts the least recently used
  remembered.set(key, lines)
  const [oldest] = remembered.keys()
  if (remembered.size > TEXTS_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  return lines
}

function readLines(text: string, title: string): Line[] {
  const titleStems = subjectOf(title)
  return sentencesOf(text).map((sentence) => ({
    facts: factsIn(sentence.text),
    stems: new Set([...titleStems, ...subjectOf(`${sentence.heading} ${sentence.text}`)]),
  }))
}

/** The subject of a sentence: its words without figures. */
function subjectOf(text: string): Set<string> {
  return new Set([...subjectStems(text)].filter((stem) => /^\p{L}{2,}/u.test(stem)))
}

/** The text without list numbers and Markdown marks. */
function withoutMarks(answer: string): string {
  return answer
    .replace(/^[ \t]*(?:\d{1,2}[.)]|[-*•–—])[ \t]+/gmu, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 $2')
}
