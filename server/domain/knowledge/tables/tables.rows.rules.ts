// A row as programs give it, a value for each column by its name, as a row of a table. Pure.
import { foldText, readDate } from '#server/domain/knowledge/search/parsers/tables/cell-values.ts'
import type { TypedValue } from '#server/domain/knowledge/search/parsers/tables/column-types.ts'
import { AppError } from '#shared/errors.ts'
import type { TableColumn } from '#shared/knowledge/tables.ts'

export type GivenRow = Record<string, string | number | boolean | null>
export type TypedRow = { cells: string[]; typed: TypedValue[] }

/**
 * Columns that are not given are empty. Unlike in a file, a value that does not fit its column is refused.
 *
 * @throws AppError invalid_arguments with the `path` of the value, and its `type` where the column has another
 */
export function typedRow(columns: TableColumn[], given: GivenRow, path: string): TypedRow {
  const names = new Set(columns.map((column) => column.name))
  const unknown = Object.keys(given).find((name) => !names.has(name))
  if (unknown !== undefined) throw new AppError('invalid_arguments', { path: `${path}.${unknown}` })
  const row: TypedRow = { cells: [], typed: [] }
  for (const column of columns) {
    const value = Object.hasOwn(given, column.name) ? (given[column.name] ?? '') : ''
    const typed = value === '' ? null : typedValue(column, value)
    if (typed === undefined)
      throw new AppError('invalid_arguments', { path: `${path}.${column.name}`, type: column.type })
    row.cells.push(String(value))
    row.typed.push(typed)
  }
  return row
}

/** Undefined for a value of another type. Dates are ISO 8601. */
function typedValue({ type }: TableColumn, value: string | number | boolean): TypedValue | undefined {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? foldText(value) : undefined
    case 'number':
      return typeof value === 'number' ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'date':
      return typeof value === 'string' ? readDate(value, 'iso') : undefined
    default:
      return type satisfies never
  }
}
