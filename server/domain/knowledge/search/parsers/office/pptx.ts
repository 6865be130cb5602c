// PPTX → blocks: slides in their order, each a page with its title. Hidden slides and the speaker's notes are not for the audience.
import type { Block, ParsedFile } from '../../chunking/blocks.ts'
import type { ParseLimits } from '../limits.ts'
import { behindLink } from '../link-targets.ts'
import { hiddenWarnings, type ReadOptions } from '../read-options.ts'
import { type Shift, shifted } from '../shifted-digits.ts'
import { tableBlocks } from '../table-blocks.ts'
import { newCell, spreadCells, type TableCell } from '../table-cells.ts'
import { withStruck, wordStruck } from '../workbooks/struck-text.ts'
import { openZip, withoutMainPart } from '../zip.ts'
import { diagramTexts } from './diagrams.ts'
import { type Attributes, readXml, relationsOf, xmlOf } from './xml.ts'

/** What every slide repeats: its number, the date, the footer. */
const FRAME = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])
const TITLES = new Set(['title', 'ctrTitle'])
/** A first line that is no longer can be the title of a slide that has none. */
const TITLE_MAX = 100
/** What is drawn on a slide, and may be hidden. */
const SHAPES = new Set(['p:sp', 'p:grpSp', 'p:graphicFrame', 'p:cxnSp', 'p:pic'])
const PRESENTATION = 'ppt/presentation.xml'

/** @throws ParseFailure damaged, type_mismatch when the container holds no presentation, too_large */
export async function parsePptx(
  bytes: Uint8Array,
  { limits, ...options }: ReadOptions & { limits: ParseLimits },
): Promise<ParsedFile> {
  const zip = await openZip(bytes, limits.zip)
  const main = await xmlOf(zip, PRESENTATION)
  if (!main) throw withoutMainPart(zip)
  const targets = await relationsOf(zip, PRESENTATION)
  const names = slideIds(main).flatMap((id) => targets.get(id) ?? [])
  const hidden = { slides: 0, notes: 0, texts: 0 }
  const blocks: Block[] = []
  for (const [at, name] of names.slice(0, limits.pages).entries()) {
    const targetsOfSlide = await relationsOf(zip, name)
    const { includeHidden } = options
    const slide = readSlide(await xmlOf(zip, name), at + 1, { links: targetsOfSlide, includeHidden })
    const diagrams = await diagramTexts(zip, targetsOfSlide)
    if (slide.isHidden) hidden.slides++
    else hidden.texts += slide.hiddenShapes
    if (!slide.isHidden || includeHidden) {
      blocks.push(...slide.blocks, ...diagrams.map((text): Block => ({ kind: 'item', text, page: at + 1 })))
    }
    const notesPart = [...targetsOfSlide.values()].find((part) => part.includes('/notesSlides/'))
    const notes = notesPart ? readSlide(await xmlOf(zip, notesPart), at + 1).blocks : []
    if (notes.length > 0) hidden.notes++
    if (includeHidden) for (const { text } of notes) blocks.push({ kind: 'text', text, page: at + 1 })
  }
  const warnings = hiddenWarnings(hidden, options)
  if (names.length > limits.pages) warnings.push({ kind: 'limit_reached', limit: 'pages', kept: limits.pages })
  return { blocks: wordStruck(blocks), pageCount: names.length, warnings }
}

function slideIds(xml: string): string[] {
  const ids: string[] = []
  readXml(xml, { open: (name, attributes) => void (name === 'p:sldId' && ids.push(attributes['r:id'] ?? '')) })
  return ids
}

function readSlide(
  xml: string,
  page: number,
  { links = new Map(), includeHidden = false }: { links?: ReadonlyMap<string, string>; includeHidden?: boolean } = {},
): { blocks: Block[]; isHidden: boolean; hiddenShapes: number } {
  const reader = new SlideReader(page, { links, includeHidden })
  readXml(xml, reader)
  return { blocks: reader.finish(), isHidden: reader.isHidden, hiddenShapes: reader.hiddenShapes }
}

class SlideReader {
  isHidden = false
  /** Shapes with text that the author has hidden. */
  hiddenShapes = 0
  readonly #page: number
  readonly #includeHidden: boolean
  /** Open shapes, outermost first: whether each is hidden, and whether it is counted. */
  readonly #shapes: { isHidden: boolean; isCounted: boolean }[] = []
  #fallbacks = 0
  readonly #titles: string[] = []
  readonly #blocks: Block[] = []
  readonly #links: ReadonlyMap<string, string>
  #href: string | undefined
  /** Of the whole shape, as of a button. */
  #shapeHref: string | undefined
  #isInRun = false
  #linked = ''
  #shape = ''
  #paragraph: string | null = null
  #isItem = false
  #isStruck = false
  #shift: Shift | null = null
  #isText = false
  #table: TableCell[][] | null = null

  constructor(page: number, { links, includeHidden }: { links: ReadonlyMap<string, string>; includeHidden: boolean }) {
    this.#page = page
    this.#links = links
    this.#includeHidden = includeHidden
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'mc:Fallback') this.#fallbacks++ // it repeats what its choice says
    if (this.#fallbacks > 0) return
    if (SHAPES.has(name)) this.#shapes.push({ isHidden: false, isCounted: false })
    const shape = this.#shapes.at(-1)
    if (name === 'p:cNvPr' && shape) shape.isHidden = attributes.hidden === '1' || attributes.hidden === 'true'
    if (name === 'p:sld') this.isHidden = attributes.show === '0' || attributes.show === 'false'
    else if (name === 'p:sp') [this.#shape, this.#shapeHref] = ['', undefined]
    else if (name === 'p:ph') this.#shape = attributes.type ?? 'body'
    else if (name === 'a:tbl') this.#table = []
    else if (name === 'a:tr') this.#table?.push([])
    else if (name === 'a:tc') this.#openCell(attributes)
    else if (name === 'a:p') this.#openParagraph()
    else if (name === 'a:pPr' && Number(attributes.lvl ?? 0) > 0) this.#isItem = true
    else if (name === 'a:buChar' || name === 'a:buAutoNum') this.#isItem = true
    else if (name === 'a:r') this.#openRun()
    else if (name === 'a:hlinkClick') this.#openLink(this.#links.get(attributes['r:id'] ?? ''))
    else if (name === 'a:rPr') this.#runProperties(attributes)
    else if (name === 'a:br') this.#add('\n')
    else if (name === 'a:t') this.#isText = true
  }

  close(name: string): void {
    if (this.#fallbacks > 0) {
      if (name === 'mc:Fallback') this.#fallbacks--
      return
    }
    if (SHAPES.has(name)) this.#shapes.pop()
    if (name === 'a:t') this.#isText = false
    else if (name === 'a:r') this.#endRun()
    else if (name === 'a:p') this.#endParagraph()
    else if (name === 'a:tbl') this.#endTable()
    else if (name === 'p:sp') [this.#shape, this.#shapeHref] = ['', undefined]
  }

  text(text: string): void {
    if (this.#fallbacks === 0 && this.#isText) this.#add(this.#shift ? shifted(text, this.#shift) : text)
  }

  finish(): Block[] {
    const [first] = this.#blocks
    const own = this.#titles.join(' ')
    const isFirst = own === '' && first?.kind === 'text' && first.text.length <= TITLE_MAX && this.#blocks.length > 1
    const title = own || (isFirst ? first.text : '')
    const blocks = isFirst ? this.#blocks.slice(1) : this.#blocks
    return title
      ? [{ kind: 'heading', level: 1, text: title.replaceAll('\n', ' '), page: this.#page }, ...blocks]
      : blocks
  }

  #openRun(): void {
    ;[this.#isInRun, this.#isStruck, this.#href, this.#linked] = [true, false, undefined, '']
    this.#shift = null
  }

  #runProperties({ strike = '', baseline = '0' }: Attributes): void {
    this.#isStruck = /^(?:sng|dbl)Strike$/.test(strike)
    const raised = Number.parseInt(baseline, 10)
    this.#shift = raised > 0 ? 'sup' : raised < 0 ? 'sub' : null
  }

  #endRun(): void {
    this.#isInRun = false
    if (this.#paragraph !== null) this.#paragraph += behindLink(this.#linked, this.#href)
  }

  #openLink(href: string | undefined): void {
    if (this.#isInRun) this.#href = href
    else if (this.#paragraph === null) this.#shapeHref = href
  }

  #openParagraph(): void {
    this.#paragraph = ''
    this.#isItem = false
  }

  #openCell({ gridSpan, rowSpan, hMerge, vMerge }: Attributes): void {
    if (hMerge === '1' || vMerge === '1') return // merged into another cell
    this.#table?.at(-1)?.push({ ...newCell(), columns: Number(gridSpan) || 1, rows: Number(rowSpan) || 1 })
  }

  #add(text: string): void {
    if (this.#paragraph === null || this.#isLeftOut(text)) return
    this.#linked += text
    this.#paragraph = this.#isStruck ? withStruck(this.#paragraph, text) : this.#paragraph + text
  }

  /** Text of a hidden shape, which is counted once. */
  #isLeftOut(text: string): boolean {
    const hidden = this.#shapes.find(({ isHidden }) => isHidden)
    if (!hidden) return false
    if (text.trim() && !hidden.isCounted) {
      hidden.isCounted = true
      this.hiddenShapes++
    }
    return !this.#includeHidden
  }

  #endParagraph(): void {
    const own = (this.#paragraph ?? '').replace(/[^\S\n]+/g, ' ').trim()
    const text = own + behindLink(own, this.#shapeHref)
    this.#paragraph = null
    if (!text || FRAME.has(this.#shape)) return
    const cell = this.#table?.at(-1)?.at(-1)
    if (this.#table) {
      if (cell) cell.text = `${cell.text} ${text}`.trim()
    } else if (TITLES.has(this.#shape)) this.#titles.push(text)
    else this.#blocks.push({ kind: this.#isItem ? 'item' : 'text', text, page: this.#page })
  }

  #endTable(): void {
    const rows = spreadCells(this.#table ?? [])
    this.#table = null
    this.#blocks.push(...tableBlocks(rows, this.#page))
  }
}
