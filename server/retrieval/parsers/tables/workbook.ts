// Excel files, old and new, and HTML that calls itself one → the sheets that hold something, cells as text.
import { read, set_cptable, utils, type WorkBook } from '@e965/xlsx'
import * as codepages from '@e965/xlsx/dist/cpexcel.full.mjs'
import type { ParseLimits } from '../limits.ts'
import { ParseFailure } from '../parse-failure.ts'
import { openZip } from '../zip.ts'

export type WorkbookSheet = { name: string; rows: string[][] }

/**
 * Sheets of an XLSX file, as `readSheets` gives them.
 *
 * @throws ParseFailure damaged, type_mismatch when the container holds no workbook, too_large beyond the unpack budget
 */
export async function readXlsx(bytes: Uint8Array, limits: ParseLimits['zip']): Promise<WorkbookSheet[]> {
  const zip = await openZip(bytes, limits)
  if (!(await zip.read('xl/workbook.xml'))) {
    throw new ParseFailure((await zip.read('[Content_Types].xml')) ? 'type_mismatch' : 'damaged')
  }
  return readSheets(bytes)
}

/**
 * Sheets in the order of the file; what holds nothing is left out, and so are empty cells at the end of a row: programs count columns
 * in that somebody has only looked at.
 *
 * @param content bytes of an old Excel file, or the decoded text of an HTML file
 * @throws ParseFailure password_protected, damaged
 */
export function readSheets(content: Uint8Array | string): WorkbookSheet[] {
  const book = openBook(content)
  return book.SheetNames.flatMap((name) => {
    const sheet = book.Sheets[name]
    const rows = sheet
      ? utils.sheet_to_json<unknown[]>(sheet, { header: 1, raw: true, defval: null, blankrows: true, UTC: true })
      : []
    const texts = rows.map((row) => withoutEmptyEnd(row.map(cellText)))
    return texts.some((row) => row.some(Boolean)) ? [{ name, rows: texts }] : []
  })
}

function openBook(content: Uint8Array | string): WorkBook {
  set_cptable(codepages)
  const options = { cellDates: true, UTC: true, dense: true } as const
  try {
    return typeof content === 'string'
      ? read(content, { ...options, type: 'string', raw: true }) // as it is written: 12,50 would become 1250, 007 a number
      : read(content, { ...options, type: 'array' })
  } catch (error) {
    const isLocked = error instanceof Error && /password-protected/i.test(error.message)
    throw new ParseFailure(isLocked ? 'password_protected' : 'damaged', { cause: error })
  }
}

function withoutEmptyEnd(row: string[]): string[] {
  return row.slice(0, row.findLastIndex((cell) => cell !== '') + 1)
}

/** As a person would write it, in a spelling that means the same in every language. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (!(value instanceof Date)) return String(value)
  if (!Number.isFinite(value.getTime())) return ''
  const toMinute = new Date(Math.round(value.getTime() / 60_000) * 60_000).toISOString()
  return toMinute.endsWith('T00:00:00.000Z') ? toMinute.slice(0, 10) : toMinute.slice(0, 16).replace('T', ' ')
}
