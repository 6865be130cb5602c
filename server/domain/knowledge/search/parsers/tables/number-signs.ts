// Which sign of a column's numbers divides thousands, and which decimals: decided by all of its cells, never by the language.
import type { NumberSign, SignMeaning } from '#shared/knowledge/tables.ts'

/** The meaning of the signs in a column; null where a sign does not occur or is ambiguous. */
export type Signs = Record<NumberSign, SignMeaning | null>
/** Digits of a cell with their signs; `isGrouped`: spaces divide its thousands. */
export type SignedDigits = { digits: string; isGrouped: boolean }
export type DecidedSigns = { signs: Signs; doubt: NumberSign | null }

const OPEN = /^[+-]?\d{1,3}([.,])\d{3}$/

/**
 * @param isPrice the column is one of money, which is not written with three decimals
 * @param chosen what a person says
 * @param elsewhere what other columns of the file prove
 */
export function decideSigns(
  cells: SignedDigits[],
  { isPrice, chosen, elsewhere }: { isPrice: boolean; chosen: Partial<Signs>; elsewhere: Partial<Signs> },
): DecidedSigns {
  const proven = provenSigns(cells)
  const signs: Signs = { ',': null, '.': null }
  let doubt: NumberSign | null = null
  for (const sign of [',', '.'] as const) {
    const other = sign === ',' ? '.' : ','
    const open = cells.filter(({ digits, isGrouped }) => !isGrouped && OPEN.exec(digits)?.[1] === sign)
    const given = chosen[sign] ?? null
    const found = proven[sign]
    if (given) signs[sign] = given
    else if (found.size === 1) signs[sign] = [...found][0] ?? null
    else if (open.length > 0 && found.size === 0) {
      signs[sign] = meaningOfOpen(cells, open, { isPrice, other: proven[other], elsewhere: elsewhere[sign] ?? null })
    }
    if (open.length > 0 && signs[sign] === null) {
      doubt = sign
      signs[sign] = 'thousands'
    }
  }
  if (signs[','] === 'decimal' && signs['.'] === 'decimal' && !chosen[',']) return mixedDecimals(cells, signs, doubt)
  return { signs, doubt }
}

/** Both signs divide decimals, of people who do not mind: one of them with three digits behind it could be either. */
function mixedDecimals(cells: SignedDigits[], signs: Signs, doubt: NumberSign | null): DecidedSigns {
  const open = cells.map(({ digits, isGrouped }) => (isGrouped ? undefined : OPEN.exec(digits)?.[1]))
  const unsure = open.find((sign) => sign !== undefined) as NumberSign | undefined
  return { signs, doubt: unsure ?? doubt }
}

/** What single cells prove of each sign. */
function provenSigns(cells: SignedDigits[]): Record<NumberSign, Set<SignMeaning>> {
  const proven = { ',': new Set<SignMeaning>(), '.': new Set<SignMeaning>() }
  for (const { digits, isGrouped } of cells) {
    const found = [...digits.matchAll(/[.,]/g)].map(([sign]) => sign as NumberSign)
    const [first, last] = [found[0], found.at(-1)]
    if (!first || !last) continue
    if (first !== last) {
      proven[first].add('thousands')
      proven[last].add('decimal')
    } else if (found.length > 1) proven[first].add('thousands')
    else if (isGrouped || !OPEN.test(digits) || /^[+-]?0[.,]/.test(digits)) proven[first].add('decimal')
  }
  return proven
}

/** Cells that may be either, by the company they keep. Null: nothing tells. */
function meaningOfOpen(
  cells: SignedDigits[],
  open: SignedDigits[],
  { isPrice, other, elsewhere }: { isPrice: boolean; other: Set<SignMeaning>; elsewhere: SignMeaning | null },
): SignMeaning | null {
  if (other.has('decimal') && !other.has('thousands')) return 'thousands'
  if (other.has('thousands') && !other.has('decimal')) return 'decimal'
  const whole = cells.filter(({ digits }) => !/[.,]/.test(digits))
  const isRound = open.some(({ digits }) => digits.endsWith('0')) // a program that leaves zeros out writes none of these
  const isSmall = whole.every(({ digits, isGrouped }) => !isGrouped && digits.replace(/\D/g, '').length <= 3)
  if (whole.some(({ isGrouped }) => isGrouped)) return 'decimal'
  if (elsewhere === 'thousands') return 'thousands'
  if (elsewhere === 'decimal') return isPrice || (whole.length > 0 && isRound) ? null : 'decimal'
  if (!isSmall) return null
  if (whole.length > 0 && isRound) return 'thousands'
  const isLarge = open.some(({ digits }) => /^[+-]?\d{2,3}[.,]/.test(digits))
  return isPrice && (isRound || isLarge) ? 'thousands' : null
}

/** The number that digits say. */
export function numberOf(digits: string, signs: Signs): number {
  let text = digits
  for (const sign of [',', '.'] as const) {
    const isRepeated = text.split(sign).length > 2
    if (signs[sign] === 'thousands' || isRepeated) text = text.replaceAll(sign, '')
  }
  return Number(text.replace(',', '.'))
}
