// DOCX → blocks: opens the container and puts its parts together. The main part is read in docx-body.ts, styles in docx-styles.ts.
import type { Block, ParsedFile } from '../../chunking/blocks.ts'
import { saysContact } from '../contacts.ts'
import type { ParseLimits } from '../limits.ts'
import { diagramTexts } from '../office/diagrams.ts'
import { relationsOf } from '../office/xml.ts'
import { promoteHeadings } from '../promote-headings.ts'
import { hiddenWarnings, READ_OPTIONS, type ReadOptions } from '../read-options.ts'
import { wordStruck } from '../workbooks/struck-text.ts'
import { openZip, withoutMainPart, type Zip } from '../zip.ts'
import { readBody, readNotes } from './docx-body.ts'
import { readNumbering } from './docx-numbering.ts'
import { readStyles, type Styles } from './docx-styles.ts'

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
  blocks.unshift(...(await contactsIn(zip, links, { styles, blocks, includeHidden: options.includeHidden })))
  for (const text of await diagramTexts(zip, links)) blocks.push({ kind: 'item', text, page: null })
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

/** What the head and the foot of the pages say of how to reach the business, each line once; the rest only repeats on every page. */
async function contactsIn(
  zip: Zip,
  links: ReadonlyMap<string, string>,
  { styles, blocks, includeHidden }: { styles: Styles; blocks: { text: string }[]; includeHidden: boolean },
): Promise<Block[]> {
  const known = new Set(blocks.map(({ text }) => text))
  const contacts: Block[] = []
  for (const name of new Set(links.values())) {
    if (!/^word\/(?:header|footer)\d*\.xml$/.test(name)) continue
    const own = { styles, notes: new Map(), numbering: null, links: await relationsOf(zip, name), includeHidden }
    for (const { text } of readBody((await readText(zip, name)) ?? '', own).blocks) {
      if (known.has(text) || !saysContact(text)) continue
      known.add(text)
      contacts.push({ kind: 'text', text, page: null })
    }
  }
  return contacts
}
