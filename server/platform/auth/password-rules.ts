// Which passwords are too easily guessed to be taken: those of public breaches, keys in a row, one sign over and over, one's own address.
import fs from 'node:fs'
import { isPatternPassword } from '#shared/organizations/password-patterns.ts'
import { nationalNumber } from '../lib/phones.ts'
import { LOOK_ALIKES } from '../lib/text/look-alikes.ts'
import { toLatin } from '../lib/text/transliterate.ts'

const LIST = new URL('./common-passwords.txt', import.meta.url)

let common: ReadonlySet<string> | undefined

/** Signs that stand for a letter in a well-known word. */
const SIGNS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  $: 's',
  '5': 's',
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '3': 'e',
  '7': 't',
}
/** Letters of two alphabets that look alike: a well-known word with some of the other is still that word. */
const CYRILLIC_LOOKS = `${LOOK_ALIKES.cyrillic}іѕјԁ`
const LATIN_LOOKS = `${LOOK_ALIKES.latin}isjd`
/** Keys that bear a Russian letter and a Latin one, in the order of the keyboard. */
const RUSSIAN_KEYS = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
const LATIN_KEYS = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
/** What is put behind a word most often. */
const ENDINGS = ['1', '12', '123', '1234', '12345', '123456']
/** Shorter words are parts of many phrases. */
const WORD_MIN = 4
/** A shorter part of an address says little. */
const OWN_PART_MIN = 3

/** Shorter numbers are no whole telephone numbers. */
const PHONE_LEAST = 10

/** Whether a password is among the first that are guessed. `email`: of the account that it is for, where that is known. */
export function isGuessable(password: string, email?: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  if (isOwn(plain, email?.trim().toLowerCase() ?? '')) return true
  const whole = [plain, bare(plain)]
  if (whole.some(isKnown) || isDate(bare(plain)) || isPhone(plain)) return true
  const words = [withoutYear(plain), withoutLead(plain), withoutLead(withoutYear(plain))].flatMap((text) => [
    repeatedIn(text),
    repeatedIn(undivided(text)),
  ])
  return words.some((word) => word.length >= WORD_MIN && waysOf(word).some(isKnownWord))
}

/** A word as it may be meant: signs for letters, letters of the other alphabet or keyboard, from its end. */
function waysOf(word: string): string[] {
  const inCyrillic = exchange(word, LATIN_LOOKS, CYRILLIC_LOOKS)
  const letters = [asLetters(word), asLetters(word.replaceAll('1', 'l'))]
  const inLatin = [word, ...letters].map((text) => exchange(text, CYRILLIC_LOOKS, LATIN_LOOKS))
  const onKeys = [word, inCyrillic].map((text) => exchange(text, RUSSIAN_KEYS, LATIN_KEYS))
  return [word, ...letters, inCyrillic, ...inLatin, ...onKeys, [...word].reverse().join('')]
}

/** Whether a password is an address, its name or domain or a part of one, with or without what divides the parts, and with a year or not. */
function isOwn(password: string, email: string): boolean {
  if (email === '') return false
  const [name = '', domain = ''] = email.split('@')
  const parts = [...name.replace(/\+.*$/, '').split(/[^\p{L}\p{N}]+/u), ...domain.split('.').slice(0, -1)]
  const own = [email, name, name.replace(/\+.*$/, ''), domain, ...parts.filter((part) => part.length >= OWN_PART_MIN)]
  const names = new Set(own.flatMap((each) => [each, undivided(each), withoutYear(each)]))
  const bases = [
    password,
    withoutYear(password),
    bare(password),
    withoutLead(password),
    withoutLead(withoutYear(password)),
  ]
  const ways = bases.flatMap((each) => [
    each,
    undivided(each),
    exchange(each, CYRILLIC_LOOKS, LATIN_LOOKS),
    toLatin(each),
    repeatedIn(undivided(each)),
  ])
  return ways.some((way) => way !== '' && names.has(way))
}

/** Whether a text is nothing but a telephone number, with the code of a country or as it is dialled in Russia and Kazakhstan. */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  if (/[^\d\s().+-]/.test(text) || digits.length < PHONE_LEAST) return false
  const local = digits.length === PHONE_LEAST ? `7${digits}` : digits.replace(/^8(?=\d{10}$)/, '7')
  return [digits, local].some((number) => nationalNumber(number) !== null)
}

function undivided(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}

/** A day with its year, which people are born on: 19900131, 31.01.1990. */
function isDate(text: string): boolean {
  const digits = text.replace(/(?<=\d)[./-](?=\d)/g, '')
  return /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d)$/.test(
    digits,
  )
}

/** A birthday in six digits: 310190. */
function isShortDate(digits: string): boolean {
  return /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d\d$/.test(digits)
}

/** Without the marks around it. */
function bare(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}

/** Without the marks and the digits before it: 123password, !password. */
function withoutLead(text: string): string {
  const [lead, digits = ''] = /^(\d+)(?!\d)[^\p{L}\p{N}]?/u.exec(bare(text)) ?? ['']
  return isEasy(digits) ? bare(text).slice(lead.length) : bare(text)
}

/** Whether digits next to a word add little to it: a year, a day or keys in a row. */
function isEasy(digits: string): boolean {
  return digits.length <= 4 || isPatternPassword(digits) || isDate(digits) || isShortDate(digits)
}

/** The list holds no short passwords, but what people make of a short word. */
function isKnownWord(word: string): boolean {
  return isKnown(word) || ENDINGS.some((ending) => commonPasswords().has(word + ending))
}

function isKnown(text: string): boolean {
  return isPatternPassword(text) || commonPasswords().has(text)
}

/** Without the marks and the digits that people put behind a word so that it is taken. */
function withoutYear(text: string): string {
  const marked = text.replace(/[^\p{L}\p{N}]+$/u, '')
  const [tail, digits = ''] = /(?<!\d)[^\p{L}\p{N}]?(\d+)$/u.exec(marked) ?? ['']
  return isEasy(digits) ? marked.slice(0, marked.length - tail.length) : marked
}

/** The word that a text says twice or more, with or without a space; the text itself if it does not. */
function repeatedIn(text: string): string {
  return /^(.{4,}?)(?:[^\p{L}\p{N}]?\1)+$/u.exec(text)?.[1] ?? text
}

function asLetters(text: string): string {
  return [...text].map((sign) => SIGNS[sign] ?? sign).join('')
}

/** A text with other signs in the place of some: keys of the Latin layout, on which lists have Russian words, or letters that look alike. */
function exchange(text: string, from: string, to: string): string {
  return [...text].map((sign) => to[from.indexOf(sign)] ?? sign).join('')
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
