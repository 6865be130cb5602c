// A table as searchable texts: one for each row, and one that describes the table. Pure.
import type { CutChunk } from '#server/domain/knowledge/search/chunking/blocks.ts'
import { cutChunks } from '#server/domain/knowledge/search/chunking/chunker.ts'
import type { TableColumn, TableRow } from '#shared/knowledge/tables.ts'

/** Characters of another cell of the row that is included with the imported one. */
const OTHER_CELL_MAX = 120
/** Characters of the text about the whole table. */
const SUMMARY_MAX = 1000

/** The columns with samples of their cells: found when a question names a column, not a row. */
export function summaryChunk(columns: TableColumn[]): CutChunk[] {
  const lines = columns.map(({ name, samples }) => labelled(name, samples.join(', ')))
  const text = lines.join('\n').slice(0, SUMMARY_MAX).toWellFormed()
  return cutChunks([{ kind: 'row', text, header: '', page: null }])
}

/** The imported cell of a row below the row's other cells; a long one in parts, each below them. Nothing for an empty cell. */
export function rowChunks(columns: TableColumn[], column: number, { number, cells }: TableRow): CutChunk[] {
  const cell = cells[column] ?? ''
  if (cell === '') return []
  const others = columns.flatMap(({ name }, at) => {
    const other = cells[at] ?? ''
    return at === column || other === '' ? [] : [labelled(name, other.slice(0, OTHER_CELL_MAX).toWellFormed())]
  })
  const text = labelled(columns[column]?.name ?? '', cell)
  return cutChunks([{ kind: 'row', text, header: others.join('; '), page: null, row: number }])
}

function labelled(name: string, value: string): string {
  return `${name}: ${value}`
}
