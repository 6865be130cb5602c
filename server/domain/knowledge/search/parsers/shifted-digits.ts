// Digits above or below the line, as their own signs.

export type Shift = 'sup' | 'sub'

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SUBSCRIPT = '₀₁₂₃₄₅₆₇₈₉'

/** Digits as a reader sees them, raised or lowered: 499⁹⁰ is not 49990. */
export function shifted(text: string, shift: Shift): string {
  const digits = shift === 'sup' ? SUPERSCRIPT : SUBSCRIPT
  return /^\s*\d+\s*$/.test(text) ? text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit) : text
}
