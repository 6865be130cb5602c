// A column that says in which currency the prices of its row are: they are of several units then, and are not added up.
import type { TableColumn } from '#shared/knowledge/tables.ts'
import { isMoney, unitOf } from './units.ts'
import { subjectOf } from './words-for-numbers.ts'

const NAME = /^(?:валюта|вал\.?|currency|cur\.?|валютасы)(?!\p{L})/iu

/** The same table; the prices in it that have no unit of their own take that of the column. */
export function withCurrencies<Table extends { columns: TableColumn[]; rows: { cells: string[] }[] }>(
  table: Table,
): Table {
  const at = table.columns.findIndex(({ name, type }) => type === 'text' && NAME.test(name.trim()))
  if (at < 0) return table
  const written = [...new Set(table.rows.map(({ cells }) => (cells[at] ?? '').trim()))]
  const values = [...new Set(written.map((text) => (text === '' ? '' : unitOf(text))))]
  if (!values.some(isMoney) || !values.every((unit) => unit === '' || isMoney(unit))) return table
  for (const column of table.columns) {
    if (column.type !== 'number' || subjectOf(column.name) !== 'price' || column.unit || column.units) continue
    if (values.length === 1) column.unit = values[0] ?? ''
    else column.units = { column: at + 1, values: written }
  }
  return table
}
