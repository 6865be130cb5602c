// Detects the type of each column of a table, and parses its cells accordingly.
import type {
  ColumnDoubt,
  ColumnNote,
  ColumnType,
  DateOrder,
  NoteKind,
  NumberSign,
  SignMeaning,
  TableColumn,
} from '#shared/knowledge/tables.ts'
import { foldText, isDash, readBoolean, readDate } from './cell-values.ts'
import { withCurrencies } from './currency-column.ts'
import { type ColumnCell, type NumberColumn, provenSignsOf, readAsNumbers } from './number-column.ts'
import type { Signs } from './number-signs.ts'
import { readQuantity } from './quantities.ts'
import { isWithoutNumber } from './words-for-numbers.ts'

/**
 * The parsed value of a cell, for comparison and sums; null: empty, or not of its column's type. Texts are folded, dates as in ISO 8601.
 */
export type TypedValue = string | number | boolean | null
export type TypedTable = { columns: TableColumn[]; rows: { cells: string[]; typed: TypedValue[] }[] }
/** A parsed cell; `value` null: nothing of the column's type, which is no error where it `fits`. */
export type ReadCell = { value: TypedValue; fits: boolean; note?: NoteKind }
/** Reads the cells of one column, with the facts that hold for all of them. */
export type Reader = {
  type: ColumnType
  facts: Pick<TableColumn, 'unit' | 'doubt' | 'signs' | 'dates' | 'numbers'>
  units: string[] | null
  read(cell: ColumnCell): ReadCell
  unitOf(cell: ColumnCell): string
}
/** What people have chosen for columns, by their names. */
export type ColumnChoice = {
  name: string
  type?: ColumnType
  signs?: Partial<Record<NumberSign, SignMeaning>>
  dates?: DateOrder
}
export type ChosenTypes = ColumnChoice[]
/** Cells, by row and column, that need more than their text: which a spreadsheet holds as numbers, which only repeat a merged one. */
export type CellMarks = { natives: ReadonlySet<string>; repeats: ReadonlySet<string> }

/** Part of a column's filled cells that have to be dates, or yes and no. */
const FIT_SHARE = 0.9
const SAMPLES = 3
const SAMPLE_CHARACTERS = 80
/** How many unfit cells of each kind a column reports. */
const MISFITS = 2
const COLUMNS_MAX = 100
/** Rows by which the script of a table is found out. */
const CYRILLIC_ROWS = 20
const NO_MARKS: CellMarks = { natives: new Set(), repeats: new Set() }

function hasCyrillic(text: string): boolean {
  return /\p{Script=Cyrillic}/u.test(text)
}

/** By which a cell is known in `CellMarks`. */
export function markAt(row: number, column: number): string {
  return `${row}:${column}`
}

/** Types of all columns. What the cells of one leave ambiguous is inferred from the other columns, or left for a person to decide. */
export function typeColumns(
  names: string[],
  rows: string[][],
  choices: ChosenTypes = [],
  marks: CellMarks = NO_MARKS,
): TypedTable {
  const cellsOf = names.map((_, column) => rows.map((row, at) => cellAt(row, at, column, marks)))
  const isCyrillic = [...names, ...rows.slice(0, CYRILLIC_ROWS).flat()].some(hasCyrillic)
  const proven = cellsOf.map((cells, column) => provenSignsOf(cells, names[column] ?? ''))
  const choiceOf = (name: string) => choices.find((choice) => choice.name === name)
  const readers = names.map((name, column) => {
    const elsewhere = agreedSigns(proven.filter((_, other) => other !== column))
    return readerOf(cellsOf[column] ?? [], { name, elsewhere, isCyrillic, choice: choiceOf(name) })
  })
  const columns = names.map((name, column): TableColumn => {
    const facts = noFacts()
    const reader = readers[column] as Reader
    for (const [at, cell] of (cellsOf[column] ?? []).entries()) noteCell(facts, at + 1, cell.text, reader.read(cell))
    return { name, type: reader.type, ...reader.facts, ...facts, ...(choiceOf(name)?.type && { isChosen: true }) }
  })
  const typed = rows.map((_, row) => readers.map((reader, column) => typedOf(reader, cellsOf[column]?.[row])))
  const cells = rows.map((row) => names.map((_, column) => row[column] ?? ''))
  const table = { columns, rows: cells.map((each, at) => ({ cells: each, typed: typed[at] ?? [] })) }
  return withCurrencies(withUnits(table, readers, cellsOf))
}

function cellAt(row: string[], at: number, column: number, { natives, repeats }: CellMarks): ColumnCell {
  const key = markAt(at, column)
  return { text: row[column] ?? '', isNative: natives.has(key), isRepeat: repeats.has(key) }
}

function typedOf(reader: Reader, cell: ColumnCell | undefined): TypedValue {
  return cell ? reader.read(cell).value : null
}

/** What all columns that prove something of a sign agree on. */
function agreedSigns(proven: Partial<Signs>[]): Partial<Signs> {
  const meaning = (sign: NumberSign) => {
    const found = new Set(proven.flatMap((signs) => signs[sign] ?? []))
    return found.size === 1 ? ([...found][0] ?? null) : null
  }
  return { ',': meaning(','), '.': meaning('.') }
}

/** The units of columns with several units are put in columns of their own, after all others. */
function withUnits(table: TypedTable, readers: Reader[], cellsOf: ColumnCell[][]): TypedTable {
  const { columns, rows } = table
  for (const [at, reader] of readers.entries()) {
    const column = columns[at]
    if (!reader.units || !column || columns.length >= COLUMNS_MAX) continue
    const units = (cellsOf[at] ?? []).map((cell) => reader.unitOf(cell))
    const facts = noFacts()
    for (const [row, unit] of units.entries()) noteCell(facts, row + 1, unit, { value: unit, fits: true })
    const isCyrillic = columns.some(({ name }) => hasCyrillic(name))
    columns.push({
      name: uniqueName(columns, `${column.name}: ${isCyrillic ? 'единица' : 'unit'}`),
      type: 'text',
      ...facts,
    })
    column.units = { column: columns.length, values: reader.units }
    for (const [row, unit] of units.entries()) {
      rows[row]?.cells.push(unit)
      rows[row]?.typed.push(unit === '' ? null : foldText(unit))
    }
  }
  return table
}

function uniqueName(columns: TableColumn[], base: string): string {
  const isTaken = (name: string) => columns.some((column) => column.name.toLowerCase() === name.toLowerCase())
  let name = base
  for (let copy = 2; isTaken(name); copy++) name = `${base} (${copy})`
  return name
}

/** `isCyrillic`: the table is written in Cyrillic, where days always come before months. */
type Hints = { name: string; elsewhere?: Partial<Signs>; isCyrillic?: boolean; choice?: ColumnChoice | undefined }

/** How the cells of a column are read: as a person says, else as what most of them are. */
export function readerOf(cells: ColumnCell[], { name, elsewhere = {}, isCyrillic = false, choice }: Hints): Reader {
  const hints = { name, elsewhere, ...(choice?.signs && { chosen: choice.signs }) }
  const numbers = (isForced: boolean) => {
    const column = readAsNumbers(cells, { ...hints, isForced })
    return column && numberReader(column)
  }
  switch (choice?.type) {
    case 'text':
      return textReader(cells)
    case 'boolean':
      return BOOLEAN
    case 'number':
      return numbers(true) ?? textReader(cells)
    case 'date':
      return dateReader(cells, { chosen: choice.dates, isCyrillic, isForced: true }) ?? ISO_DATES
    default:
      return (
        booleanReader(cells) ??
        dateReader(cells, { chosen: choice?.dates, isCyrillic }) ??
        numbers(false) ??
        textReader(cells)
      )
  }
}

function numberReader(column: NumberColumn): Reader {
  return {
    type: 'number',
    facts: {
      ...(column.unit !== null && { unit: column.unit }),
      ...(column.doubt && { doubt: column.doubt }),
      ...(Object.keys(column.signs).length > 0 && { signs: column.signs as TableColumn['signs'] & object }),
    },
    units: column.units,
    read: (cell) => column.read(cell),
    unitOf: (cell) => {
      const { value, unit } = column.read(cell)
      return value === null ? '' : unit
    },
  }
}

/** Reads cells one by one. A dash means empty, and a merged cell applies to every row. */
function plainReader(
  type: ColumnType,
  read: (cell: string) => TypedValue | undefined,
  facts: Reader['facts'] = {},
): Reader {
  return {
    type,
    facts,
    units: null,
    read: ({ text }) => {
      if (text === '') return { value: null, fits: true }
      const value = read(text)
      return { value: value ?? null, fits: value !== undefined || (type !== 'text' && isDash(text)) }
    },
    unitOf: () => '',
  }
}

const BOOLEAN = plainReader('boolean', readBoolean)
const ISO_DATES = plainReader('date', (cell) => readDate(cell, 'iso'))

function textReader(cells: ColumnCell[]): Reader {
  const numbers = cells.filter(({ text }) => looksNumeric(text)).length
  return plainReader('text', foldText, numbers > 0 ? { numbers } : {})
}

/** Whether a cell reads like a number, a day or a time: as texts these have no order. */
function looksNumeric(text: string): boolean {
  return /^[+\-−]?[\s.,:/-]*\d[\d\s.,:/-]*$/.test(text) || readQuantity(text) !== undefined
}

function booleanReader(cells: ColumnCell[]): Reader | undefined {
  return shareOf(spoken(cells), (cell) => readBoolean(cell) !== undefined) >= FIT_SHARE ? BOOLEAN : undefined
}

const ORDERS = ['day-first', 'month-first'] as const

/** Undefined where too few are dates. Days and months that could be either are in doubt. */
function dateReader(
  cells: ColumnCell[],
  { chosen, isCyrillic, isForced = false }: { chosen: DateOrder | undefined; isCyrillic: boolean; isForced?: boolean },
): Reader | undefined {
  const texts = spoken(cells)
  const counted = isForced ? texts : texts.filter((text) => !isWithoutNumber(text))
  const as = (order: DateOrder) => (cell: string) => readDate(cell, 'iso') ?? readDate(cell, order)
  const shares = ORDERS.map((order) => shareOf(counted, (cell) => as(order)(cell) !== undefined))
  const [dayFirst = 0, monthFirst = 0] = shares
  const order = chosen ?? (dayFirst > monthFirst ? 'day-first' : monthFirst > dayFirst ? 'month-first' : null)
  if (Math.max(dayFirst, monthFirst) < (isForced ? Number.MIN_VALUE : FIT_SHARE)) return undefined
  const open = texts.filter((text) => /\d\/\d{1,2}\/\d/.test(text) && as('day-first')(text) !== as('month-first')(text))
  const isOpen = order === null && open.length > 0 && !isCyrillic
  return plainReader('date', as(order ?? (isOpen ? 'month-first' : 'day-first')), {
    ...(chosen && { dates: chosen }),
    ...(isOpen && { doubt: dateDoubt(open, as) }),
  })
}

function dateDoubt(open: string[], as: (order: DateOrder) => (cell: string) => string | undefined): ColumnDoubt {
  const examples = [...new Set(open)].slice(0, SAMPLES).map((cell) => ({
    cell,
    dayFirst: as('day-first')(cell) ?? '',
    monthFirst: as('month-first')(cell) ?? '',
  }))
  return { kind: 'date_order', examples }
}

function spoken(cells: ColumnCell[]): string[] {
  return cells.flatMap(({ text }) => (text === '' || isDash(text) ? [] : [text]))
}

function shareOf(texts: string[], holds: (text: string) => boolean): number {
  return texts.length === 0 ? 0 : texts.filter(holds).length / texts.length
}

/** What is reported about the cells of a column. */
export type ColumnFacts = Required<Pick<TableColumn, 'samples' | 'readAs' | 'unfit' | 'misfits' | 'notes'>>

/** Of a column without cells. */
export function noFacts(): ColumnFacts {
  return { samples: [], readAs: [], unfit: 0, misfits: [], notes: [] }
}

/** Adds the next cell of a column, in the order of the rows, to its facts. */
export function noteCell(facts: ColumnFacts, row: number, cell: string, { value, fits, note }: ReadCell): void {
  if (cell === '') return
  const sample = cell.slice(0, SAMPLE_CHARACTERS).toWellFormed()
  if (!fits) {
    facts.unfit += 1
    if (facts.misfits.length < MISFITS && facts.misfits.every((known) => known.cell !== sample)) {
      facts.misfits.push({ row, cell: sample })
    }
  }
  if (note) addNote(facts.notes, note, { row, cell: sample })
  if (facts.samples.length === SAMPLES) return
  if (facts.samples.includes(sample)) return
  facts.samples.push(sample)
  facts.readAs.push(value)
}

function addNote(notes: ColumnNote[], kind: NoteKind, cell: ColumnNote['cells'][number]): void {
  let note = notes.find((each) => each.kind === kind)
  if (!note) {
    note = { kind, count: 0, cells: [] }
    notes.push(note)
  }
  note.count += 1
  if (note.cells.length < MISFITS) note.cells.push(cell)
}

/** A dash in a column of numbers, dates or yes and no is an empty cell. */
export function saysNothing(type: ColumnType, cell: string): boolean {
  return type !== 'text' && isDash(cell)
}
