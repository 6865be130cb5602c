// CSV as spreadsheets write it: any of four delimiters, quoted cells with doubled quotes and line breaks inside. What is written here
// computes nothing when a spreadsheet opens it.

export const CSV_DELIMITERS = [';', '\t', '|', ','] as const
export type CsvDelimiter = (typeof CSV_DELIMITERS)[number]
/** The first line, which names the delimiter for Excel. */
const NAMED_DELIMITER = /^\uFEFF?"?sep=([;,\t|])"?\r?\n/i
/** Characters by which the delimiter is found out. */
const SAMPLE_CHARACTERS = 20_000
/** Delimiters that are closer than this are as good as each other. */
const CLOSE = 0.2
/** Share of rows of the same width below which nothing speaks for a delimiter that others are better than. */
const LEAST_EVEN = 0.6

/** Cells by row; rows may be of different lengths. */
export function readCsv(text: string, delimiter: CsvDelimiter = delimitersOf(text).best): string[][] {
  const records = readRecords(text.replace(NAMED_DELIMITER, ''), delimiter)
  return delimiter === ',' ? withWholeDecimals(records) : records
}

/** The delimiter that gives rows of equal width and sensible cells, and the others that do so as well. A comma when nothing is divided. */
export function delimitersOf(text: string): { best: CsvDelimiter; rivals: CsvDelimiter[] } {
  const named = CSV_DELIMITERS.find((delimiter) => delimiter === NAMED_DELIMITER.exec(text)?.[1])
  if (named) return { best: named, rivals: [] }
  const sample = text.slice(0, SAMPLE_CHARACTERS)
  const read = CSV_DELIMITERS.map((delimiter) => {
    const records = readRecords(sample, delimiter).filter((record) => record.some((cell) => cell.trim() !== ''))
    if (text.length > sample.length) records.pop() // it may be cut off
    return { delimiter, ...scoreOf(records, delimiter) }
  })
  const [best, ...others] = read
    .filter(({ even }) => even > 0)
    .toSorted((a, b) => b.score - a.score || b.width - a.width)
  if (!best) return { best: CSV_DELIMITERS.find((delimiter) => sample.includes(delimiter)) ?? ',', rivals: [] }
  const rivals = others.filter(({ even, score }) => even >= LEAST_EVEN && score > 0 && best.score - score < CLOSE)
  return { best: best.delimiter, rivals: rivals.map(({ delimiter }) => delimiter) }
}

/** `even`: the share of rows that are as wide as most, the first counted among them. */
function scoreOf(records: string[][], delimiter: CsvDelimiter): { even: number; width: number; score: number } {
  const widths = new Map<number, number>()
  for (const { length } of records) if (length > 1) widths.set(length, (widths.get(length) ?? 0) + 1)
  const [width = 0, count = 0] = [...widths].toSorted(([w1, c1], [w2, c2]) => c2 - c1 || w2 - w1)[0] ?? []
  const even = records.length === 0 ? 0 : count / records.length
  const others = CSV_DELIMITERS.filter((other) => other !== delimiter)
  const undivided = Math.max(...others.map((other) => undividedShare(records, other)))
  const isTorn = delimiter === ',' && records.filter((record) => record.length > 1).every(isDividedAtDecimals)
  return { even, width, score: even - undivided * 0.6 - (isTorn ? 0.5 : 0) }
}

/** Share of rows whose cells contain another delimiter as often as the first row does. Decimals and commas of a sentence do not count. */
function undividedShare(records: string[][], other: CsvDelimiter): number {
  const counts = records.map((record) => record.reduce((sum, cell) => sum + signsIn(cell, other), 0))
  const [first = 0] = counts
  return first === 0 ? 0 : counts.filter((count) => count === first).length / records.length
}

function signsIn(cell: string, sign: CsvDelimiter): number {
  const pattern = sign === ',' ? /,(?!\s|\d)|(?<!\d),(?=\d)/g : sign === '|' ? /\|/g : sign === ';' ? /;(?!\s)/g : /\t/g
  return cell.match(pattern)?.length ?? 0
}

/** A row that is only divided inside of numbers and sentences: `Мука;45` and `50`. */
function isDividedAtDecimals(record: string[]): boolean {
  return record.slice(1).every((cell, at) => /^\s/.test(cell) || (/\d"?$/.test(record[at] ?? '') && /^\d/.test(cell)))
}

/**
 * In a comma-separated file, numbers with decimal commas fall into two cells. Where all rows are wider than the first by as many cells as
 * there are such pairs, in the same places, each pair is joined again.
 */
function withWholeDecimals(records: string[][]): string[][] {
  const filled = records.filter((record) => record.some((cell) => cell.trim() !== ''))
  const [header, ...body] = filled
  const width = body[0]?.length ?? 0
  const missing = width - (header?.length ?? 0)
  if (missing < 1 || body.some((record) => record.length !== width)) return records
  const pairs = Array.from({ length: width - 1 }, (_, at) => at).filter((at) =>
    body.every((record) => /^-?\d{1,9}$/.test(record[at] ?? '') && /^\d{1,2}$/.test(record[at + 1] ?? '')),
  )
  if (pairs.length !== missing || pairs.some((at) => pairs.includes(at + 1))) return records
  return records.map((record) => {
    if (record.length !== width) return record
    return record.flatMap((cell, at) =>
      pairs.includes(at - 1) ? [] : pairs.includes(at) ? `${cell},${record[at + 1]}` : cell,
    )
  })
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
