// OpenDocument texts and spreadsheets → blocks or sheets, in one pass over their content: hidden parts are counted, struck text is marked.
import type { HiddenCounts } from '#shared/knowledge/knowledge.ts'
import type { Block } from '../../chunking/blocks.ts'
import { saysContact } from '../contacts.ts'
import type { ParseLimits } from '../limits.ts'
import { behindLink } from '../link-targets.ts'
import { ParseFailure } from '../parse-failure.ts'
import { type Shift, shifted } from '../shifted-digits.ts'
import { tableBlocks } from '../table-blocks.ts'
import type { Sheet } from '../workbooks/sheet-blocks.ts'
import { withStruck } from '../workbooks/struck-text.ts'
import { openZip, withoutMainPart } from '../zip.ts'
import { type Attributes, readXml, xmlOf } from './xml.ts'

type Style = { parent: string } & Look
/** How text looks. */
type Look = { isStruck: boolean; isHidden: boolean; shift: Shift | null }

type Table = {
  name: string
  isHidden: boolean
  rows: string[][]
  hiddenColumns: boolean[]
  emptyRows: number
  /** By column. */
  merged: Map<number, Merged>
}
/** `covered`: what stands in places that a cell of a row above covers, by column. */
type Row = { cells: string[]; covered: Map<number, string>; isHidden: boolean; repeat: number }
/** `rows`: how many it spans. Zero: another cell covers its place. */
type Cell = { text: string; repeat: number; value: string; rows: number }
/** Of a cell that spans several rows: its text, and the number of rows left. */
type Merged = { text: string; rowsLeft: number }
/** `sheets` are the tables of a spreadsheet; a text has blocks. */
export type OdfContent = { blocks: Block[]; sheets: Sheet[]; hidden: HiddenCounts }

const SKIPPED = new Set([
  'text:note-citation',
  'text:sequence-decls',
  'draw:frame-caption',
  'office:forms',
  'text:bookmark',
  'svg:desc',
  'svg:title',
])
const GROUPS = new Set(['table:table-row-group', 'table:table-column-group'])
/** More cells or rows that are alike are the rest of the sheet. */
const REPEATS_MAX = { cells: 100, rows: 1_000 }

const PLAIN: Look = { isStruck: false, isHidden: false, shift: null }

/** @throws ParseFailure damaged, type_mismatch when the container holds another kind of file, password_protected, too_large */
export async function readOdf(
  bytes: Uint8Array,
  kind: 'odt' | 'ods',
  { limits, includeHidden }: { limits: ParseLimits; includeHidden: boolean },
): Promise<OdfContent> {
  const zip = await openZip(bytes, limits.zip)
  const content = await xmlOf(zip, 'content.xml')
  if (!content) throw withoutMainPart(zip)
  if ((await xmlOf(zip, 'META-INF/manifest.xml')).includes('manifest:encryption-data'))
    throw new ParseFailure('password_protected')
  if (!content.includes(kind === 'odt' ? '<office:text' : '<office:spreadsheet'))
    throw new ParseFailure('type_mismatch')
  const reader = new OdfReader(kind === 'ods', includeHidden)
  const styles = await xmlOf(zip, 'styles.xml')
  readXml(styles, { open: (name, attributes) => reader.style(name, attributes) })
  readXml(content, reader)
  const contacts = kind === 'odt' ? contactsIn(styles) : []
  return { blocks: [...contacts, ...reader.blocks], sheets: reader.sheets, hidden: reader.hidden }
}

/** What the head and the foot of the pages say of how to reach the business, each line once; the rest only repeats on every page. */
function contactsIn(styles: string): Block[] {
  const frame = new OdfReader(false, false)
  readXml(styles, frame)
  const texts = new Set(frame.blocks.map(({ text }) => text).filter(saysContact))
  return Array.from(texts, (text) => ({ kind: 'text', text, page: null }))
}

class OdfReader {
  readonly blocks: Block[] = []
  readonly sheets: Sheet[] = []
  readonly hidden = { rows: 0, columns: 0, sheets: 0, comments: 0, texts: 0, deletions: 0 }
  readonly #isSheet: boolean
  readonly #includeHidden: boolean
  readonly #styles = new Map<string, Style>()
  #styleName = ''
  readonly #tables: Table[] = []
  readonly #rows: Row[] = []
  readonly #cells: Cell[] = []
  readonly #spans: Look[] = []
  #text: string | null = null
  #level: number | null = null
  #items = 0
  #skipped = 0
  #link: { href: string; from: number } | null = null
  #comment = 0
  /** Open groups of rows or columns: what they fold up, any reader can unfold. */
  #groups = 0

  constructor(isSheet: boolean, includeHidden: boolean) {
    this.#isSheet = isSheet
    this.#includeHidden = includeHidden
  }

  /** Registers a style: automatic ones come before the content, the others in a part of their own. */
  style(name: string, attributes: Attributes): void {
    if (name === 'style:style') {
      this.#styleName = attributes['style:name'] ?? ''
      const parent = attributes['style:parent-style-name'] ?? ''
      this.#styles.set(this.#styleName, { parent, ...PLAIN })
    }
    const style = this.#styles.get(this.#styleName)
    if (!style) return
    const through = attributes['style:text-line-through-style'] ?? attributes['style:text-line-through-type'] ?? 'none'
    if (name === 'style:text-properties' && through !== 'none') style.isStruck = true
    if (name === 'style:text-properties') style.shift ??= shiftOf(attributes['style:text-position'] ?? '')
    if (name === 'style:text-properties' && attributes['text:display'] === 'none') style.isHidden = true
    if (name === 'style:table-properties' && attributes['table:display'] === 'false') style.isHidden = true
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipped > 0 || SKIPPED.has(name) || name === 'text:tracked-changes') {
      if (name === 'text:deletion') this.hidden.deletions++
      this.#skipped++
      return
    }
    if (name.startsWith('style:')) this.style(name, attributes)
    else if (name === 'office:annotation') this.#openComment()
    else if (name.startsWith('table:')) this.#openTable(name, attributes)
    else if (name === 'text:list-item') this.#items++
    else if (name === 'text:section') this.#openSection(attributes)
    else if (name === 'text:p' || name === 'text:h') this.#openParagraph(name, attributes)
    else if (name === 'text:span') this.#openSpan(attributes)
    else if (name === 'text:a') this.#link = { href: attributes['xlink:href'] ?? '', from: this.#text?.length ?? 0 }
    else if (name === 'text:hidden-text' || name === 'text:hidden-paragraph') this.hidden.texts++
    else if (name === 'text:s') this.text(' '.repeat(Math.min(Number(attributes['text:c']) || 1, 100)))
    else if (name === 'text:tab') this.text(' ')
    else if (name === 'text:line-break') this.text('\n')
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--
      return
    }
    if (name === 'office:annotation') this.#comment--
    else if (name.startsWith('table:')) this.#closeTable(name)
    else if (name === 'text:list-item') this.#items--
    else if (name === 'text:section') this.#spans.pop()
    else if (name === 'text:p' || name === 'text:h') this.#endParagraph()
    else if (name === 'text:span') this.#spans.pop()
    else if (name === 'text:a') this.#endLink()
  }

  text(text: string): void {
    if (this.#skipped > 0 || this.#text === null || (this.#comment > 0 && !this.#includeHidden)) return
    const span = this.#spans.at(-1)
    if (span?.isHidden && !this.#includeHidden) return
    const shown = span?.shift ? shifted(text, span.shift) : text
    this.#text = span?.isStruck ? withStruck(this.#text, shown) : this.#text + shown
  }

  #endLink(): void {
    const link = this.#link
    this.#link = null
    if (link && this.#text !== null) this.text(behindLink(this.#text.slice(link.from), link.href))
  }

  #openComment(): void {
    this.#comment++
    this.hidden.comments++
  }

  #openParagraph(name: string, attributes: Attributes): void {
    if (this.#text === null) this.#text = ''
    else this.#text += ' '
    this.#level = name === 'text:h' ? Math.min(Number(attributes['text:outline-level']) || 1, 6) : null
    this.#openSpan(attributes)
  }

  #openSpan(attributes: Attributes): void {
    const outer = this.#spans.at(-1)
    const style = this.#resolved(attributes['text:style-name'] ?? '')
    if (style.isHidden && !outer?.isHidden) this.hidden.texts++
    this.#spans.push({
      isStruck: style.isStruck || (outer?.isStruck ?? false),
      isHidden: style.isHidden || (outer?.isHidden ?? false),
      shift: style.shift ?? outer?.shift ?? null,
    })
  }

  #openSection(attributes: Attributes): void {
    const isHidden = attributes['text:display'] === 'none' || attributes['text:is-hidden'] === 'true'
    const outer = this.#spans.at(-1)
    if (isHidden && !outer?.isHidden) this.hidden.texts++
    this.#spans.push({ ...PLAIN, isStruck: outer?.isStruck ?? false, isHidden: isHidden || (outer?.isHidden ?? false) })
  }

  #resolved(name: string): Look {
    let [isStruck, isHidden] = [false, false]
    let shift: Shift | null = null
    for (let at = name, depth = 0; at && depth < 20; depth++) {
      const style = this.#styles.get(at)
      isStruck ||= style?.isStruck ?? false
      isHidden ||= style?.isHidden ?? false
      shift ??= style?.shift ?? null
      at = style?.parent ?? ''
    }
    return { isStruck, isHidden, shift }
  }

  #endParagraph(): void {
    this.#spans.pop()
    const text = (this.#text ?? '')
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter(Boolean)
      .join('\n')
    if (this.#comment > 0) {
      if (this.#includeHidden && text) this.#text = ` (${text}) `
      return
    }
    this.#text = null
    if (!text) return
    const cell = this.#cells.at(-1)
    if (cell) cell.text = `${cell.text} ${text}`.trim()
    else if (this.#level !== null)
      this.blocks.push({ kind: 'heading', level: this.#level, text: text.replaceAll('\n', ' '), page: null })
    else this.blocks.push({ kind: this.#items > 0 ? 'item' : 'text', text, page: null })
  }

  #openTable(name: string, attributes: Attributes): void {
    const table = this.#tables.at(-1)
    const isHidden = (attributes['table:visibility'] ?? 'visible') !== 'visible' && this.#groups === 0
    if (name === 'table:table') {
      const style = this.#resolved(attributes['table:style-name'] ?? '')
      const empty = { rows: [], hiddenColumns: [], emptyRows: 0, merged: new Map() }
      this.#tables.push({ name: attributes['table:name'] ?? '', isHidden: style.isHidden, ...empty })
    } else if (GROUPS.has(name)) {
      this.#groups++
    } else if (name === 'table:table-column' && table) {
      const count = Math.min(Number(attributes['table:number-columns-repeated']) || 1, REPEATS_MAX.cells)
      for (let at = 0; at < count; at++) table.hiddenColumns.push(isHidden)
    } else if (name === 'table:table-row') {
      const repeat = Number(attributes['table:number-rows-repeated']) || 1
      this.#rows.push({ cells: [], covered: new Map(), isHidden, repeat })
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      const repeat = Number(attributes['table:number-columns-repeated']) || 1
      const isWide = (Number(attributes['table:number-columns-spanned']) || 1) > 1
      const spanned = isWide ? 1 : Number(attributes['table:number-rows-spanned']) || 1
      const rows = name === 'table:covered-table-cell' ? 0 : spanned
      this.#cells.push({ text: '', repeat, value: attributes['office:value'] ?? '', rows })
      if (this.#resolved(attributes['table:style-name'] ?? '').isStruck) this.#spans.push({ ...PLAIN, isStruck: true })
      else this.#spans.push(PLAIN)
    }
  }

  #closeTable(name: string): void {
    if (name === 'table:table-cell' || name === 'table:covered-table-cell') this.#endCell()
    else if (name === 'table:table-row') this.#endRow()
    else if (name === 'table:table') this.#endTable()
    else if (GROUPS.has(name)) this.#groups--
  }

  #endCell(): void {
    this.#spans.pop()
    const cell = this.#cells.pop()
    const row = this.#rows.at(-1)
    if (!cell || !row) return
    const isShortened = /^-?\d(?:[.,]\d+)?E\+\d+$/i.test(cell.text) && /^-?\d+$/.test(cell.value)
    const count = Math.min(cell.repeat, REPEATS_MAX.cells)
    this.#noteMerged(cell, row)
    for (let at = 0; at < count; at++) row.cells.push(isShortened ? cell.value : cell.text)
  }

  /** A cell that is merged downwards says the same of every row it spans; a title, which is wide, says it once. */
  #noteMerged(cell: Cell, { cells, covered }: Row): void {
    const merged = this.#tables.at(-1)?.merged
    const column = cells.length
    const above = cell.rows === 0 ? merged?.get(column) : undefined
    if (above && above.rowsLeft > 0) {
      above.rowsLeft--
      covered.set(column, above.text)
    } else if (cell.rows > 1) merged?.set(column, { text: cell.text, rowsLeft: cell.rows - 1 })
    else merged?.delete(column)
  }

  #endRow(): void {
    const row = this.#rows.pop()
    const table = this.#tables.at(-1)
    if (!row || !table) return
    const cells = row.cells.slice(0, row.cells.findLastIndex(Boolean) + 1)
    if (cells.length === 0) {
      table.emptyRows += row.repeat
      return
    }
    for (const [column, text] of row.covered) if (column < cells.length) cells[column] ||= text
    for (; table.emptyRows > 0 && table.emptyRows <= REPEATS_MAX.rows; table.emptyRows--) table.rows.push([])
    table.emptyRows = 0
    const repeat = Math.min(row.repeat, REPEATS_MAX.rows)
    if (row.isHidden) this.hidden.rows += repeat
    for (let at = 0; at < repeat; at++) table.rows.push(row.isHidden && !this.#includeHidden ? [] : cells)
  }

  #endTable(): void {
    const table = this.#tables.pop()
    if (!table) return
    const isLeftOut = (at: number) => (table.hiddenColumns[at] ?? false) && table.rows.some((row) => row[at])
    const columns = table.hiddenColumns.filter((_, at) => isLeftOut(at)).length
    this.hidden.columns += columns
    const rows =
      columns === 0 || this.#includeHidden ? table.rows : table.rows.map((row) => row.filter((_, at) => !isLeftOut(at)))
    const isEmpty = !rows.some((row) => row.some(Boolean))
    if (table.isHidden && !isEmpty) this.hidden.sheets++
    if (isEmpty || (table.isHidden && !this.#includeHidden)) return
    const outer = this.#cells.at(-1)
    if (this.#isSheet) this.sheets.push({ name: table.name, rows })
    else if (outer) outer.text = `${outer.text} ${rows.map((row) => row.join(', ')).join('; ')}`.trim()
    else this.blocks.push(...tableBlocks(rows, null))
  }
}

/** `super 58%`, or how far from the line: `33% 58%`. */
function shiftOf(position: string): Shift | null {
  const [where = ''] = position.split(' ')
  if (where === 'super' || Number.parseFloat(where) > 0) return 'sup'
  return where === 'sub' || Number.parseFloat(where) < 0 ? 'sub' : null
}
