// DOCX → blocks: opens the container and puts its parts together. The main part is read in docx-body.ts, styles in docx-styles.ts.
import type { Block, ParsedFile } from '../../chunking/blocks.ts'
import type { ParseLimits } from '../limits.ts'
import { relationsOf } from '../office/xml.ts'
import { promoteHeadings } from '../promote-headings.ts'
import { hiddenWarnings, READ_OPTIONS, type ReadOptions } from '../read-options.ts'
import { wordStruck } from '../workbooks/struck-text.ts'
import { openZip, withoutMainPart, type Zip } from '../zip.ts'
import { readBody, readNotes } from './docx-body.ts'
import { readNumbering } from './docx-numbering.ts'
import { readStyles } from './docx-styles.ts'

/**
 * @param options whether hidden and deleted text and comments are read, too
 * @throws ParseFailure damaged, type_mismatch when the container holds no Word document, too_large
 */
export async function parseDocx(
  bytes: Uint8Array,
  limits: ParseLimits,
  options: ReadOptions = READ_OPTIONS,
): Promise<ParsedFile> {
  const zip = await openZip(bytes, limits.zip)
  const main = await readText(zip, 'word/document.xml')
  if (main === undefined) throw withoutMainPart(zip)
  const styles = readStyles((await readText(zip, 'word/styles.xml')) ?? '')
  const notes = new Map([
    ...readNotes((await readText(zip, 'word/footnotes.xml')) ?? '', 'footnote'),
    ...readNotes((await readText(zip, 'word/endnotes.xml')) ?? '', 'endnote'),
  ])
  const numbering = readNumbering((await readText(zip, 'word/numbering.xml')) ?? '')
  const links = await relationsOf(zip, 'word/document.xml')
  const comments = [...readNotes((await readText(zip, 'word/comments.xml')) ?? '', 'comment').values()]
  const { blocks, hidden } = readBody(main, { styles, notes, numbering, links, includeHidden: options.includeHidden })
  if (options.includeHidden) for (const text of comments) blocks.push({ kind: 'text', text, page: null })
  const hasOwnHeadings = blocks.some((block) => block.kind === 'heading')
  return {
    blocks: wordStruck(promoteHeadings(blocks as Block[], { hasOwnHeadings })),
    pageCount: null,
    warnings: hiddenWarnings({ ...hidden, comments: comments.length }, options),
  }
}

async function readText(zip: Zip, name: string): Promise<string | undefined> {
  return (await zip.read(name))?.toString('utf8').replace(/^\uFEFF/, '')
}
