// ODT and ODS files as documents.
import type { ParsedFile } from '../../chunking/blocks.ts'
import type { ParseLimits } from '../limits.ts'
import { promoteHeadings } from '../promote-headings.ts'
import { hiddenWarnings, type ReadOptions } from '../read-options.ts'
import { parsedSheets } from '../workbooks/spreadsheet.ts'
import { wordStruck } from '../workbooks/struck-text.ts'
import { readOdf } from './odf.ts'

type Options = ReadOptions & { limits: ParseLimits }

/** @throws ParseFailure as `readOdf` */
export async function parseOdt(bytes: Uint8Array, options: Options): Promise<ParsedFile> {
  const { blocks, hidden } = await readOdf(bytes, 'odt', options)
  const hasOwnHeadings = blocks.some(({ kind }) => kind === 'heading')
  return {
    blocks: wordStruck(promoteHeadings(blocks, { hasOwnHeadings })),
    pageCount: null,
    warnings: hiddenWarnings(hidden, options),
  }
}

/** @throws ParseFailure as `readOdf` */
export async function parseOds(bytes: Uint8Array, options: Options): Promise<ParsedFile> {
  const { sheets, hidden } = await readOdf(bytes, 'ods', options)
  const file = parsedSheets(
    sheets.length > 1 ? sheets : sheets.map((sheet) => ({ ...sheet, name: null })),
    options.limits,
  )
  file.warnings.push(...hiddenWarnings(hidden, options))
  return { ...file, blocks: wordStruck(file.blocks), sheetCount: sheets.length }
}
