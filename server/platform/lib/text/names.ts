// Names of people in the other alphabet, and without the marks of their letters. Several spellings of one name are usual.
import { toCyrillic, toLatin } from './transliterate.ts'

/** Spellings of one name are no more than this; what is left out is rare. */
const SPELLINGS_MAX = 12
const CONSONANT = 'bcdfghjklmnpqrstvwxz'
const BETWEEN = new RegExp(`(?<=[${CONSONANT}])y(?=[${CONSONANT}])`, 'g')

/** Of Latin letters before they are read as Cyrillic ones; each may hold or not. */
const READ_AS: [RegExp, string][] = [
  [/(?<=[aeo])i(?![aeiou])/g, 'y'],
  [/^ju/, 'yu'],
  [/j(?!u)/g, 'zh'],
  [/ander/, 'andr'],
]
/** Of Cyrillic letters that were read from Latin ones. */
const CYRILLIC_ENDINGS: [RegExp, string][] = [
  [/иа$/, 'ия'],
  [/(?:ия|иа|(?<=[бвгджзклмнпрстфхцчшщ])я)$/, 'ья'],
  [/(?<=[бвгджзклмнпрстфхцчшщ])й$/, 'ий'],
  [/ий$/, 'ы'],
]
/** Of Latin letters that were read from Cyrillic ones. */
const LATIN_SPELLINGS: [RegExp, string][] = [
  [/(?:iy|yy)$/, 'y'],
  [/iya$/, 'ia'],
  [/(?<=[bdlnrst])ya$/, 'ia'],
  [/ks/, 'x'],
  [/andr$/, 'ander'],
  [/(?<=[aeo])y(?![aeiou])/g, 'i'],
  [/^e/, 'ye'],
  [/h(?<![sczk]h)/g, 'kh'],
]
/** Letters with marks that do not come apart into a letter and a mark. */
const WHOLE: Record<string, string> = { ı: 'i', ø: 'o', ł: 'l', đ: 'd', Ø: 'o', Ł: 'l', Đ: 'd' }
const PICTURES = /[\u2190-\u2bff\u{1f000}-\u{1faff}]|\ufe0f|\u200d/gu

/** A name of lower-case Russian letters in Latin ones: Алексей is Aleksey, Alexey, Aleksei and Alexei. */
export function latinNames(name: string): string[] {
  return spellings([toLatin(name)], LATIN_SPELLINGS)
}

/** A name of lower-case Latin letters in Russian ones. */
export function cyrillicNames(name: string): string[] {
  const even = name
    .replaceAll('shch', 'sch')
    .replaceAll('yo', 'e')
    .replaceAll(/(?:^|(?<=[aeiou]))ye/g, 'e')
    .replace(BETWEEN, 'ы')
  return spellings(spellings([even], READ_AS).map(toCyrillic), CYRILLIC_ENDINGS)
}

/** These, and what becomes of them where each rule holds or not. */
function spellings(names: string[], rules: [RegExp, string][]): string[] {
  const found = new Set(names)
  for (const [pattern, by] of rules) for (const name of [...found]) found.add(name.replace(pattern, by))
  return [...found].slice(0, SPELLINGS_MAX)
}

/** Latin letters without their marks, and no pictures: Ömirbek is Omirbek. Russian letters stay as they are. */
export function withoutMarks(text: string): string {
  return text
    .normalize('NFD')
    .replace(/([a-z])[\u0300-\u036f]+/gi, '$1')
    .normalize('NFC')
    .replace(/[ıøłđØŁĐ]/g, (letter) => WHOLE[letter] ?? letter)
    .replace(PICTURES, ' ')
}
