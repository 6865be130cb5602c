// Rows of cells → blocks, the same for every format that has tables.
import type { Block } from '../chunking/blocks.ts'

/** The first row names the columns of a table with two or more. A table of one column is no table. */
export function tableBlocks(rows: string[][], page: number | null): Block[] {
  const filled = rows
    .map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()))
    .filter((row) => row.some(Boolean))
  const columns = filled.reduce((most, row) => Math.max(most, row.length), 0)
  if (columns < 2) return filled.map((row) => ({ kind: 'text', text: row[0] ?? '', page }))
  const [first, ...rest] = filled.map((row) => row.join(' | '))
  if (first === undefined) return []
  if (rest.length === 0) return [{ kind: 'row', header: '', text: first, page }]
  return rest.map((text) => ({ kind: 'row', header: first, text, page }))
}
