// CSV as spreadsheets write it: any of four delimiters, quoted cells with doubled quotes and line breaks inside. What is written here
// computes nothing when a spreadsheet opens it.

const DELIMITERS = [',', ';', '\t', '|']
/** Characters by which the delimiter is found out. */
const SAMPLE_CHARACTERS = 20_000

/** Cells by row; rows may be of different lengths. */
export function readCsv(text: string): string[][] {
  return readRecords(text, delimiterOf(text.slice(0, SAMPLE_CHARACTERS)))
}

/** The delimiter by which most rows are as wide as the widest usual one. A comma when nothing is divided. */
function delimiterOf(sample: string): string {
  const scored = DELIMITERS.map((delimiter) => {
    const widths = new Map<number, number>()
    for (const record of readRecords(sample, delimiter)) widths.set(record.length, (widths.get(record.length) ?? 0) + 1)
    widths.delete(1)
    const [width, count] = [...widths].sort(([w1, c1], [w2, c2]) => c2 - c1 || w2 - w1)[0] ?? [0, 0]
    return { delimiter, width, count }
  })
  const [best] = scored.sort((a, b) => b.count - a.count || b.width - a.width)
  return best && best.count > 0 ? best.delimiter : ','
}

function readRecords(text: string, delimiter: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let cell = ''
  let isQuoted = false
  const endRecord = () => {
    records.push([...record, cell])
    record = []
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === delimiter) {
      record.push(cell)
      cell = ''
    } else if (character === '\n' || (character === '\r' && text[at + 1] !== '\n')) endRecord()
    else if (character !== '\r') cell += character
  }
  if (cell !== '' || record.length > 0) endRecord()
  return records
}

/** By this a spreadsheet knows that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * What a spreadsheet may take for a formula: a sign of one at the beginning, also a full-width one, also behind what it skips. Apostrophes
 * before it are counted in, so that the one that is added can be taken away again.
 */
const FORMULA = /^'*(?:[\t\r\n\0]|[\s\p{C}]*[=+\-@|%＝＋－＠﹦﹢﹣﹫⁺₊⁻₋−])/u

/** One row with its line break. Nothing in it is a formula: an apostrophe makes text of what could be one. */
export function csvRow(cells: readonly string[], delimiter: ',' | ';'): string {
  return `${cells.map(cellOf).join(delimiter)}\r\n`
}

function cellOf(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text
  return /["\r\n\t,;']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
