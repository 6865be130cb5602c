// DOCX → blocks: opens the container and puts its parts together. The main part is read in docx-body.ts, styles in docx-styles.ts.
import type { ParsedFile } from '../chunking/blocks.ts'
import { readBody, readNotes } from './docx-body.ts'
import { readNumbering } from './docx-numbering.ts'
import { readStyles } from './docx-styles.ts'
import type { ParseLimits } from './limits.ts'
import { ParseFailure } from './parse-failure.ts'
import { promoteHeadings } from './promote-headings.ts'
import { openZip, type Zip } from './zip.ts'

/** @throws ParseFailure damaged, type_mismatch when the container holds no Word document, too_large */
export async function parseDocx(bytes: Uint8Array, limits: ParseLimits): Promise<ParsedFile> {
  const zip = await openZip(bytes, limits.zip)
  const main = await readText(zip, 'word/document.xml')
  if (main === undefined) throw new ParseFailure((await zip.read('[Content_Types].xml')) ? 'type_mismatch' : 'damaged')
  const styles = readStyles((await readText(zip, 'word/styles.xml')) ?? '')
  const notes = new Map([
    ...readNotes((await readText(zip, 'word/footnotes.xml')) ?? '', 'footnote'),
    ...readNotes((await readText(zip, 'word/endnotes.xml')) ?? '', 'endnote'),
  ])
  const numbering = readNumbering((await readText(zip, 'word/numbering.xml')) ?? '')
  const blocks = readBody(main, styles, notes, numbering)
  const hasOwnHeadings = blocks.some((block) => block.kind === 'heading')
  return { blocks: promoteHeadings(blocks, { hasOwnHeadings }), pageCount: null, warnings: [] }
}

async function readText(zip: Zip, name: string): Promise<string | undefined> {
  return (await zip.read(name))?.toString('utf8').replace(/^\uFEFF/, '')
}
