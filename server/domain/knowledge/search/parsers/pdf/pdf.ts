// PDF → blocks with pages. Nothing in the file is run. Scans and unreadable text layers are recognised, the latter repaired where possible.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  getDocument,
  OPS,
  PasswordException,
  type PDFDocumentProxy,
  type PDFPageProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { DocumentWarning } from '#shared/knowledge/knowledge.ts'
import type { ParsedFile } from '../../chunking/blocks.ts'
import type { ParseLimits } from '../limits.ts'
import { behindLink } from '../link-targets.ts'
import { ParseFailure } from '../parse-failure.ts'
import { promoteHeadings } from '../promote-headings.ts'
import { blocksOf, type Line, linesOf, type Page, type Piece } from './pdf-layout.ts'
import { withoutRunningLines } from './pdf-running-lines.ts'
import { isReadable, repairLines } from './pdf-text-layer.ts'

const PACKAGE = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
/** A page with fewer letters has no text layer to speak of. */
const MIN_LETTERS = 20
/** Pages that are checked for images to detect a scan: the check is expensive. */
const IMAGE_PROBES = 5
/** Of one page. */
const LINKS_MAX = 500
/** Characters of a line that a warning quotes. */
const SAMPLE_MAX = 80

type PageReport = Page & { state: 'text' | 'bare' | 'unreadable' }

/** A scan gives no blocks and a warning. @throws ParseFailure password_protected, damaged, empty, unreadable_text_layer */
export async function parsePdf(
  bytes: Uint8Array,
  limits: ParseLimits,
  onProgress: (share: number) => void,
): Promise<ParsedFile> {
  const task = getDocument({
    data: Uint8Array.from(bytes),
    cMapUrl: join(PACKAGE, 'cmaps/'),
    standardFontDataUrl: join(PACKAGE, 'standard_fonts/'),
    wasmUrl: join(PACKAGE, 'wasm/'),
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
  })
  try {
    return await readDocument(await task.promise, limits, onProgress)
  } catch (error) {
    if (error instanceof ParseFailure) throw error
    if (error instanceof PasswordException) throw new ParseFailure('password_protected', { cause: error })
    throw new ParseFailure('damaged', { cause: error })
  } finally {
    await task.destroy()
  }
}

async function readDocument(
  document: PDFDocumentProxy,
  limits: ParseLimits,
  onProgress: (share: number) => void,
): Promise<ParsedFile> {
  const pageCount = document.numPages
  const count = Math.min(pageCount, limits.pages)
  const pages: PageReport[] = []
  for (let number = 1; number <= count; number++) {
    pages.push(await readPage(document, number))
    onProgress(number / count)
  }
  const warnings = await judge(document, pages)
  if (count < pageCount) warnings.push({ kind: 'limit_reached', limit: 'pages', kept: count })
  const { pages: texts, count: left, sample } = withoutRunningLines(pages.filter((page) => page.state === 'text'))
  if (left > 0)
    warnings.push({ kind: 'running_lines', count: left, sample: sample.slice(0, SAMPLE_MAX).toWellFormed() })
  const blocks = blocksOf(texts)
  const hasOwnHeadings = blocks.some((block) => block.kind === 'heading')
  return { blocks: promoteHeadings(blocks, { hasOwnHeadings }), pageCount, warnings }
}

/** A page that cannot be read on its own counts as bare. */
async function readPage(document: PDFDocumentProxy, number: number): Promise<PageReport> {
  const page = await document.getPage(number)
  const lines = withTargets(linesOf(await piecesOf(page)), await linksOf(page))
  page.cleanup()
  const texts = lines.map((line) => line.text)
  const letters = texts.join('').match(/\p{L}/gu)?.length ?? 0
  if (isReadable(texts.join('\n'))) return { number, lines, state: letters < MIN_LETTERS ? 'bare' : 'text' }
  const repaired = repairLines(texts)
  if (!repaired) return { number, lines: [], state: 'unreadable' }
  return { number, lines: lines.map((line, at) => rewritten(line, repaired[at] ?? '')), state: 'text' }
}

async function piecesOf(page: PDFPageProxy): Promise<Piece[]> {
  const content = await page.getTextContent({ includeMarkedContent: false })
  return content.items.flatMap((item): Piece[] => {
    if (!('str' in item)) return []
    const [a = 0, b = 0, , d = 0, x = 0, y = 0] = item.transform as number[]
    return [{ text: item.str, x, y, width: item.width, size: item.height || Math.hypot(a, b) || Math.abs(d) }]
  })
}

type PageLink = { url: string; rect: [number, number, number, number] }

/** Links to outside, with the rectangle that can be pressed. A page whose links cannot be read has none. */
async function linksOf(page: PDFPageProxy): Promise<PageLink[]> {
  const annotations: { url?: string; unsafeUrl?: string; rect: PageLink['rect'] }[] = await page
    .getAnnotations()
    .catch(() => [])
  return annotations.slice(0, LINKS_MAX).flatMap(({ url, unsafeUrl, rect }) => {
    const target = url ?? unsafeUrl
    return target ? [{ url: target, rect }] : []
  })
}

/** Lines with the targets of their links behind them. */
function withTargets(lines: Line[], links: PageLink[]): Line[] {
  for (const { url, rect } of links) {
    const [left, bottom, right, top] = rect
    const line = lines.find(({ x, y, right: end }) => y >= bottom - 2 && y <= top && x < right && end > left)
    if (!line) continue
    const target = behindLink(line.text, url)
    line.cells[line.cells.length - 1] += target
    line.text += target
  }
  return lines
}

function rewritten<Line extends { text: string; cells: string[] }>(line: Line, text: string): Line {
  return { ...line, text, cells: [text] }
}

/** Decides what pages without usable text mean for the document. Short pages of a document with text are kept as they are. */
async function judge(document: PDFDocumentProxy, pages: PageReport[]): Promise<DocumentWarning[]> {
  const bare = pages.filter((page) => page.state === 'bare')
  const unreadable = pages.filter((page) => page.state === 'unreadable').map((page) => page.number)
  const scanned = (await areScans(document, bare)) ? bare.map((page) => page.number) : []
  if (scanned.length === 0) for (const page of bare) page.state = 'text'
  if (!pages.some((page) => page.state === 'text' && page.lines.length > 0)) {
    if (unreadable.length > 0) throw new ParseFailure('unreadable_text_layer')
    if (scanned.length === 0) throw new ParseFailure('empty')
  }
  const warnings: DocumentWarning[] = []
  if (scanned.length > 0) warnings.push({ kind: 'no_text_layer', pages: scanned })
  if (unreadable.length > 0) warnings.push({ kind: 'unreadable_text_layer', pages: unreadable })
  return warnings
}

async function areScans(document: PDFDocumentProxy, pages: PageReport[]): Promise<boolean> {
  for (const { number } of pages.slice(0, IMAGE_PROBES)) {
    const page = await document.getPage(number)
    const { fnArray } = await page.getOperatorList()
    page.cleanup()
    if (fnArray.some((operation) => IMAGE_OPERATIONS.has(operation))) return true
  }
  return false
}

const IMAGE_OPERATIONS = new Set<number>([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintInlineImageXObjectGroup,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObjectRepeat,
  OPS.paintImageMaskXObjectGroup,
])
