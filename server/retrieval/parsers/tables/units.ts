// Numbers with what they are numbers of: 5 кг, 10 шт., 1 234,50 руб./м².
import { isMonth } from './cell-values.ts'

type Measured = { number: string; unit: string }

const WORD = String.raw`(?:[₽$€£₸%°]|\p{L}[\p{L}.]{0,11})[²³23]?`
const MEASURED = new RegExp(String.raw`^([+\-−]?\d(?:[\d\s'.,]*\d)?)(\s*)(${WORD}(?:\s?/\s?${WORD})?)$`, 'u')
/** Units that may stand close to their number; 100A is a code. */
const CLOSE = new Set(
  'мг г кг т шт м мм см км л мл м2 м3 руб р вт квт мб гб mg g kg t pcs m mm cm km l ml m2 m3 mb gb w kw'.split(' '),
)

/** Undefined for what is no number with a unit. A day of a month is none. */
export function readMeasured(cell: string): Measured | undefined {
  const [, number = '', space = '', written = ''] = MEASURED.exec(cell.trim()) ?? []
  const unit = sameUnit(written)
  const [word = ''] = unit.split('/')
  if (!unit || isMonth(word)) return undefined
  if (space === '' && !CLOSE.has(word.toLowerCase()) && /^\p{L}/u.test(word)) return undefined
  return { number, unit }
}

/** The unit of most cells; undefined where none has one. */
export function commonUnit(cells: string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const cell of cells) {
    const unit = readMeasured(cell)?.unit
    if (unit) counts.set(unit, (counts.get(unit) ?? 0) + 1)
  }
  return [...counts].reduce<[string | undefined, number]>(
    (most, next) => (next[1] > most[1] ? next : most),
    [undefined, 0],
  )[0]
}

/** Different spellings of a unit are the same, of large and small letters are not: мВт is no МВт. */
function sameUnit(unit: string): string {
  return unit.normalize('NFKC').replace(/[\s.]+/g, '')
}
