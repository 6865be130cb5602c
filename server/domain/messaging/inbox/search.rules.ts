// The input of the inbox search as queries, and its results as they are shown.
import { foldKazakh } from '#server/platform/lib/text/kazakh.ts'
import { cyrillicNames, latinNames, withoutMarks } from '#server/platform/lib/text/names.ts'
import {
  digitsTyped,
  evenDigits,
  inOtherScripts,
  NUMBER_GAP,
  phoneDigits,
} from '#server/platform/lib/text/number-words.ts'

/** Markers that the database puts around a word that was found: characters that no text has. */
export const MARKS = { start: '\uE000', stop: '\uE001' } as const
const WORDS_MAX = 8
/** Digits of a number in a message that are enough to look for its beginning, and those of a whole one without the code of its country. */
const WRITTEN_LEAST = 5
const NATIONAL = 10
/** Shorter words in the other alphabet begin too many names. */
const TRANSLITERATED_LEAST = 3
/** An e-mail address is one word of an index, and so is a user name with dots and the typed beginning of either. */
const WORD = /[\p{L}\p{N}_.+-]+@[\p{L}\p{N}_-]+\.[\p{L}\p{N}_.-]+|[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*/gu

/** Of an e-mail address that is not typed to its end: indexes hold whole ones, by their beginnings. */
const BEGUN_DOMAIN = /(?<=[\p{L}\p{N}])@[\p{L}\p{N}_-]*(?=\s|$)/gu
/** What people copy before an id or a user name: addresses of profiles and chats, and labels. */
const ADDRESS =
  /^[\s<]*(?:mailto:|tg:\/\/(?:resolve\?domain=|user\?id=)|(?:https?:\/\/)?(?:www\.|m\.)?(?:t\.me|telegram\.me|wa\.me|instagram\.com|vk\.(?:com|ru)|max\.ru|api\.whatsapp\.com\/send\/?\?phone=)\/?@?|id[:\s]*(?=\d))/iu
/** A whole telephone number among other words: ten digits or more. */
const NUMBER_AMONG_WORDS = new RegExp(String.raw`(?<![\p{L}\p{N}])\+?\d(?:${NUMBER_GAP}\d){9,14}(?![\p{L}\p{N}])`, 'u')

/**
 * The query for contacts: each word the beginning of one of theirs, or the number in it the end of a number of theirs; null: there is no word.
 * A number finds them whatever else was typed.
 */
export function nameQuery(typed: string): string | null {
  const bare = withoutAddress(typed)
  const words = evenName(bare.normalize('NFC')).replace(BEGUN_DOMAIN, '').match(WORD)?.slice(0, WORDS_MAX) ?? []
  if (words.length === 0) return null
  const named = words.map(beginning).join(' & ')
  const number = phoneQuery(bare) ?? phoneQuery(NUMBER_AMONG_WORDS.exec(evenDigits(bare))?.[0] ?? '')
  return number === null ? named : `(${named}) | ${number}`
}

/** What stands in an address of a profile or a chat; anything else as it was typed. */
function withoutAddress(typed: string): string {
  if (!ADDRESS.test(typed)) return typed
  return typed
    .replace(ADDRESS, '')
    .replace(/^id(?=\d+)/u, '')
    .replace(/(?<=[\w.@-])[/?&>#].*$/su, '')
}

/** The query for a word or its beginning, in either alphabet. */
function beginning(word: string): string {
  const ways = [...new Set([word, ...inOtherAlphabet(word)])].map((way) => `'${way}':*`)
  return ways.length === 1 ? (ways[0] ?? '') : `(${ways.join(' | ')})`
}

/** A name in the other alphabet, in the ways in which it is usually written there. Empty for what is no name. */
function inOtherAlphabet(word: string): string[] {
  if (word.length < TRANSLITERATED_LEAST) return []
  if (/^[а-я]+$/.test(word)) return latinNames(word)
  return /^[a-z]+$/.test(word) ? cyrillicNames(word) : []
}

/** Small letters, and Russian ones in the place of ё and the Kazakh ones, as the function `even_letters` of the database has it. */
export function evenLetters(text: string): string {
  return foldKazakh(text.toLowerCase().replaceAll('ё', 'е'))
}

/** As `even_letters`, with Latin letters without their marks and without pictures, as the function `name_letters` of the database has it. */
function evenName(text: string): string {
  return evenLetters(withoutMarks(evenDigits(text)))
}

/**
 * The query for a telephone number, as the indexes hold it (function `phone_words`); null: what was typed is none. A code of a country, and what is
 * dialled instead of it at home, are beyond the digits that are compared.
 */
export function phoneQuery(typed: string): string | null {
  const digits = phoneDigits(typed)
  return digits === null ? null : `'tel${[...digits].reverse().join('')}':*`
}

/** The beginnings of ids that a number which was typed begins: with the code of Russia and Kazakhstan where it has none, or 8 in its place. */
export function idBeginnings(typed: string): string[] {
  const digits = digitsTyped(withoutAddress(typed))
  if (digits === null) return []
  return [
    digits,
    ...(digits.startsWith('8') ? [`7${digits.slice(1)}`] : []),
    ...(/^[3-79]/.test(digits) ? [`7${digits}`] : []),
  ]
}

/**
 * The query for a number that stands in messages as words of its own, null: none was typed. Indexes hold numbers by their last digits, and neither
 * those in other scripts nor those with slashes; those are words as they are written.
 */
export function writtenNumberQuery(typed: string): string | null {
  const digits = digitsTyped(typed)
  if (digits === null || digits.length < WRITTEN_LEAST) return null
  const national = digits.length > WRITTEN_LEAST ? digits.replace(/^[78](?=[3-9])/, '') : digits
  const isWhole = national.length === NATIONAL
  const withCode = ['', '7', '8', '+7'].map((code) => code + national)
  const begun = [digits, ...withCode].map((word) => `'${word}':*`)
  const inScripts = [national, `7${national}`, `8${national}`].flatMap(inOtherScripts)
  const written = [
    ...begun,
    ...inScripts.map((word) => `'${word}':*`),
    ...[national, ...inOtherScripts(national)].flatMap((word) => groupedQuery(word, isWhole)),
    ...(isWhole ? slashed(national).map((word) => `'${word}'`) : []),
  ]
  return [...new Set(written)].join(' | ')
}

/** A number in the groups that people divide it into, one word after the other: 701 555 00 11. The last may go on. */
function groupedQuery(national: string, isWhole: boolean): string[] {
  const [, first = '', second = '', third = '', fourth = ''] = /^(.{3})(.{1,3})(.{0,2})(.{0,2})/u.exec(national) ?? []
  if (second === '') return []
  const groups = [first, second, third, fourth].filter(Boolean)
  const words = groups.map((group, at) => {
    const end = !isWhole && at === groups.length - 1 ? ':*' : ''
    return at === 0 ? `'${group}'` : `('${group}'${end} | '-${group}'${end})`
  })
  return [`(${words.join(' <-> ')})`, ...(isWhole ? [`('${first}' <-> '${second}' <-> '${third}${fourth}')`] : [])]
}

/** A whole number with slashes, which the indexes take for a path. */
function slashed(national: string): string[] {
  const groups = [/(...)(...)(..)(..)/, /(...)(...)(....)/, /(...)(.......)/].map((form) =>
    (form.exec(national) ?? []).slice(1),
  )
  const joined = groups.map((group) => group.join('/'))
  const [code = '', ...rest] = groups[0] ?? []
  const dashed = `${code}/${rest.join('-')}`
  return [...joined, dashed].flatMap((word) => [
    word,
    ...['7', '8', '+7'].flatMap((prefix) => [`${prefix}/${word}`, prefix + word]),
  ])
}

/** A text with marks as pieces, each found or not. */
export function toPieces(marked: string): { text: string; isMatch: boolean }[] {
  return marked.split(MARKS.start).flatMap((part, index) => {
    const [found = '', rest = ''] = index === 0 ? ['', part] : split(part)
    return [
      { text: found, isMatch: true },
      { text: rest, isMatch: false },
    ].filter(({ text }) => text !== '')
  })
}

function split(part: string): [string, string] {
  const at = part.indexOf(MARKS.stop)
  return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
}
