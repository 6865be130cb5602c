// Rows of cells → blocks, shared by all formats with tables.
import type { Block } from '../chunking/blocks.ts'

/** Characters of a title that is repeated with the names of the columns. */
const TITLE_MAX = 200

/** The first row of several cells names the columns, below a title if there is one. A table of one column is no table. */
export function tableBlocks(rows: string[][], page: number | null): Block[] {
  const filled = rows
    .map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()))
    .filter((row) => row.some(Boolean))
  const columns = filled.reduce((most, row) => Math.max(most, row.length), 0)
  if (columns < 2) return filled.map((row) => ({ kind: 'text', text: row[0] ?? '', page }))
  const headerAt = Math.max(
    0,
    filled.findIndex((row) => row.filter(Boolean).length > 1),
  )
  const title = filled.slice(0, headerAt).map((row) => row.join(' ').trim())
  const [first, ...rest] = filled.slice(headerAt).map((row) => row.join(' | '))
  if (first === undefined) return []
  const isShort = title.join('').length <= TITLE_MAX
  const above = isShort ? [] : title.map((text): Block => ({ kind: 'text', text, page }))
  const named = isShort ? [...title, first].join('\n') : first
  if (rest.length === 0) return [...above, { kind: 'row', header: '', text: named, page }]
  return [...above, ...rest.map((text): Block => ({ kind: 'row', header: named, text, page }))]
}
