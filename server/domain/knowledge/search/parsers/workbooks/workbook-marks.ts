// What an XLSX file says of its cells in addition to their values: what is hidden, what is struck through, and numbers that are longer than a
// program keeps them. Read from the XML itself.
import type { Zip } from '../zip.ts'

/** Rows and columns count from 0, cells are named as in `B2`. */
export type SheetMarks = {
  isHidden: boolean
  hiddenRows: ReadonlySet<number>
  hiddenColumns: ReadonlySet<number>
  /** How deep a row lies among those that can be folded up; without an entry, not at all. */
  levels: ReadonlyMap<number, number>
  struckCells: ReadonlySet<string>
  /** Texts of which a part is struck through, with marks around it; where the cell itself does not hold them. */
  richTexts: ReadonlyMap<string, string>
  /** Cell → its digits, all of them. */
  longNumbers: ReadonlyMap<string, string>
}

/** More columns than a sheet has; files name the last one for "all the others". */
const COLUMNS_MAX = 16_384

/** By the name of the sheet. */
export async function readMarks(zip: Zip): Promise<Map<string, SheetMarks>> {
  const text = async (name: string) => (await zip.read(name))?.toString('utf8') ?? ''
  const workbook = await text('xl/workbook.xml')
  const targets = new Map(
    tagsOf(await text('xl/_rels/workbook.xml.rels'), 'Relationship').map(({ Id = '', Target = '' }) => [
      Id,
      Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`,
    ]),
  )
  const struck = struckFormats(await text('xl/styles.xml'))
  const marks = new Map<string, SheetMarks>()
  for (const { name = '', state = '', ...sheet } of tagsOf(workbook, 'sheet')) {
    const file = targets.get(sheet['r:id'] ?? sheet.id ?? '') ?? ''
    marks.set(unescaped(name), sheetMarks(await text(file), state === 'hidden' || state === 'veryHidden', struck))
  }
  return marks
}

function sheetMarks(xml: string, isHidden: boolean, struck: ReadonlySet<string>): SheetMarks {
  const hiddenRows = new Set<number>()
  const hiddenColumns = new Set<number>()
  const levels = new Map<number, number>()
  let row = -1
  for (const { hidden, outlineLevel, r, ht } of tagsOf(xml, 'row')) {
    row = r === undefined ? row + 1 : Number(r) - 1
    if (isFolded(outlineLevel)) levels.set(row, Number(outlineLevel))
    else if (isOn(hidden) || Number(ht) === 0) hiddenRows.add(row)
  }
  for (const { hidden, outlineLevel, width, min = '0', max = '0' } of tagsOf(xml, 'col')) {
    if ((!isOn(hidden) && Number(width) !== 0) || isFolded(outlineLevel)) continue
    for (let at = Number(min) - 1; at < Math.min(Number(max), COLUMNS_MAX); at++) hiddenColumns.add(at)
  }
  const struckCells = new Set<string>()
  if (struck.size > 0) for (const { r = '', s = '' } of tagsOf(xml, 'c')) if (struck.has(s)) struckCells.add(r)
  const longNumbers = new Map<string, string>()
  for (const [, attributes = '', digits = ''] of xml.matchAll(
    /<(?:\w+:)?c\s([^>]*)>\s*<(?:\w+:)?v>\s*(-?\d{16,})\s*</g,
  )) {
    if (!/\bt="(?:s|b|e|str)"/.test(attributes)) longNumbers.set(attributesOf(attributes).r ?? '', digits)
  }
  return { isHidden, hiddenRows, hiddenColumns, levels, struckCells, richTexts: new Map(), longNumbers }
}

/** What is folded up can be unfolded by any reader. */
function isFolded(level: string | undefined): boolean {
  return Number(level ?? 0) > 0
}

/** Numbers of the cell formats whose font is struck through. */
function struckFormats(styles: string): Set<string> {
  const part = (name: string) =>
    new RegExp(`<(?:\\w+:)?${name}[\\s>][\\s\\S]*?</(?:\\w+:)?${name}>`).exec(styles)?.[0] ?? ''
  const fonts = part('fonts').match(/<(?:\w+:)?font(?:\s[^>]*)?(?:\/>|>[\s\S]*?<\/(?:\w+:)?font>)/g) ?? []
  const isStruck = fonts.map((font) => tagsOf(font, 'strike').some(({ val }) => val === undefined || isOn(val)))
  const formats = tagsOf(part('cellXfs'), 'xf')
  return new Set(formats.flatMap(({ fontId = '' }, at) => (isStruck[Number(fontId)] ? [String(at)] : [])))
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

/** Attributes of all start tags of this name. */
function tagsOf(xml: string, name: string): Record<string, string>[] {
  return Array.from(xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(\\s[^>]*)?/?>`, 'g')), ([, attributes = '']) =>
    attributesOf(attributes),
  )
}

function attributesOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)
  return Object.fromEntries(Array.from(pairs, ([, name, double, single]) => [name, double ?? single]))
}

function unescaped(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal, hex, name) => {
    if (decimal || hex) return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
    return named[name] ?? all
  })
}
