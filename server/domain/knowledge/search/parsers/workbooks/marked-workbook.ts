// Opens a workbook of any kind together with what its author has marked in it: hidden, folded up, struck through.
import { type CellObject, read, set_cptable, type WorkBook, type WorkSheet } from '@e965/xlsx'
import * as codepages from '@e965/xlsx/dist/cpexcel.full.mjs'
import { decode } from '../encoding/encoding.ts'
import { ParseFailure } from '../parse-failure.ts'
import { type Shift, shifted } from '../shifted-digits.ts'
import { contentOf } from '../sniff.ts'
import type { Zip } from '../zip.ts'
import { hiddenHtmlRows, markHtml } from './html-workbook.ts'
import { STRUCK } from './struck-text.ts'
import { readMarks, type SheetMarks } from './workbook-marks.ts'
import { readXlsMarks } from './xls-marks.ts'

/** `marks`: by the name of the sheet. */
export type MarkedWorkbook = { book: WorkBook; marks: Map<string, SheetMarks> }

/** @throws ParseFailure password_protected, damaged */
export async function openXlsx(bytes: Uint8Array, zip: Zip): Promise<MarkedWorkbook> {
  const book = openBook(bytes)
  for (const sheet of Object.values(book.Sheets)) for (const row of cellsOf(sheet)) row?.forEach(raiseDigits)
  return { book, marks: await readMarks(zip) }
}

/** An old workbook, or HTML or XML that calls itself one. @throws ParseFailure password_protected, damaged */
export function openXls(bytes: Uint8Array): MarkedWorkbook {
  if (contentOf(bytes) !== 'ole') return openMarkup(decode(bytes, true).text)
  const book = openBook(bytes)
  const marks = readXlsMarks(bytes)
  return { book, marks: new Map(book.SheetNames.flatMap((name, at) => (marks[at] ? [[name, marks[at]]] : []))) }
}

function openMarkup(text: string): MarkedWorkbook {
  const book = openBook(markHtml(text))
  const unseen = hiddenHtmlRows(text)
  const marks = book.SheetNames.map((name, at): [string, SheetMarks] => {
    const sheet = book.Sheets[name]
    const hiddenAt = (of: { hidden?: boolean }[] | undefined) =>
      new Set([...(of ?? [])].flatMap((each, index) => (each?.hidden ? [index] : [])))
    const isHidden = (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) > 0
    const hiddenRows = new Set([...hiddenAt(sheet?.['!rows']), ...(unseen[at] ?? [])])
    const hiddenColumns = hiddenAt(sheet?.['!cols'])
    const none = { levels: new Map(), struckCells: new Set<string>(), richTexts: new Map(), longNumbers: new Map() }
    return [name, { isHidden, hiddenRows, hiddenColumns, ...none }]
  })
  return { book, marks: new Map(marks) }
}

/** Cells as they are stored. */
function openBook(content: Uint8Array | string): WorkBook {
  set_cptable(codepages)
  const options = { cellDates: true, cellNF: true, UTC: true, dense: true } as const
  try {
    return typeof content === 'string'
      ? read(content, { ...options, type: 'string', raw: true }) // as it is written: 12,50 would become 1250, 007 a number
      : read(content, { ...options, type: 'array' })
  } catch (error) {
    const isLocked = error instanceof Error && /password-protected/i.test(error.message)
    throw new ParseFailure(isLocked ? 'password_protected' : 'damaged', { cause: error })
  }
}

/** Rows of cells, with gaps. */
export function cellsOf(sheet: WorkSheet): (CellObject[] | undefined)[] {
  return (sheet as { '!data'?: (CellObject[] | undefined)[] })['!data'] ?? []
}

/** Where a cell leads, by a link of its own or by the formula of one. */
export function linkOf(cell: CellObject | undefined): string | undefined {
  return cell?.l?.Target ?? /^HYPERLINK\(\s*"([^"]+)"/i.exec(cell?.f ?? '')?.[1]
}

/** The text of a cell of which a part is struck through, with marks around it; null for any other. `name`: as in `B2`. */
export function struckTextOf(cell: CellObject, name: string, marks: SheetMarks | undefined): string | null {
  if (typeof cell.v === 'string' && cell.v.includes(STRUCK.open)) return cell.v
  return marks?.richTexts.get(name) ?? richText(cell)
}

function richText(cell: CellObject): string | null {
  if (!cell.h || !/<s>/.test(cell.h)) return null
  return plainText(cell.h.replaceAll('<s>', STRUCK.open).replaceAll('</s>', STRUCK.close))
}

/** Raised digits of a cell become signs of their own: they are no digits of the number before them. */
function raiseDigits(cell: CellObject): void {
  if (!cell?.h || !/<su[pb]>\d/.test(cell.h)) return
  cell.h = cell.h.replace(/<(sup|sub)>(\d+)<\/\1>/g, (_, shift: Shift, digits: string) => shifted(digits, shift))
  cell.v = plainText(cell.h)
}

function plainText(html: string): string {
  return html
    .replace(/<br\/?>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(
      /&(lt|gt|quot|apos|amp);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' })[name] ?? '',
    )
}
