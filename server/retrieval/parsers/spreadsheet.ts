// CSV and XLSX as documents → blocks: every row with the names of its columns.
import { readCsv } from '#shared/csv.ts'
import type { ParsedFile } from '../chunking/blocks.ts'
import { decode } from './encoding.ts'
import type { ParseLimits } from './limits.ts'
import { type Sheet, sheetBlocks } from './sheet-blocks.ts'

export function parseCsv(bytes: Uint8Array, limits: ParseLimits): ParsedFile {
  const { text, encoding, isGuess } = decode(bytes)
  const file = parsedSheets([{ name: null, rows: readCsv(text) }], limits)
  return isGuess ? { ...file, warnings: [...file.warnings, { kind: 'encoding_guessed', encoding }] } : file
}

/** @throws ParseFailure damaged, type_mismatch when the container holds no workbook, too_large beyond the unpack budget */
export async function parseXlsx(bytes: Uint8Array, limits: ParseLimits): Promise<ParsedFile> {
  const { readXlsx } = await import('./tables/workbook.ts') // much code, which a CSV file need not wait for
  const sheets = await readXlsx(bytes, limits.zip)
  const file = parsedSheets(
    sheets.map(({ name, rows }) => ({ name: sheets.length > 1 ? name : null, rows })),
    limits,
  )
  return { ...file, sheetCount: sheets.length }
}

function parsedSheets(sheets: Sheet[], limits: ParseLimits): ParsedFile {
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
