// Which sentences of a passage an answer rests on, or a question is about: those that share its words.

/** Characters `start` to `end` of the passage, end not included. */
export type TextRange = { start: number; end: number }

/** Share of a sentence's words that the other text must contain for a match; in addition to the best match. */
const MEANT_SHARE = 0.6
/** Endings differ between a question and its answer: words are compared by their beginnings, short ones without an ending. */
const STEM_LENGTH = 5
const ENDING =
  /(?<=.{3})(?:[аиоыя]ми|[ео]го|[ео]му|[ыи]ми|[аеиоыя]х|[ое]в|[аеиоыя][йм]|[аяоеыи][яею]|[ую]ю|[аеиойуыьэюя]|ing|ed|es|s)$/u
const WORD_LENGTH_MIN = 3

type Sentence = TextRange & { stems: Set<string> }

/** In reading order; none when the texts share no word. */
export function answeringSentences(passage: string, other: string): TextRange[] {
  const sentences = sentencesOf(passage)
  const wanted = stemsOf(other)
  const scored = sentences.map((sentence) => ({ sentence, ...closeness(sentence, wanted, sentences) }))
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { score: 0 })
  return scored
    .filter((each) => each.score > 0 && (each === best || each.share >= MEANT_SHARE))
    .map(({ sentence }) => ({ start: sentence.start, end: sentence.end }))
}

/**
 * At most `length` characters of a passage, verbatim: from its beginning when the sentences that the answer rests on are there, else from
 * the first of them on.
 */
export function excerptFor(passage: string, answer: string, length: number): string {
  if (passage.length <= length) return passage
  const ranges = answeringSentences(passage, answer)
  const [first] = ranges
  const isAtBeginning = !first || ranges.every(({ end }) => end <= length)
  const start = isAtBeginning ? 0 : first.start
  return passage.slice(start, start + length).replace(/[\uD800-\uDBFF]$/, '') // no half of a character at its end
}

/** Words that few sentences have say more; long sentences are not better for being long. */
function closeness({ stems }: Sentence, wanted: Set<string>, all: Sentence[]): { score: number; share: number } {
  const shared = [...stems].filter((stem) => wanted.has(stem))
  const weight = shared.reduce((sum, stem) => sum + 1 / all.filter((each) => each.stems.has(stem)).length, 0)
  return { score: weight / Math.sqrt(stems.size || 1), share: shared.length / (stems.size || 1) }
}

function sentencesOf(text: string): Sentence[] {
  const segmenter = new Intl.Segmenter('ru', { granularity: 'sentence' })
  return Array.from(segmenter.segment(text), ({ segment, index }) => {
    const start = index + segment.length - segment.trimStart().length
    return { start, end: index + segment.trimEnd().length, stems: stemsOf(segment) }
  })
}

function stemsOf(text: string): Set<string> {
  const words =
    text
      .toLowerCase()
      .replaceAll('ё', 'е')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(
    words
      .filter((word) => word.length >= WORD_LENGTH_MIN || /\p{N}/u.test(word))
      .map((word) => word.replace(ENDING, '').slice(0, STEM_LENGTH)),
  )
}
