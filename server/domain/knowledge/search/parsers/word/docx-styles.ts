// The styles of a DOCX as far as structure needs them: which are headings, bold, struck through, hidden or numbered.
import { Parser } from 'htmlparser2'

/** `numbering`: what numbers its paragraphs, and at which level, from 0. */
export type Style = {
  headingLevel: number | null
  isBold: boolean
  isStruck: boolean
  isHidden: boolean
  numbering: { id: string; level: number } | null
}
export type Styles = ReadonlyMap<string, Style>

type RawStyle = {
  name: string
  basedOn: string | null
  outlineLevel: number | null
  isBold: boolean | null
  isStruck: boolean | null
  isHidden: boolean | null
  numberingId: string | null
  level: number
}

const HEADING_NAME = /^(?:heading|заголовок|überschrift)\s*(\d)$/i
const TITLE_NAME = /^(?:title|название)$/i
/** Outline level 9 means body text. */
const BODY_LEVEL = 9

/** Style id → its effect on a paragraph, inherited from the styles it is based on. */
export function readStyles(xml: string): Styles {
  const raw = readRawStyles(xml)
  return new Map(Array.from(raw.keys(), (id) => [id, resolve(id, raw)]))
}

/** Whether a switch such as `<w:b/>` or `<w:b w:val="0"/>` is on. */
export function isOn(attributes: Record<string, string>): boolean {
  return !['0', 'false', 'none', 'off'].includes(attributes['w:val'] ?? '')
}

function readRawStyles(xml: string): Map<string, RawStyle> {
  const styles = new Map<string, RawStyle>()
  let current: RawStyle | undefined
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const value = attributes['w:val'] ?? ''
        if (name === 'w:style') {
          current = newStyle()
          styles.set(attributes['w:styleId'] ?? '', current)
        } else if (!current) return
        else if (name === 'w:name') current.name = value
        else if (name === 'w:basedOn') current.basedOn = value
        else if (name === 'w:outlineLvl') current.outlineLevel = Number(value)
        else if (name === 'w:numId') current.numberingId = value
        else if (name === 'w:ilvl') current.level = Number(value)
        else if (name === 'w:b') current.isBold = isOn(attributes)
        else if (name === 'w:strike' || name === 'w:dstrike') current.isStruck = isOn(attributes)
        else if (name === 'w:vanish') current.isHidden = isOn(attributes)
      },
      onclosetag(name) {
        if (name === 'w:style') current = undefined
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return styles
}

function newStyle(): RawStyle {
  return {
    name: '',
    basedOn: null,
    outlineLevel: null,
    isBold: null,
    isStruck: null,
    isHidden: null,
    numberingId: null,
    level: 0,
  }
}

function resolve(id: string, raw: Map<string, RawStyle>): Style {
  const style: Style = { headingLevel: null, isBold: false, isStruck: false, isHidden: false, numbering: null }
  const known = new Set<string>()
  const seen = new Set<string>()
  for (let at: string | null = id; at !== null && !seen.has(at); ) {
    seen.add(at)
    const found = raw.get(at)
    if (!found) break
    if (found.numberingId !== null)
      style.numbering ??= { id: found.numberingId, level: raw.get(id)?.level || found.level }
    style.headingLevel ??= ownHeadingLevel(found)
    for (const name of ['isBold', 'isStruck', 'isHidden'] as const) {
      const value = found[name]
      if (value === null || known.has(name)) continue
      style[name] = value
      known.add(name)
    }
    at = found.basedOn
  }
  if (style.headingLevel === 0) style.headingLevel = null
  return style
}

/** 1 to 9; 0: says that it is body text; null: says nothing. */
function ownHeadingLevel({ name, outlineLevel }: RawStyle): number | null {
  if (outlineLevel !== null) return outlineLevel >= BODY_LEVEL ? 0 : outlineLevel + 1
  const level = HEADING_NAME.exec(name)?.[1]
  if (level) return Number(level)
  return TITLE_NAME.test(name) ? 1 : null
}
