// Finds out what each column of a table holds, and reads its cells accordingly.
import type { ColumnType, TableColumn } from '#shared/tables.ts'
import { foldText, isDash, readBoolean, readDate, readNumber, type Spelling } from './cell-values.ts'
import { commonUnit, readMeasured } from './units.ts'

/** A cell as it is compared and added up; null: empty, or not of its column's type. Texts are folded, dates as in ISO 8601. */
export type TypedValue = string | number | boolean | null
export type TypedTable = { columns: TableColumn[]; rows: { cells: string[]; typed: TypedValue[] }[] }

/** Reads the cells of one column; undefined for a cell of another type. `unit`: what its numbers are numbers of. */
export type Reader = { type: ColumnType; unit?: string; read(cell: string): TypedValue | undefined }
/** Types that people have chosen, by the names of the columns. */
export type ChosenTypes = { name: string; type: ColumnType }[]

/** Part of a column's filled cells that have to be of a type. */
const FIT_SHARE = 0.9
const SAMPLES = 3
const SAMPLE_CHARACTERS = 80
/** Cells that do not fit of which a column tells. */
const MISFITS = 2

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
export function typeColumns(names: string[], rows: string[][], choices: ChosenTypes = []): TypedTable {
  const readers = readersFor(names, rows)
  const typeOf = (name: string) => choices.find((choice) => choice.name === name)?.type
  const chosen = names.map((name, column) => {
    const cells = rows.map((row) => row[column] ?? '')
    const type = typeOf(name)
    return type ? readerAs(type, cells, readers) : readerOf(cells, readers)
  })
  const columns = names.map((name, column): TableColumn => {
    const reader = chosen[column] ?? TEXT
    const facts = noFacts()
    for (const [at, row] of rows.entries()) noteCell(facts, at + 1, row[column] ?? '', (cell) => isFit(reader, cell))
    return { name, ...kindOf(reader), ...facts, ...(typeOf(name) && { isChosen: true }) }
  })
  return {
    columns,
    rows: rows.map((row) => ({
      cells: names.map((_, column) => row[column] ?? ''),
      typed: chosen.map((reader, column) => typedCell(reader, row[column] ?? '')),
    })),
  }
}

/** What a reader says of its column. */
export function kindOf({ type, unit }: Reader): Pick<TableColumn, 'type' | 'unit'> {
  return unit === undefined ? { type } : { type, unit }
}

/** How numbers and dates may be written in a table: the first spelling wins where its cells leave it open. */
export function readersFor(names: string[], rows: string[][]): Reader[] {
  const isRussian = [...names, ...rows.slice(0, 20).flat()].some((text) => /\p{Script=Cyrillic}/u.test(text))
  return isRussian ? RUSSIAN : ENGLISH
}

/** The reader of a type that a person has chosen, in the spelling that most cells fit. Dates as in ISO 8601 are always understood. */
export function readerAs(type: ColumnType, cells: string[], readers: Reader[]): Reader {
  const ofType = readers.filter((reader) => reader.type === type).map(withIso)
  const unit = type === 'number' ? commonUnit(cells) : undefined
  const all = unit === undefined ? ofType : [...ofType, ...ofType.map((reader) => withUnit(reader, unit))]
  return mostFitting(cells.filter(Boolean), all, 0) ?? ofType[0] ?? TEXT
}

/** Reads numbers with that unit, and such without any. */
function withUnit(reader: Reader, unit: string): Reader {
  const read = (cell: string) => {
    const measured = readMeasured(cell)
    return measured?.unit === unit ? reader.read(measured.number) : reader.read(cell)
  }
  return { type: 'number', unit, read }
}

function withIso(reader: Reader): Reader {
  if (reader.type !== 'date') return reader
  return { type: 'date', read: (cell) => reader.read(cell) ?? readDate(cell, 'iso') }
}

/** A cell as it is compared and added up. */
export function typedCell({ read }: Reader, cell: string): TypedValue {
  return cell === '' ? null : (read(cell) ?? null)
}

/** What is told of the cells of a column. */
export type ColumnFacts = Required<Pick<TableColumn, 'samples' | 'unfit' | 'misfits'>>

/** Of a column in which nothing stands yet. */
export function noFacts(): ColumnFacts {
  return { samples: [], unfit: 0, misfits: [] }
}

/** Takes the next cell of a column, in the order of the rows, into what is told of it. */
export function noteCell(facts: ColumnFacts, row: number, cell: string, fits: (cell: string) => boolean): void {
  if (cell === '') return
  const sample = cell.slice(0, SAMPLE_CHARACTERS).toWellFormed()
  if (!fits(cell)) {
    facts.unfit += 1
    if (facts.misfits.length < MISFITS && facts.misfits.every((known) => known.cell !== sample)) {
      facts.misfits.push({ row, cell: sample })
    }
  }
  if (facts.samples.length === SAMPLES) return
  if (!facts.samples.includes(sample)) facts.samples.push(sample)
}

/** A dash in a column of numbers, dates or yes and no is an empty cell. */
export function saysNothing(type: ColumnType, cell: string): boolean {
  return type !== 'text' && isDash(cell)
}

/** Whether a cell is of the type, or says nothing. */
export function isFit({ type, read }: Reader, cell: string): boolean {
  return saysNothing(type, cell) || read(cell) !== undefined
}

/** The reader that most cells fit, the first of them when several do. */
function readerOf(column: string[], readers: Reader[]): Reader {
  const cells = column.filter((cell) => cell !== '' && !isDash(cell))
  return mostFitting(cells, readers, Math.max(1, cells.length * FIT_SHARE) - 1e-9) ?? unitReader(cells, readers) ?? TEXT
}

/** Where every cell is a number with the same unit. A single one may be a name. */
function unitReader(cells: string[], readers: Reader[]): Reader | undefined {
  const unit = cells.length > 1 ? readMeasured(cells[0] ?? '')?.unit : undefined
  if (unit === undefined || cells.some((cell) => readMeasured(cell)?.unit !== unit)) return undefined
  const numbers = readers.filter(({ type }) => type === 'number').map((reader) => withUnit(reader, unit))
  return mostFitting(cells, numbers, cells.length - 1)
}

/** Undefined where none of them reads more cells than `least`. */
function mostFitting(cells: string[], readers: Reader[], least: number): Reader | undefined {
  let best: Reader | undefined
  let most = least
  for (const reader of readers) {
    const fits = cells.filter((cell) => reader.read(cell) !== undefined).length
    if (fits > most) {
      best = reader
      most = fits
    }
  }
  return best
}
