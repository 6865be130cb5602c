// From what a person types to a number, in the habits of both languages.
import type { Language } from './i18n.ts'

/**
 * Accepts spaces between thousands, and a comma or a point before decimals; in English commas may stand between thousands.
 *
 * @returns null for an empty text, NaN for what is not a number
 */
export function parseNumber(text: string, language: Language): number | null {
  const packed = text.replace(/\s/g, '')
  if (packed === '') return null
  const plain = language === 'en' ? packed.replace(/,(?=\d{3}(?!\d))/g, '') : packed
  return /^[+-]?(\d+[.,]?\d*|[.,]\d+)$/.test(plain) ? Number(plain.replace(',', '.')) : Number.NaN
}
