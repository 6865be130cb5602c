// The numbers that Word displays before paragraphs and does not store with them: customers ask for clause 3.2 of a contract.
import { Parser } from 'htmlparser2'

/** `text`: the format of the label before the paragraph, `%2` for the number of the second level. */
type Level = { start: number; format: string; text: string }
/** A numbering continues its list, which several share; `restarts` are the levels at which it restarts. */
type Numbered = { list: string; restarts: Map<number, number> }
export type Numbering = { lists: ReadonlyMap<string, Level[]>; numbered: ReadonlyMap<string, Numbered> }

const LEVELS_MAX = 9
const LETTERS: Record<string, string> = {
  lowerLetter: 'abcdefghijklmnopqrstuvwxyz',
  upperLetter: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  russianLower: 'абвгдежзиклмнопрстуфхцчшщэюя',
  russianUpper: 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ',
}
const ROMAN: [number, string][] = [
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

/** What `word/numbering.xml` says. */
export function readNumbering(xml: string): Numbering {
  const lists = new Map<string, Level[]>()
  const numbered = new Map<string, Numbered>()
  let levels: Level[] = []
  let level: Level | undefined
  let current: Numbered | undefined
  let overridden = 0
  const onopentag = (name: string, attributes: Record<string, string>) => {
    const value = attributes['w:val'] ?? ''
    if (name === 'w:abstractNum') {
      levels = []
      lists.set(attributes['w:abstractNumId'] ?? '', levels)
    } else if (name === 'w:num') {
      current = { list: '', restarts: new Map() }
      numbered.set(attributes['w:numId'] ?? '', current)
    } else if (name === 'w:abstractNumId' && current) current.list = value
    else if (name === 'w:lvlOverride') overridden = Number(attributes['w:ilvl'])
    else if (name === 'w:startOverride') current?.restarts.set(overridden, Number(value))
    else if (name === 'w:lvl' && !current && levels.length < LEVELS_MAX) {
      level = { start: 1, format: 'decimal', text: '' }
      levels.push(level)
    } else if (!level) return
    else if (name === 'w:start') level.start = Number(value)
    else if (name === 'w:numFmt') level.format = value
    else if (name === 'w:lvlText') level.text = value
  }
  const onclosetag = (name: string) => {
    if (name === 'w:lvl') level = undefined
    else if (name === 'w:num') current = undefined
  }
  new Parser({ onopentag, onclosetag }, { xmlMode: true }).end(xml)
  return { lists, numbered }
}

/** Counts the numbered paragraphs of a document from its beginning. */
export class ParagraphCounter {
  readonly #numbering: Numbering
  readonly #counts = new Map<string, number[]>()
  readonly #used = new Set<string>()

  constructor(numbering: Numbering) {
    this.#numbering = numbering
  }

  /** The label of the next paragraph of this numbering at this level, from 0. Empty for a bullet. */
  next(id: string, at: number): string {
    const numbered = this.#numbering.numbered.get(id)
    const levels = this.#numbering.lists.get(numbered?.list ?? '')
    const level = levels?.[at]
    if (!numbered || !levels || !level) return ''
    const counts = this.#counts.get(numbered.list) ?? []
    if (!this.#used.has(id)) for (const [restarted, start] of numbered.restarts) counts[restarted] = start - 1
    this.#used.add(id)
    counts[at] = (counts[at] ?? level.start - 1) + 1
    counts.length = at + 1
    this.#counts.set(numbered.list, counts)
    if (level.format === 'bullet' || level.format === 'none') return ''
    return level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const of = levels[Number(digit) - 1]
      return of ? written(counts[Number(digit) - 1] ?? of.start, of.format) : ''
    })
  }
}

function written(number: number, format: string): string {
  const letters = LETTERS[format]
  if (letters) return letters[number - 1] ?? String(number)
  if (!/roman/i.test(format) || number > 39) return String(number)
  let [rest, roman] = [number, '']
  for (const [value, sign] of ROMAN) for (; rest >= value; rest -= value) roman += sign
  return format === 'lowerRoman' ? roman.toLowerCase() : roman
}
