// Telephone and other long numbers as words of an index: however they are written, and found by their last digits too. The inbox does the same
// in SQL, see migration 110.

/** What may stand between two digits of a number: spaces, a no-break one too, brackets, dots and hyphens. */
const GAP = String.raw`[ \u00a0().-]{0,2}`
/** Nothing but a number, or the end of one. */
const NUMBER = /^\s*\+?[\d\s().-]+$/
const DIGITS = { min: 4, max: 15, compared: 10 }
/** In a text or a question a shorter number is a price or a year as often as not. */
const LONG = new RegExp(String.raw`(?<![\p{L}\p{N}])\+?\d(?:${GAP}\d){4,14}(?![\p{L}\p{N}])`, 'gu')
const ASKED = new RegExp(String.raw`(?<![\p{L}\p{N}])\+?\d(?:${GAP}\d){5,14}(?![\p{L}\p{N}])`, 'gu')
/** No word of a language begins with it. */
const MARK = '#'

/** The digits of a number that are compared, at most ten; null: what was typed is no number. */
export function phoneDigits(typed: string): string | null {
  const digits = typed.replace(/\D/g, '')
  if (!NUMBER.test(typed) || digits.length < DIGITS.min || digits.length > DIGITS.max) return null
  return digits.slice(-DIGITS.compared).replace(/^0+(?=\d{4})/, '')
}

/** The words of the numbers in a text: the last ten digits from the end, so that the end of a number is the beginning of its word. */
export function numberWordsIn(text: string): string[] {
  return (text.match(LONG) ?? []).map((number) => wordOf(number.replace(/\D/g, '').slice(-DIGITS.compared)))
}

/** The beginnings of words by which the numbers of a question are found: each of six digits or more, or all of it where it is a number. */
export function numberPrefixesIn(question: string): string[] {
  const whole = phoneDigits(question)
  if (whole !== null) return [wordOf(whole)]
  return (question.match(ASKED) ?? []).flatMap((number) => {
    const digits = phoneDigits(number)
    return digits === null ? [] : [wordOf(digits)]
  })
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
