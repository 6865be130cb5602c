// Reads one spreadsheet in a guarded process of its own.
import { fileURLToPath } from 'node:url'
import type { TableFormat } from '#shared/knowledge/tables.ts'
import { PARSE_LIMITS } from '../limits.ts'
import { runGuarded } from '../process/guarded-process.ts'
import type { ParsedTable, ParseWishes } from './parse-table.ts'
import type { TableOrder } from './table-process.ts'

const ENTRY = fileURLToPath(new URL('./table-process.ts', import.meta.url))

/**
 * Typed columns and rows of one file, or of one sheet of it.
 * @throws ParseFailure with the reason; the signal's reason when aborted: the process is dead then
 */
export function readTableFile(
  path: string,
  { format, ...wishes }: ParseWishes & { format: TableFormat },
  signal: AbortSignal,
): Promise<ParsedTable> {
  const order: TableOrder = { path, format, wishes, limits: PARSE_LIMITS }
  return runGuarded({ entry: ENTRY, path, order, signal, limits: PARSE_LIMITS })
}
