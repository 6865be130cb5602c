// Text → sentences, and what to do with those that are too long.

/** A stretch of a text. */
export type Span = { start: number; end: number }

const ABBREVIATIONS = new Set(
  `т е д п к г гг в вв ул кв стр пр просп пер обл мкр мкрн пос бул каб руб коп тыс млн млрд см рис табл гл ст пп ч им напр др проч тел факс мин сек
  час чел шт кг км м мм л экз изд ред акад проф доц англ рус лат греч нем франц соотв прим
  e g i e.g i.e mr mrs ms dr prof vs no fig approx inc ltd co st jr sr dept est vol p pp cf al`.split(/\s+/),
)
/** From the first of several marks only: a file of marks alone would be looked through again from each. */
const SENTENCE_END = /(?<![.!?…])[.!?…]+[»”"')\]]*(?=\s+[«“"'([]?[\p{Lu}\p{N}])/gu
const LAST_WORD = /([\p{L}.]+)\.$/u
const CLAUSE_END = /[,;:—–][»”"')\]]*(?=\s)/g

/** Sentences in order, without the white space between them. Known abbreviations and initials do not end one. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = []
  let start = 0
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    if (isAbbreviation(text.slice(Math.max(start, end - 30), end))) continue
    pushTrimmed(spans, text, start, end)
    start = end
  }
  pushTrimmed(spans, text, start, text.length)
  return spans
}

/** Cuts a span into pieces of at most `most` characters: at the last clause border, else at a word border, else anywhere. */
export function cutLong(text: string, span: Span, most: number): Span[] {
  const pieces: Span[] = []
  let { start } = span
  while (span.end - start > most) {
    const cut = start + cutPoint(text.slice(start, start + most), text.slice(start + most, start + most + 1))
    pushTrimmed(pieces, text, start, cut)
    start = cut
  }
  pushTrimmed(pieces, text, start, span.end)
  return pieces
}

function isAbbreviation(ending: string): boolean {
  const word = LAST_WORD.exec(ending)?.[1]
  if (!word) return false
  return /^\p{Lu}$/u.test(word) || ABBREVIATIONS.has(word.toLowerCase())
}

function cutPoint(window: string, next: string): number {
  const clause = Array.from(window.matchAll(CLAUSE_END)).at(-1)
  if (clause && clause.index > window.length / 2) return clause.index + clause[0].length
  const space = window.search(/\s\S*$/)
  if (/\s/.test(next) || space <= 0) return avoidHalfCharacter(window)
  return space
}

function avoidHalfCharacter(window: string): number {
  const last = window.charCodeAt(window.length - 1)
  return last >= 0xd800 && last < 0xdc00 ? window.length - 1 : window.length
}

function pushTrimmed(spans: Span[], text: string, start: number, end: number): void {
  const raw = text.slice(start, end)
  const trimmedStart = start + (raw.length - raw.trimStart().length)
  const trimmedEnd = start + raw.trimEnd().length
  if (trimmedEnd > trimmedStart) spans.push({ start: trimmedStart, end: trimmedEnd })
}
