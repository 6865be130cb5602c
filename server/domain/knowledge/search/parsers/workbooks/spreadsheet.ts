// CSV and workbooks as documents → blocks: every row with the names of its columns.
import { readCsv } from '#shared/csv.ts'
import type { ParsedFile } from '../../chunking/blocks.ts'
import { decode } from '../encoding/encoding.ts'
import type { ParseLimits } from '../limits.ts'
import { hiddenWarnings, type ReadOptions } from '../read-options.ts'
import { type Sheet, sheetBlocks } from './sheet-blocks.ts'
import { wordStruck } from './struck-text.ts'

/** @param chosen see `decode` */
export function parseCsv(bytes: Uint8Array, limits: ParseLimits, chosen: string | null = null): ParsedFile {
  const { text, encoding, isGuess } = decode(bytes, false, chosen)
  const file = parsedSheets([{ name: null, rows: readCsv(withoutSeparatorLine(text)) }], limits)
  return isGuess ? { ...file, warnings: [...file.warnings, { kind: 'encoding_guessed', encoding }] } : file
}

/** Excel's own first line, by which it learns the delimiter; its other lines show the same. */
function withoutSeparatorLine(text: string): string {
  return text.replace(/^\uFEFF?"?sep=.?"?[ \t]*(?:\r\n|\n|\r)/i, '')
}

/**
 * Sheets of an Excel file, old or new, or of HTML that calls itself one.
 *
 * @param options whether hidden sheets, rows, columns and notes are read, too
 * @throws ParseFailure damaged, type_mismatch when the container holds no workbook, too_large beyond the unpack budget
 */
export async function parseWorkbook(
  bytes: Uint8Array,
  format: 'xlsx' | 'xls',
  { limits, ...options }: ReadOptions & { limits: ParseLimits },
): Promise<ParsedFile> {
  const { readWorkbook } = await import('./workbook-document.ts') // much code, which a CSV file need not wait for
  const { sheets, hidden } = await readWorkbook(bytes, { format, limits, ...options })
  const file = parsedSheets(
    sheets.map(({ name, rows }) => ({ name: sheets.length > 1 ? name : null, rows })),
    limits,
  )
  file.warnings.push(...hiddenWarnings(hidden, options))
  return { ...file, blocks: wordStruck(file.blocks), sheetCount: sheets.length }
}

/** Rows of sheets with the names of their columns, as many as allowed. */
export function parsedSheets(sheets: Sheet[], limits: ParseLimits): ParsedFile {
  const file: ParsedFile = { blocks: [], pageCount: null, rowCount: 0, columnCount: 0, warnings: [] }
  let rows = 0
  for (const sheet of sheets) {
    const read = sheetBlocks(sheet, limits.rows - rows)
    rows += read.rows
    for (const block of read.blocks) file.blocks.push(block) // they may be too many for the arguments of one call
    file.warnings.push(...read.warnings)
    file.columnCount = Math.max(file.columnCount ?? 0, read.columns)
  }
  file.rowCount = rows
  const all = sheets.reduce((sum, sheet) => sum + sheet.rows.filter((row) => row.some((cell) => cell.trim())).length, 0)
  if (all > rows) file.warnings.push({ kind: 'limit_reached', limit: 'rows', kept: rows })
  return file
}
