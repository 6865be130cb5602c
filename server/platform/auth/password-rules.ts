// Which passwords are too easily guessed to be taken: those of public breaches, keys in a row, one sign over and over, one's own address.
import fs from 'node:fs'
import { isPatternPassword } from '#shared/organizations/password-patterns.ts'

const LIST = new URL('./common-passwords.txt', import.meta.url)

let common: ReadonlySet<string> | undefined

/** Signs that stand for a letter in a well-known word. */
const SIGNS: Record<string, string> = { '@': 'a', $: 's', '0': 'o', '1': 'i', '3': 'e' }
/** Keys that bear a Russian letter and a Latin one, in the order of the keyboard. */
const RUSSIAN_KEYS = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
const LATIN_KEYS = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
/** What is put behind a word most often. */
const ENDINGS = ['1', '12', '123', '1234', '12345', '123456']
/** Shorter words are parts of many phrases. */
const WORD_MIN = 4

/** Whether a password is among the first that are guessed. `email`: of the account that it is for, where that is known. */
export function isGuessable(password: string, email?: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  const own = email?.trim().toLowerCase() ?? ''
  const names = own === '' ? [] : [own, own.split('@')[0]]
  const word = repeatedIn(withoutYear(plain))
  if (names.includes(plain) || names.includes(withoutYear(plain))) return true
  const whole = [plain, plain.replace(/[^\p{L}\p{N}]+$/u, '')]
  return (
    whole.some(isKnown) || (word.length >= WORD_MIN && [word, asLetters(word), asLatinKeys(word)].some(isKnownWord))
  )
}

/** The list holds no short passwords, but what people make of a short word. */
function isKnownWord(word: string): boolean {
  return isKnown(word) || ENDINGS.some((ending) => commonPasswords().has(word + ending))
}

function isKnown(text: string): boolean {
  return isPatternPassword(text) || commonPasswords().has(text)
}

/** Without the marks and up to four digits that people put behind a word so that it is taken. */
function withoutYear(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+$/u, '').replace(/(?<!\d)[^\p{L}\p{N}]?\d{1,4}$/u, '')
}

/** The word that a text says twice or more, with or without a space; the text itself if it does not. */
function repeatedIn(text: string): string {
  return /^(.{4,}?)(?:[^\p{L}\p{N}]?\1)+$/u.exec(text)?.[1] ?? text
}

function asLetters(text: string): string {
  return [...text].map((sign) => SIGNS[sign] ?? sign).join('')
}

/** The text typed with the same keys on the Latin layout: password lists contain Russian words in this form. */
function asLatinKeys(text: string): string {
  return [...text].map((sign) => LATIN_KEYS[RUSSIAN_KEYS.indexOf(sign)] ?? sign).join('')
}

/** Read when the first password is chosen. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    fs
      .readFileSync(LIST, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  )
  return common
}
