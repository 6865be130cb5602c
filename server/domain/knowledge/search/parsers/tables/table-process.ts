// The child process that reads one spreadsheet. Started only by table-file.ts.
import { readFile } from 'node:fs/promises'
import type { TableFormat } from '#shared/knowledge/tables.ts'
import type { ParseLimits } from '../limits.ts'
import { answerOneOrder } from '../process/guarded-child.ts'
import { type ParseWishes, parseTable } from './parse-table.ts'

export type TableOrder = {
  path: string
  format: TableFormat
  wishes: ParseWishes
  limits: ParseLimits
}

answerOneOrder(async ({ path, format, wishes, limits }: TableOrder) =>
  parseTable(await readFile(path), format, limits, wishes),
)
