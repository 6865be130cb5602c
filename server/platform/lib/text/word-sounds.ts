// How a word sounds, roughly: Latin and Cyrillic spellings of one word give the same key, such as `wifi` and `вайфай`.

export type WordSound = {
  /** Its consonants in Cyrillic, and whether it begins with a vowel. */
  key: string
  /** Groups of vowels: spellings of one word differ by one at most. */
  vowels: number
}

/** Latin spellings of sounds, the longest first. */
const LATIN: [RegExp, string][] = [
  [/tch/g, 'ч'],
  [/sch/g, 'ш'],
  [/wh/g, 'в'],
  [/ph/g, 'ф'],
  [/sh/g, 'ш'],
  [/ch/g, 'ч'],
  [/zh/g, 'ж'],
  [/th/g, 'с'],
  [/ck/g, 'к'],
  [/qu/g, 'кв'],
  [/x/g, 'кс'],
  [/c(?=[eiy])/g, 'с'],
  [/(?<=[aeiou])w(?![aeiouy])/g, ''],
  [/(?<=[bcdfgklmnprstvz])e$/g, ''],
]
const LATIN_LETTERS: Record<string, string> = {
  b: 'б',
  c: 'к',
  d: 'д',
  f: 'ф',
  g: 'г',
  h: '',
  j: 'ж',
  k: 'к',
  l: 'л',
  m: 'м',
  n: 'н',
  p: 'п',
  q: 'к',
  r: 'р',
  s: 'с',
  t: 'т',
  v: 'в',
  w: 'в',
  z: 'с',
}
const CYRILLIC: [RegExp, string][] = [
  [/дж/g, 'ж'],
  [/ц/g, 'тс'],
  [/щ/g, 'ш'],
  [/з/g, 'с'],
  [/[хъь]/g, ''],
]
const VOWELS = /[аеёиоуыэюяйaeiouy]+/g
const CONSONANTS_LEAST = 2

/** Undefined for a word of both alphabets, with a digit, or with fewer consonants than `least`: too much sounds like it. */
export function soundOf(word: string, least = CONSONANTS_LEAST): WordSound | undefined {
  const isLatin = /^[a-z]+$/.test(word)
  if (!isLatin && !/^[а-яё]+$/.test(word)) return undefined
  const rules = isLatin ? LATIN : CYRILLIC
  const spelled = rules.reduce((text, [pattern, by]) => text.replace(pattern, by), word)
  const letters = Array.from(spelled, (letter) => LATIN_LETTERS[letter] ?? letter).join('')
  const consonants = letters.replace(VOWELS, '').replace(/(.)\1+/g, '$1')
  if (consonants.length < least) return undefined
  const start = letters.search(VOWELS) === 0 ? '-' : ''
  return { key: start + consonants, vowels: letters.match(VOWELS)?.length ?? 0 }
}
