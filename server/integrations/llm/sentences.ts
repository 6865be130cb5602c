// Cuts a passage into sentences and list items, each under the heading it stands below.

export type Sentence = {
  text: string
  /** Position in the passage, from 0. */
  order: number
  /** The last heading above it, or ''. */
  heading: string
  isHeading: boolean
  /** It begins a line. */
  startsLine: boolean
}

/** Ends of a sentence: a mark, perhaps a closing quote, space, and something that can begin one. */
const BORDER = /(?<=[.!?…]["»”)]?)\s+(?=["«“(]?[\p{Lu}\p{N}–—-])/gu
/** Abbreviations after which a sentence goes on. */
const ABBREVIATION =
  /(?:^|[\s(])(?:г|гг|ул|д|стр|с|п|пп|рис|табл|тыс|млн|млрд|руб|коп|тел|им|т\.\s?е|т\.\s?д|т\.\s?п|напр|пр|просп|пр-т|мкр|мкрн|р-н|пер|обл|пос|бул|б-р|каб|корп|кв|оф|мин|макс|Mr|Mrs|Ms|Dr|St|No|vs|e\.g|i\.e|etc|approx|p|pp|Fig)\.$/i

/** Sentences in the order of reading. A passage cut in the middle of a sentence keeps the rest of it as a sentence of its own. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let heading = ''
  for (const line of joinWrapped(text)) {
    const isHeading = looksLikeHeading(line)
    const content = line.replace(/^#+\s*/, '')
    if (isHeading) heading = content
    splitLine(content).forEach((part, index) => {
      sentences.push({
        text: part,
        order: sentences.length,
        heading: isHeading ? '' : heading,
        isHeading,
        startsLine: index === 0,
      })
    })
  }
  return sentences
}

/** Lines broken by the width of a page become one again: a line goes on when the next begins with a small letter. */
function joinWrapped(text: string): string[] {
  const lines: string[] = []
  for (const raw of text.split('\n')) {
    const line = raw.trim().replace(/\s+/g, ' ')
    const previous = lines.at(-1)
    if (previous && /[\p{L}\p{N},;-]$/u.test(previous) && /^(?:[\p{Ll}./\\(]|--\p{L})/u.test(line))
      lines[lines.length - 1] = `${previous} ${line}`
    else if (line) lines.push(line)
  }
  return lines
}

function looksLikeHeading(line: string): boolean {
  if (/^#+\s/.test(line)) return true
  return (
    line.length <= 80 &&
    !/[.!…:;,]$/.test(line) &&
    !/^[-–—•*\d]/.test(line) &&
    line.split(' ').length <= 8 &&
    /^\p{Lu}/u.test(line)
  )
}

/** A sum goes on behind the sign of its roubles: «489 р. 50 коп.» */
function isSum(before: string, behind: string): boolean {
  return /\d\s?(?:р|тг)\.$/iu.test(before) && /^\d{1,2}\s?(?:коп|тиын)/iu.test(behind)
}

function splitLine(line: string): string[] {
  const parts: string[] = []
  for (const part of line.split(BORDER)) {
    const previous = parts.at(-1)
    if (previous !== undefined && (ABBREVIATION.test(previous) || isSum(previous, part)))
      parts[parts.length - 1] = `${previous} ${part}`
    else parts.push(part)
  }
  return parts.filter((part) => /[\p{L}\p{N}]/u.test(part))
}
