// Telephone and other long numbers as words of an index: however they are written, and found by their last digits too. The inbox does the same
// in SQL, by the function `phone_words`.
import { nationalNumber } from '../phones.ts'

/** Spaces of any width, dashes of any length, brackets, dots, and the invisible marks that address books copy with a number. */
const SEPARATORS = String.raw`\u00a0\u00ad\u2007-\u2015\u202a-\u202f\u2060\u2066-\u2069\u2212 ().-`
/** What may stand between two digits of a number; a regular expression here and in SQL. */
export const NUMBER_GAP = `[${SEPARATORS}]{0,4}`
/** A dash between spaces: within a number, or between two. */
const WIDE_GAP = /\D{3,}/g
/** Nothing but a number, or the end of one. */
const NUMBER = new RegExp(String.raw`^[\s${SEPARATORS}]*\+?[\s\d${SEPARATORS}]+$`, 'u')
const DIGITS = { min: 4, max: 15, compared: 10 }
/** Without the code of a country a number has fewer. */
const WITH_COUNTRY = 12
/** What people copy together with a number, before it and behind it. */
const LABEL =
  /^[\s\u202a-\u202e\u2066-\u2069]*(?:(?:тел(?:ефон)?|моб|номер|whatsapp|ватсап|tel|phone|mob|no)(?!\p{L})[.:]{0,2}|(?:https?:\/\/)?wa\.me\/|[№#])\s*/iu
const TAIL = /(?:@(?:c\.us|s\.whatsapp\.net)|[,;.])\s*$/u
/** Digits of other scripts: Arabic, Persian, Devanagari. The first of each is a nought. */
const NOUGHTS = [0x660, 0x6f0, 0x966]
const OTHER_DIGIT = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/gu
/** Digits and a plus as wide as a Chinese character. */
const WIDE = /[\uff0b\uff10-\uff19]/gu
/** Fewer digits with slashes between them are a day or a part of a whole as often as not. */
const SLASHED_LEAST = 10
const SLASH = /(?<=\d)\s?\/\s?(?=[(\d])/gu
/** These divide nothing else. */
const BAR = /(?<=\d)\s?[\\|]\s?(?=[(\d])/gu
/** In a text or a question a shorter number is a price or a year as often as not. */
const LEAST = { indexed: 5, asked: 6 }
const RUN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\+?\d(?:${NUMBER_GAP}\d){${LEAST.indexed - 1},}(?![\p{L}\p{N}])`,
  'gu',
)
/** Two numbers in thousands, a dash between them. */
const RANGE = /^\d{1,3}(?:\s\d{3})+\s?[-–—]\s?\d{1,3}(?:\s\d{3})+$/u
/** No word of a language begins with it. */
const MARK = '#'

/** Digits as they are written in other scripts: Arabic, Persian, Devanagari and as wide as a Chinese character. */
export function inOtherScripts(digits: string): string[] {
  return [...NOUGHTS, 0xff10].map((nought) =>
    digits.replace(/\d/g, (digit) => String.fromCharCode(nought + Number(digit))),
  )
}

/** A text with the digits 0 to 9 in the place of those of other scripts and widths; every character stays in its place. */
export function evenDigits(text: string): string {
  return text
    .replace(OTHER_DIGIT, (digit) => String(NOUGHTS.map((nought) => digit.charCodeAt(0) - nought).find(isDigit)))
    .replace(WIDE, (sign) => sign.normalize('NFKC'))
    .replace(/(?<=\d)[·•](?=\d)/gu, '.')
}

/**
 * The digits of a number that are compared, at most ten; null: what was typed is no number. The code of a country is left out: texts have the
 * number without it as well.
 */
export function phoneDigits(written: string): string | null {
  const typed = numberTyped(written)
  if (typed === null) return null
  const digits = typed.replace(/\D/g, '')
  const isWhole = typed.includes('+') || digits.length >= WITH_COUNTRY
  const national = (isWhole ? nationalNumber(digits) : null) ?? digits
  return national.slice(-DIGITS.compared).replace(/^0+(?=\d{4})/, '')
}

/** All digits of a number that was typed, from the left; null: it is none. */
export function digitsTyped(written: string): string | null {
  return numberTyped(written)?.replace(/\D/g, '') ?? null
}

/** A number without its label, in digits from 0 to 9; null: something else was typed. */
function numberTyped(written: string): string | null {
  const typed = evenDigits(written).replace(LABEL, '').replace(TAIL, '').replace(BAR, ' ')
  const count = typed.replace(/\D/g, '').length
  const number = count >= SLASHED_LEAST ? typed.replace(SLASH, ' ') : typed
  return NUMBER.test(number) && count >= DIGITS.min && count <= DIGITS.max ? number : null
}

/** The words of the numbers in a text: the last ten digits from the end, so that the end of a number is the beginning of its word. */
export function numberWordsIn(text: string): string[] {
  return (evenDigits(text).match(RUN) ?? [])
    .flatMap(numbersOf)
    .filter((digits) => digits.length >= LEAST.indexed)
    .map((digits) => wordOf(digits.slice(-DIGITS.compared)))
}

/** A number of a question as it is written there, and the beginnings of the words by which it is found. */
export type AskedNumber = { written: string; prefixes: string[] }

/** The numbers of a question: each of six digits or more, or all of it where it is a number. */
export function numbersAskedIn(question: string): AskedNumber[] {
  const whole = phoneDigits(question)
  if (whole !== null) return [{ written: question, prefixes: [wordOf(whole)] }]
  return [...evenDigits(question).matchAll(RUN)].map(({ 0: number, index }) => {
    const written = question.slice(index, index + number.length)
    const prefixes = numbersOf(number).flatMap((each) => {
      const digits = each.length < LEAST.asked ? null : phoneDigits(each)
      return digits === null ? [] : [wordOf(digits)]
    })
    return { written, prefixes }
  })
}

/** The digits of a number from the left; where it may be two, of everything up to each place at which the first may end. */
function numbersOf(run: string): string[] {
  const border = run.replace(/\D/g, '').length > DIGITS.max ? '|' : ''
  const pieces = run
    .replace(WIDE_GAP, '|')
    .replace(/[^\d|]+/g, border)
    .split('|')
  return pieces.map((_, at) => {
    const digits = pieces.slice(Math.max(0, at + 1 - DIGITS.compared), at + 1).join('')
    return digits.length > DIGITS.max ? digits.slice(-DIGITS.compared) : digits
  })
}

/** Whether a text is a range such as "70 000 – 100 000", which has as many digits as a telephone number. */
export function isRange(text: string): boolean {
  return RANGE.test(text.trim())
}

/** Whether a word of an index stands for a number. */
export function isNumberWord(word: string): boolean {
  return word.startsWith(MARK)
}

/** The digits that a word of an index stands for. */
export function digitsOfNumberWord(word: string): string {
  return [...word.slice(MARK.length)].reverse().join('')
}

function wordOf(digits: string): string {
  return MARK + [...digits].reverse().join('')
}

function isDigit(value: number): boolean {
  return value >= 0 && value <= 9
}
