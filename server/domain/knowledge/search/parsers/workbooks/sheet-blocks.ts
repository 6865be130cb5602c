// Rows of a spreadsheet → blocks that know their row, and what there is to say about the sheet.
import type { DocumentWarning } from '#shared/knowledge/knowledge.ts'
import type { Block } from '../../chunking/blocks.ts'
import { headerRowAt, readHeader } from '../header-row.ts'

/** Rows named in a warning; a file in which all are uneven would fill a screen. */
const ROWS_NAMED = 20

export type Sheet = { name: string | null; rows: string[][] }
export type SheetBlocks = { blocks: Block[]; rows: number; columns: number; warnings: DocumentWarning[] }

/** What stands above the row that names the columns is text. At most so many rows are taken in. */
export function sheetBlocks({ name, rows }: Sheet, mostRows: number): SheetBlocks {
  const filled = filledRows(rows, mostRows)
  const columns = filled.reduce((most, { cells }) => Math.max(most, widthOf(cells)), 0)
  const cellRows = filled.map(({ cells }) => cells)
  const headerAt = columns < 2 ? -1 : headerRowAt(cellRows, columns)
  const header = headerAt < 0 ? undefined : readHeader(cellRows, headerAt)
  const place = name === null ? {} : { sheet: name }
  const heading: Block[] = name === null ? [] : [{ kind: 'heading', level: 1, text: name, page: null }]
  const blocks = filled
    .map((row, index) => ({ ...row, isHeader: index >= headerAt && index < (header?.bodyAt ?? 0), index }))
    .filter(({ isHeader }) => !isHeader || header?.bodyAt === filled.length)
    .map(({ cells, number, index }): Block => {
      const isBelow = header !== undefined && index > headerAt
      return {
        kind: 'row',
        header: isBelow ? joined(header.names) : '',
        text: joined(cells),
        page: null,
        row: number,
        ...place,
      }
    })
  return {
    blocks: filled.length > 0 ? [...heading, ...blocks] : [],
    rows: filled.length,
    columns,
    warnings: unevenRows(filled, header?.names, place),
  }
}

/** The first rows that hold something. A sheet can have a million empty ones: nothing is made of these. */
function filledRows(rows: string[][], most: number): { cells: string[]; number: number }[] {
  const filled: { cells: string[]; number: number }[] = []
  for (let at = 0; at < rows.length && filled.length < most; at++) {
    const cells = (rows[at] ?? []).map((cell) => cell.replace(/\s+/g, ' ').trim())
    if (cells.some(Boolean)) filled.push({ cells, number: at + 1 })
  }
  return filled
}

/** Rows with more cells than the header has names. */
function unevenRows(
  rows: { cells: string[]; number: number }[],
  header: string[] | undefined,
  place: { sheet?: string },
): DocumentWarning[] {
  if (!header) return []
  const uneven = rows.filter(({ cells }) => widthOf(cells) > widthOf(header)).map(({ number }) => number)
  if (uneven.length === 0) return []
  return [{ kind: 'ragged_rows', count: uneven.length, rows: uneven.slice(0, ROWS_NAMED), ...place }]
}

/** Cells up to the last filled one. */
function widthOf(cells: string[]): number {
  return cells.findLastIndex(Boolean) + 1
}

function joined(cells: string[]): string {
  return cells.slice(0, widthOf(cells)).join(' | ')
}
