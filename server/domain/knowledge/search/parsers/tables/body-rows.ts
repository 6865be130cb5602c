// Which rows below a header are items: sums, notes, sections and repeated headers are not.
import type { LoneRows, TableWarning } from '#shared/knowledge/tables.ts'
import type { GridRow } from './grid.ts'
import { readQuantity } from './quantities.ts'
import {
  filledIn,
  isContact,
  isNote,
  isPlainNumber,
  isValue,
  numbersColumns,
  saysTotal,
  summaryOf,
  totalledIn,
} from './row-kinds.ts'
import { isSameHeader, type Region } from './table-regions.ts'

/** `section`: in which section of the table it stands; empty for none. */
export type Item = GridRow & { section: string }
/** `sections` are null where the table has none. */
export type Body = { items: Item[]; sections: string[] | null; warnings: TableWarning[] }

type Kind = 'item' | 'section' | 'note' | 'total' | 'header' | 'lone'
type Classified = { row: GridRow; kind: Kind; text: string }

/** Texts and names that a warning names. */
const NAMED = 5
const TEXT_MAX = 120
/** By which the parts of a sum may be rounded, each. */
const ROUNDING = 0.005
/** Rows above a sum that are added up to know it. */
const SUMMED_ROWS = 500
/** By which two forms of a name are known to be one. */
const NAME_LETTERS = 4
/** Rows that a sum which is not called one adds up at least. */
const SUMMED_LEAST = 5

/** @param chosen the meaning of rows with only a name, where a person has set it */
export function readBody({ header, body }: Region, chosen: LoneRows | undefined): Body {
  const width = Math.max(header.names.length, ...body.map(({ cells }) => cells.findLastIndex(Boolean) + 1))
  const key = Math.max(0, header.names.findIndex(Boolean))
  const rows = body.filter(({ cells }) => filledIn(cells) > 0)
  const typical = typicalFill(rows)
  const lastItem = rows.findLastIndex(({ cells }) => filledIn(cells) > 1 && !saysTotal(cells))
  const words = new Set(rows.flatMap(({ cells }) => (filledIn(cells) > 1 ? [firstWord(cells[key] ?? '')] : [])))
  const lastNamed = rows.findLastIndex(
    ({ cells }) => filledIn(cells) === 1 && isCalledLikeItem(cells[key] ?? '', words),
  )
  const classified = rows.map((row, at): Classified => {
    const kind = kindOf(row, {
      header,
      width,
      key,
      at,
      rows,
      isBehind: at > lastItem && at >= lastNamed,
      typical,
      words,
    })
    const [first = '', second = ''] = row.cells.filter(Boolean)
    return { row, kind, text: kind === 'section' ? second : first }
  })
  return settled(classified, { typical, chosen, body, numberings: header.numberings })
}

type Place = {
  header: Region['header']
  width: number
  key: number
  at: number
  rows: GridRow[]
  isBehind: boolean
  typical: number
  words: ReadonlySet<string>
}

function kindOf(row: GridRow, place: Place): Kind {
  const { cells } = row
  const filled = cells.filter(Boolean)
  const [first = ''] = filled
  if (isSameHeader(cells, place.header)) return 'header'
  if (isNumbering(cells, place)) return 'header'
  if (isTotal(row, place)) return 'total'
  if (isContactLine(cells, place)) return 'note'
  if (isNumberedSection(cells, place)) return 'section'
  if (place.isBehind && (isNote(first) || filled.some((cell) => isNote(cell)))) return 'note'
  if (filled.length > 1 || place.width < 2) return 'item'
  if (isValue(first))
    return place.at === place.rows.length - 1 && cells.findIndex(Boolean) !== place.key ? 'total' : 'item'
  if (isNote(first)) return 'note'
  if (cells.findIndex(Boolean) > place.key) return isOfNames(cells.findIndex(Boolean), place) ? 'item' : 'note'
  if (!place.isBehind) return 'lone'
  const isNamed = place.rows.some(
    ({ cells: own }) => filledIn(own) > 1 && firstWord(own[place.key] ?? '') === firstWord(first),
  )
  return (place.typical > 2 && !isNamed && !hasNumber(first)) || /[.!]$/.test(first) ? 'note' : 'item'
}

/** `2;Surgery` above `2.1;Removal;7000`: a number and a name, and the rows below count on from the number. */
function isNumberedSection(cells: string[], { at, rows, key, width }: Place): boolean {
  const [number = '', name = '', ...others] = cells.filter(Boolean)
  const isNumber = cells[key] === number && /^\d{1,3}(?:\.\d{1,3})*\.?$/.test(number)
  if (width < 3 || !isNumber || name === '' || isValue(name) || others.length > 0) return false
  const below = rows[at + 1]?.cells ?? []
  return (below[key] ?? '').startsWith(`${number.replace(/\.$/, '')}.1`)
}

/** Whether a column right of the first one is that in which nearly every row has its name. */
function isOfNames(column: number, { rows, key }: Place): boolean {
  const near = rows.slice(0, SUMMED_ROWS).filter(({ cells }) => filledIn(cells) > 1 && !saysTotal(cells))
  const own = near.filter(({ cells }) => cells[column] && !isValue(cells[column])).length
  return own * 5 >= near.length * 4 && near.some(({ cells }) => !cells[key])
}

/** A line with the shop's telephone between items, in columns that hold no telephones. */
function isContactLine(cells: string[], { rows, typical, key }: Place): boolean {
  const columns = cells.flatMap((cell, column) => (isContact(cell) ? [column] : []))
  if (columns.length === 0 || cells.some(isPlainNumber)) return false
  const near = rows.slice(0, SUMMED_ROWS)
  const isUsual = (column: number) =>
    near.filter(({ cells: own }) => isContact(own[column] ?? '')).length * 3 > near.length
  if (columns.some(isUsual)) return false
  // A comment that mentions one: the row is whole, and texts are what its column holds.
  const isOfTexts = (column: number) =>
    near.filter(({ cells: own }) => own[column] && !isValue(own[column])).length * 2 > near.length
  const isWhole = filledIn(cells) >= typical && columns.every((column) => column !== key && isOfTexts(column))
  return !isWhole
}

/** Numbers of the columns on the next printed page. */
function isNumbering(cells: string[], { at, rows, header }: Place): boolean {
  if (!numbersColumns(cells) || filledIn(cells) < 3 || at === 0) return false
  return isSameHeader(rows[at - 1]?.cells ?? [], header)
}

/** A row that adds up others says so where a name would stand, and leaves cells empty unless it is the last, or is their sum. */
function isTotal({ cells }: GridRow, { at, rows, width, key, isBehind }: Place): boolean {
  const filled = filledIn(cells)
  const isLast = at === rows.length - 1
  const above = () => rows.slice(Math.max(0, at - SUMMED_ROWS), at)
  if (saysTotal(cells)) {
    if (filled < 2) return isBehind
    return isLast || isBehind || (width > 2 && filled < width) || isSumOf(cells, above())
  }
  const totalled = totalledIn(cells)
  if (totalled !== undefined && (isSumOf(cells, above()) || repeatsOne(cells, rows[at - 1]?.cells ?? [], totalled)))
    return true
  if (isLast && sumsUpAll(cells, rows.slice(0, at))) return true
  const summary = summaryOf(cells)
  if (summary && filled > 1) return isSummaryOf(cells, above(), summary)
  const isUnnamed = !cells[key] && cells.every((cell) => cell === '' || isPlainNumber(cell))
  return isUnnamed && filled > 0 && (isLast || isSumOf(cells, above()))
}

/** A sum of one row, of the same name: «Итого чай» below «Чай». */
function repeatsOne(cells: string[], above: string[], totalled: string): boolean {
  const isOfName =
    firstWord(above.find(Boolean) ?? '').slice(0, NAME_LETTERS) === firstWord(totalled).slice(0, NAME_LETTERS)
  return isOfName && cells.slice(1).every((cell, column) => cell === '' || cell === above[column + 1])
}

/** Whether all numbers of the row are what it says of those above it, as far as it may be rounded; of two at least. */
function isSummaryOf(cells: string[], above: GridRow[], summary: (values: number[]) => number): boolean {
  const own = cells.flatMap((cell, column) => {
    const value = plainNumber(cell)
    return value === undefined ? [] : [{ value, column }]
  })
  return (
    own.length > 0 &&
    own.every(({ value, column }) => {
      const values = above.flatMap((row) => (summaryOf(row.cells) ? [] : (plainNumber(row.cells[column] ?? '') ?? [])))
      return values.length > 1 && Math.abs(summary(values) - value) <= Math.max(ROUNDING, Math.abs(value) * ROUNDING)
    })
  )
}

/** Whether each number of the row is the sum of all those above it, of five at least: of fewer a set of them all may be. */
function sumsUpAll(cells: string[], above: GridRow[]): boolean {
  if (above.length < SUMMED_LEAST || above.length > SUMMED_ROWS) return false
  const own = cells.flatMap((cell, column) => (plainNumber(cell) === undefined ? [] : [column]))
  return (
    own.length > 0 &&
    own.every((column) => {
      const parts = above.map((row) => plainNumber(row.cells[column] ?? ''))
      const sum = parts.reduce<number>((before, part) => before + (part ?? Number.NaN), 0)
      return Math.abs(sum - (plainNumber(cells[column] ?? '') ?? 0)) <= ROUNDING * (parts.length + 1) && sum !== 0
    })
  )
}

/** Whether a number of the row is the sum of those above it, back to any row; of two at least. */
function isSumOf(cells: string[], above: GridRow[]): boolean {
  return cells.some((cell, column) => {
    const own = plainNumber(cell)
    if (own === undefined || own === 0) return false
    let sum = 0
    let parts = 0
    for (const { cells: other } of above.toReversed()) {
      const part = plainNumber(other[column] ?? '')
      if (part === undefined) continue
      sum += part
      parts += 1
      if (parts > 1 && Math.abs(sum - own) <= ROUNDING * (parts + 1)) return true
    }
    return false
  })
}

function plainNumber(cell: string): number | undefined {
  const digits = readQuantity(cell)?.digits
  return digits === undefined ? undefined : Number(digits.replace(/[.,](?=\d{3}(?:\D|$))/g, '').replace(',', '.'))
}

/** How many cells most items fill. */
function typicalFill(rows: GridRow[]): number {
  const counts = rows.map(({ cells }) => filledIn(cells)).filter((count) => count > 1)
  return counts.sort((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 1
}

/** What rows with only a name are: sections, where something tells, else a person has to say. */
function settled(
  classified: Classified[],
  {
    typical,
    chosen,
    body,
    numberings,
  }: { typical: number; chosen: LoneRows | undefined; body: GridRow[]; numberings: number },
): Body {
  const lone = classified.filter(({ kind }) => kind === 'lone')
  const isPlausible = typical > 2 && (lone.length > 1 || isFirst(classified))
  const isSure = lone.length > 0 && !someAreItems(lone, classified) && (isPlausible || areMarked(classified, body))
  const areSections = chosen ? chosen === 'sections' : isSure
  const items: Item[] = []
  let path: string[] = []
  let isAfterSection = false
  const sections: string[] = []
  for (const { row, kind, text } of classified) {
    if (kind === 'section') {
      const depth = (row.cells.find(Boolean)?.match(/\.\d/g) ?? []).length
      path = [...path.slice(0, depth), nameOf(text)]
      isAfterSection = false
      sections.push(nameOf(text))
    } else if (kind === 'lone' && areSections) {
      path = isAfterSection ? [...path.slice(0, 1), nameOf(text)] : [nameOf(text)]
      isAfterSection = true
      sections.push(nameOf(text))
    } else if (kind === 'item' || kind === 'lone') {
      items.push({ ...row, section: path.join(' / ') })
      isAfterSection = false
    }
  }
  const isUnsure = !chosen && !areSections && lone.length > 0 && !areAllItems(lone, classified)
  return {
    items,
    sections: sections.length > 0 ? sections : null,
    warnings: warningsOf(classified, isUnsure ? lone : [], numberings),
  }
}

/** Whether all lone rows are called like items in both ways: by a first word that items have, and with a number. */
function areAllItems(lone: Classified[], classified: Classified[]): boolean {
  const names = new Set(classified.flatMap(({ kind, text }) => (kind === 'item' ? [firstWord(text)] : [])))
  return lone.every(({ text }) => hasNumber(text) && names.has(firstWord(text)))
}

/** Whether some of several lone rows, or the only one, are called like an item: by the same first word, or with a number in the name. */
function someAreItems(lone: Classified[], classified: Classified[]): boolean {
  const names = new Set(classified.flatMap(({ kind, text }) => (kind === 'item' ? [firstWord(text)] : [])))
  const alike = lone.filter(({ text }) => names.has(firstWord(text))).length
  return lone.some(({ text }) => hasNumber(text)) || (alike > 0 && (alike < lone.length || lone.length === 1))
}

/** @param words the first words of items */
function isCalledLikeItem(text: string, words: ReadonlySet<string>): boolean {
  return text !== '' && !isNote(text) && (hasNumber(text) || words.has(firstWord(text)))
}

/** A number in a name, not before it: `Плитка 300x300`, but not `1. Обувь`. */
function hasNumber(text: string): boolean {
  return /\D\d/.test(text.replace(/^\d+[.)]/, ''))
}

/** Whether the first row is a lone one. */
function isFirst(classified: Classified[]): boolean {
  return classified.find(({ kind }) => kind === 'item' || kind === 'lone')?.kind === 'lone'
}

function firstWord(text: string): string {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/u)?.[0] ?? ''
}

/** Sections are marked where the first row is one and others follow, and where all of them are written large, end in a colon or follow an empty row. */
function areMarked(classified: Classified[], body: GridRow[]): boolean {
  const lone = classified.filter(({ kind }) => kind === 'lone')
  if (isFirst(classified) && lone.length > 1) return true
  const belowBlank = new Set(
    body.flatMap(({ at }, index) => (index > 0 && filledIn(body[index - 1]?.cells ?? []) === 0 ? [at] : [])),
  )
  return lone.every(({ row, text }) => {
    const isApart = belowBlank.has(row.at)
    return isApart || /:$/.test(text) || (text.length > 2 && text === text.toUpperCase() && text !== text.toLowerCase())
  })
}

function nameOf(text: string): string {
  return text.replace(/\s*:$/, '').slice(0, TEXT_MAX).toWellFormed()
}

function warningsOf(classified: Classified[], unsure: Classified[], numberings: number): TableWarning[] {
  const of = (kind: Kind) => classified.filter((each) => each.kind === kind)
  const texts = (kind: Kind) => of(kind).map(({ text }) => text.slice(0, TEXT_MAX).toWellFormed())
  const [totals, notes, headers] = [of('total').length, of('note').length, of('header').length + numberings]
  return [
    ...(totals > 0 ? [{ kind: 'totals_left_out' as const, count: totals }] : []),
    ...(notes > 0 ? [{ kind: 'notes_left_out' as const, count: notes, texts: texts('note').slice(0, NAMED) }] : []),
    ...(headers > 0 ? [{ kind: 'headers_left_out' as const, count: headers }] : []),
    ...(unsure.length > 0
      ? [
          {
            kind: 'sections_unsure' as const,
            count: unsure.length,
            names: unsure.slice(0, NAMED).map(({ text }) => text),
          },
        ]
      : []),
  ]
}
