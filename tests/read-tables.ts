// Tables as tests write them: read from text, column by column.
import { expect } from 'vitest'
import { PARSE_LIMITS } from '#server/domain/knowledge/search/parsers/limits.ts'
import { type ParsedTable, parseTable } from '#server/domain/knowledge/search/parsers/tables/parse-table.ts'
import type { TableReading } from '#shared/knowledge/tables.ts'

/** The text in UTF-8. */
export const bytes = (text: string) => new TextEncoder().encode(text)

/** @param sheet a table's name where the text holds several; null: the first */
export function read(text: string, reading: TableReading = {}, sheet: string | null = null): Promise<ParsedTable> {
  return parseTable(bytes(text), 'csv', PARSE_LIMITS, { sheet, reading })
}

/** Rows as one text. */
export const lines = (...rows: string[]) => rows.join('\n')

/** A table of two columns, an item in each row: its name, and one of the cells. */
export function column(cells: string[], name = 'Столбец'): Promise<ParsedTable> {
  return read(lines(`Товар;${name}`, ...cells.map((cell, at) => `Товар ${'абвгдежзик'[at % 10]}${at};${cell}`)))
}

/** The values of a column, by its name; fails where the table has none of that name. */
export async function valuesOf(of: Promise<ParsedTable>, name: string) {
  const table = await of
  const at = table.columns.findIndex((each) => each.name === name)
  expect(table.columns.map((each) => each.name)).toContain(name)
  return table.rows.map((row) => row.typed[at])
}

/** Kinds of the warnings, in their order. */
export const kindsOf = async (of: Promise<ParsedTable>) => (await of).warnings.map(({ kind }) => kind)
