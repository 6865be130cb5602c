// Finds out what each column of a table holds, and reads its cells accordingly.
import type { ColumnType, TableColumn } from '#shared/tables.ts'
import { foldText, isDash, readBoolean, readDate, readNumber, type Spelling } from './cell-values.ts'

/** A cell as it is compared and added up; null: empty, or not of its column's type. Texts are folded, dates as in ISO 8601. */
export type TypedValue = string | number | boolean | null
export type TypedTable = { columns: TableColumn[]; rows: { cells: string[]; typed: TypedValue[] }[] }

type Reader = { type: ColumnType; read(cell: string): TypedValue | undefined }

/** Part of a column's filled cells that have to be of a type. */
const FIT_SHARE = 0.9
const SAMPLES = 3
const SAMPLE_CHARACTERS = 80

const BOOLEAN: Reader = { type: 'boolean', read: readBoolean }
const TEXT: Reader = { type: 'text', read: foldText }
const spelledNumber = (spelling: Spelling & ('comma' | 'point')): Reader => ({
  type: 'number',
  read: (cell) => readNumber(cell, spelling),
})
const spelledDate = (spelling: Spelling & ('iso' | 'day-first' | 'month-first')): Reader => ({
  type: 'date',
  read: (cell) => readDate(cell, spelling),
})
const RUSSIAN = [BOOLEAN, spelledNumber('comma'), spelledNumber('point')].concat([
  spelledDate('iso'),
  spelledDate('day-first'),
  spelledDate('month-first'),
])
const ENGLISH = [BOOLEAN, spelledNumber('point'), spelledNumber('comma')].concat([
  spelledDate('iso'),
  spelledDate('month-first'),
  spelledDate('day-first'),
])

/** Types of all columns. A spelling that the cells leave open is taken from the language of the table. */
export function typeColumns(names: string[], rows: string[][]): TypedTable {
  const isRussian = [...names, ...rows.slice(0, 20).flat()].some((text) => /\p{Script=Cyrillic}/u.test(text))
  const readers = isRussian ? RUSSIAN : ENGLISH
  const chosen = names.map((_, column) =>
    readerOf(
      rows.map((row) => row[column] ?? ''),
      readers,
    ),
  )
  const columns = names.map((name, column): TableColumn => {
    const reader = chosen[column] ?? TEXT
    const facts = noFacts()
    for (const row of rows) noteCell(facts, row[column] ?? '', (cell) => isFit(reader, cell))
    return { name, type: reader.type, ...facts }
  })
  return {
    columns,
    rows: rows.map((row) => ({
      cells: names.map((_, column) => row[column] ?? ''),
      typed: chosen.map((reader, column) => (row[column] ? (reader.read(row[column]) ?? null) : null)),
    })),
  }
}

/** What is told of the cells of a column. */
export type ColumnFacts = Pick<TableColumn, 'samples' | 'unfit'>

/** Of a column in which nothing stands yet. */
export function noFacts(): ColumnFacts {
  return { samples: [], unfit: 0 }
}

/** Takes the next cell of a column, in the order of the rows, into what is told of it. */
export function noteCell(facts: ColumnFacts, cell: string, isFit: (cell: string) => boolean): void {
  if (cell === '') return
  if (!isFit(cell)) facts.unfit += 1
  if (facts.samples.length === SAMPLES) return
  const sample = cell.slice(0, SAMPLE_CHARACTERS).toWellFormed()
  if (!facts.samples.includes(sample)) facts.samples.push(sample)
}

/** A dash in a column of numbers, dates or yes and no is an empty cell. */
function isFit({ type, read }: Reader, cell: string): boolean {
  return (type !== 'text' && isDash(cell)) || read(cell) !== undefined
}

/** The reader that most cells fit, the first of them when several do. */
function readerOf(column: string[], readers: Reader[]): Reader {
  const cells = column.filter((cell) => cell !== '' && !isDash(cell))
  let best = TEXT
  let most = Math.max(1, cells.length * FIT_SHARE) - 1e-9
  for (const reader of readers) {
    const fits = cells.filter((cell) => reader.read(cell) !== undefined).length
    if (fits > most) {
      best = reader
      most = fits
    }
  }
  return best
}
