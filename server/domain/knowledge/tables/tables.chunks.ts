// A table as texts that search can find: one for each row, and one that says what the table is about. Pure.
import type { CutChunk } from '#server/domain/knowledge/search/chunking/blocks.ts'
import { cutChunks } from '#server/domain/knowledge/search/chunking/chunker.ts'
import type { TableColumn, TableRow } from '#shared/knowledge/tables.ts'

/** Characters of one cell that stands beside the imported one. */
const BESIDE_MAX = 120
/** Characters of the text about the whole table. */
const SUMMARY_MAX = 1000

/** The columns with some of what stands in them: it is found when a question names a column, not a row. */
export function summaryChunk(columns: TableColumn[]): CutChunk[] {
  const lines = columns.map(({ name, samples }) => labelled(name, samples.join(', ')))
  const text = lines.join('\n').slice(0, SUMMARY_MAX).toWellFormed()
  return cutChunks([{ kind: 'row', text, header: '', page: null }])
}

/** The imported cell of a row below the row's other cells; a long one in parts, each below them. Nothing for an empty cell. */
export function rowChunks(columns: TableColumn[], column: number, { number, cells }: TableRow): CutChunk[] {
  const cell = cells[column] ?? ''
  if (cell === '') return []
  const beside = columns.flatMap(({ name }, at) => {
    const other = cells[at] ?? ''
    return at === column || other === '' ? [] : [labelled(name, other.slice(0, BESIDE_MAX).toWellFormed())]
  })
  const text = labelled(columns[column]?.name ?? '', cell)
  return cutChunks([{ kind: 'row', text, header: beside.join('; '), page: null, row: number }])
}

function labelled(name: string, value: string): string {
  return `${name}: ${value}`
}
