// How much of tables reaches a model and the record of an answer. Pure.
import { foldText } from '#server/domain/knowledge/search/parsers/tables/cell-values.ts'
import { isStopWord, stemOf, subjectStems, wordsOf } from '#server/integrations/llm/words.ts'
import { foldKazakh } from '#server/platform/lib/text/kazakh.ts'
import { editDistance, typosAllowed } from '#server/platform/lib/text/word-distance.ts'
import { soundOf } from '#server/platform/lib/text/word-sounds.ts'
import {
  type DataTable,
  isTableDoubt,
  type NoteKind,
  type TableColumn,
  type TableRow,
} from '#shared/knowledge/tables.ts'

/** Characters that describe tables to a model in full, in short, and by name only. */
const FULL_CHARACTERS = 12_000
const SHORT_CHARACTERS = 6_000
const NAME_CHARACTERS = 4_000
/** Characters of one sample. */
const SAMPLE_CHARACTERS = 40
/** Characters of one cell of a result. */
const CELL_CHARACTERS = 200
/** Characters of all rows of a result. */
const ROWS_CHARACTERS = 8_000
/** Tables with samples that are better than more without. */
const FULL_MIN = 5
/** Shorter words are an error away from too many others. */
const NEAR_LEAST = 4
/** Shorter words stand within too many others. */
const HELD_LEAST = 3
/** Tables that a search names beyond those that it describes. */
const OTHERS_MAX = 20
/** Names of columns of a table that is described in short. */
const SHORT_COLUMNS = 8

/**
 * Tables as they are described to a model, those that a question is about first, else the newest: as many as fit with all their columns, the
 * next in short, and the next by name alone. `unlisted` can only be found by search.
 *
 * @param tables the oldest first
 */
export function describeTables(
  tables: DataTable[],
  question = '',
): { known: DataTable[]; unlisted: DataTable[]; text: string } {
  const ranked = rankTables(tables, question)
  const full = fitting(ranked, (table) => describe(table, true), FULL_CHARACTERS)
  const cut = full.length === ranked.length ? full : fitting(ranked, (table) => describe(table, false), FULL_CHARACTERS)
  const details = full.length === ranked.length || (cut.length < ranked.length && full.length >= FULL_MIN) ? full : cut
  const short = fitting(ranked.slice(details.length), describeShort, SHORT_CHARACTERS, 0)
  const rest = ranked.slice(details.length + short.length)
  const names = fitting(rest, describeName, NAME_CHARACTERS, 0)
  const unlisted = rest.slice(names.length)
  return {
    known: ranked.slice(0, ranked.length - unlisted.length),
    unlisted,
    text: [
      ...details,
      ...(short.length > 0 ? ['More tables, in short; find_tables tells their columns:', ...short] : []),
      ...names,
      ...(unlisted.length > 0 ? [`${unlisted.length} more tables are found by find_tables only.`] : []),
    ].join('\n'),
  }
}

/** The tables that share most words with a question, by name, columns and samples; of equals the newest. */
function rankTables(tables: DataTable[], question: string): DataTable[] {
  const asked = askedOf(question)
  const newest = tables.toReversed()
  if (asked.size === 0) return newest
  const rated = newest.map((table) => ({ table, shared: sharedStems(table, asked) }))
  return rated.sort((a, b) => b.shared - a.shared).map(({ table }) => table)
}

/** The tables with words that are mistyped in a question, or divided otherwise, the nearest first. */
function nearTables(tables: DataTable[], question: string): DataTable[] {
  const pieces = piecesOf(question)
  const rated = tables.toReversed().map((table) => {
    const own = piecesOf(textOf(table))
    return { table, near: pieces.filter((piece) => own.some((other) => isNear(piece, other))).length }
  })
  return rated
    .filter(({ near }) => near > 0)
    .sort((a, b) => b.near - a.near)
    .map(({ table }) => table)
}

/** Stems of words, and of neighbours in one piece. */
function piecesOf(text: string): string[] {
  const words = wordsOf(plain(text)).filter((word) => !isStopWord(word))
  const joined = words.slice(1).map((word, at) => `${words[at]}${word}`)
  return [...new Set([...words, ...joined].map(stemOf))].filter((stem) => stem.length >= NEAR_LEAST)
}

function isNear(one: string, other: string): boolean {
  const most = typosAllowed(Math.max(one.length, other.length))
  return Math.abs(one.length - other.length) <= most && editDistance(one, other) <= most
}

/** What a search for tables found: the best described in full, the next by name alone, and how many there are beyond them. */
export type FoundTables = { found: string[]; others: string[]; leftOut: number }

/**
 * The tables that a search for some words finds, the best first.
 *
 * @param held how many of the words the rows of each table hold
 */
export function findTables(
  tables: DataTable[],
  words: string,
  most: number,
  held: ReadonlyMap<string, number> = new Map(),
): FoundTables {
  const asked = askedOf(words)
  const rated = tables.toReversed().map((table) => ({
    table,
    shared: Math.max(sharedStems(table, asked), held.get(table._id) ?? 0),
  }))
  const exact = rated.filter(({ shared }) => asked.size === 0 || shared > 0).sort((a, b) => b.shared - a.shared)
  const matching = exact.length > 0 ? exact.map(({ table }) => table) : nearTables(tables, words)
  const others = matching.slice(most, most + OTHERS_MAX)
  return {
    found: matching.slice(0, most).map((table) => describe(table, true)),
    others: others.map(describeName),
    leftOut: Math.max(0, matching.length - most - others.length),
  }
}

/** The words of a search as the rows of tables are compared with them. */
export function wordsHeld(words: string): string[] {
  return [...subjectStems(foldText(words))].filter((stem) => stem.length >= HELD_LEAST)
}

/** What a table can be found by: its name and sheet, its columns and samples. */
function textOf({ name, sheet, columns }: DataTable): string {
  return [name, sheet ?? '', ...columns.flatMap((column) => [column.name, ...column.samples])].join(' ')
}

function sharedStems(table: DataTable, asked: Set<string>): number {
  const text = plain(textOf(table))
  const own = new Set([...subjectStems(text), ...soundsIn(text)])
  return [...asked].filter((word) => own.has(word)).length
}

/** The stems of a question, and how its words sound in the other alphabet. */
function askedOf(question: string): Set<string> {
  const text = plain(question)
  return new Set([...subjectStems(text), ...soundsIn(text, OTHER)])
}

/** Small letters, Russian ones in the place of the Kazakh ones. */
function plain(text: string): string {
  return foldKazakh(text.toLowerCase().replaceAll('ё', 'е'))
}

const OTHER = { latin: 'cyrillic', cyrillic: 'latin' } as const

/** The sounds of words that are written in one alphabet, with its name. */
function soundsIn(text: string, as: Record<keyof typeof OTHER, string> = { latin: 'latin', cyrillic: 'cyrillic' }) {
  return (text.match(/[\p{L}-]+/gu) ?? []).flatMap((word) => {
    const joined = word.replaceAll('-', '')
    const sound = isStopWord(joined) ? undefined : soundOf(joined)
    return sound ? [`~${as[/^[a-z]/.test(joined) ? 'latin' : 'cyrillic']} ${sound.key}`] : []
  })
}

/** The first descriptions that fit together, at least so many. */
function fitting(tables: DataTable[], describeOne: (table: DataTable) => string, most: number, least = 1): string[] {
  const texts: string[] = []
  let characters = 0
  for (const table of tables) {
    const text = describeOne(table)
    characters += text.length
    if (characters > most && texts.length >= least) break
    texts.push(text)
  }
  return texts
}

function describeShort({ _id, name, sheet, rows, columns }: DataTable): string {
  const names = columns.slice(0, SHORT_COLUMNS).map((column) => shorten(column.name, SAMPLE_CHARACTERS))
  return JSON.stringify({ table: _id, name, ...(sheet !== null && { sheet }), rows, columns: names })
}

function describeName({ _id, name, sheet }: DataTable): string {
  return JSON.stringify({ table: _id, name, ...(sheet !== null && { sheet }) })
}

/** The first rows, as many as fit, with long cells cut. At least one, if there is any. */
export function fitRows(rows: TableRow[]): TableRow[] {
  const cut = rows.map(({ number, cells }) => ({ number, cells: cells.map((cell) => shorten(cell, CELL_CHARACTERS)) }))
  let characters = 0
  const end = cut.findIndex(({ cells }, index) => {
    characters += lengthOf(cells)
    return index > 0 && characters > ROWS_CHARACTERS
  })
  return end < 0 ? cut : cut.slice(0, end)
}

/** What of its file a table does not hold, and how it was read, in words for a model; empty when there is nothing to add. */
export function missingOf({ warnings }: Pick<DataTable, 'warnings'>): string[] {
  return warnings.flatMap((warning) => {
    switch (warning.kind) {
      case 'rows_left_out':
        return [`the file has more rows: only the first ${warning.kept} are known`]
      case 'sheets_left_out':
        return [`the file has ${warning.count} more tables or sheets, which are not known`]
      case 'hidden_left_out':
        return [`${warning.rows} rows and ${warning.columns} columns that the file hides are left out`]
      case 'hidden_sheets_left_out':
        return [`${warning.count} sheets that the file hides are left out`]
      case 'struck_left_out':
        return [`what is struck through in ${warning.count} cells is left out as outdated`]
      case 'ragged_rows':
        return [`${warning.count} rows have more cells than the header: their numbers are not counted`]
      case 'sections':
        return [`${warning.count} rows were taken for names of sections, not for items: ${warning.names.join('; ')}`]
      default:
        return []
    }
  })
}

/** Cells of a column that have a value, but not quite that of a number, in words for a model. */
export function notesOf({ notes = [] }: TableColumn): string[] {
  return notes.map(({ kind, count, cells }) => {
    const such = cells.map(({ cell, row }) => `"${shorten(cell, SAMPLE_CHARACTERS)}" in row ${row}`).join(', ')
    return `${count} ${NOTES[kind]}: ${such}`
  })
}

const NOTES: Record<NoteKind, string> = {
  zero: 'cells with a word or a dash are counted as 0',
  at_least: 'cells are least values, the true ones may be larger',
  about: 'cells are not exact',
  marked: 'cells have the mark of a footnote',
  merged: 'cells stand for several rows and are counted once',
}

function describe(table: DataTable, hasSamples: boolean): string {
  const { _id, name, sheet, rows, columns } = table
  const missing = missingOf(table)
  return JSON.stringify({
    table: _id,
    name,
    ...(sheet !== null && { sheet }),
    rows,
    ...(missing.length > 0 && { missing }),
    ...(table.warnings.some(isTableDoubt) && { unsettled: 'how it is to be read: nothing can be computed of it' }),
    columns: columns.map((column, index) => ({
      column: index + 1,
      name: column.name,
      type: column.type,
      ...(column.unit !== undefined && { unit: column.unit }),
      ...(column.units && { units: column.units.values, unitsInColumn: column.units.column }),
      ...(column.doubt && { unsettled: 'what its values mean: nothing can be computed of it' }),
      ...((column.numbers ?? 0) > 1 && { holdsNumbers: 'as text, without an order' }),
      ...(column.unfit > 0 && { cellsOfAnotherType: column.unfit }),
      ...(hasSamples && { samples: column.samples.map((sample) => shorten(sample, SAMPLE_CHARACTERS)) }),
    })),
  })
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text
}

function lengthOf(texts: string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}
