// Text that its author has struck through: an old price, a service that is no longer offered. Parsers mark it, whatever their format; when
// the whole file is read the marks become words, so that an old number and a new one never read as one.
import type { Block } from '../../chunking/blocks.ts'

/** Noncharacters of Unicode: no file can mean anything by them. */
export const STRUCK = { open: '\uFDD0', close: '\uFDD1' }

const MARKED = /\s*\uFDD0([^\uFDD0\uFDD1]*)(?:\uFDD1|(?=\uFDD0)|$)/g
const MARKS = /[\uFDD0\uFDD1]/g
/** A number with a few words around it. */
const PRICE = /^[^\d]{0,20}\d[\d\s.,'\u00a0\u202f]*[^\d]{0,20}$/u
const WORDS = { ru: { price: 'старая цена', other: 'неактуально' }, en: { price: 'old price', other: 'outdated' } }

/** Letters and digits with a line laid over each, as messengers and phones strike text through. */
const OVERLAID = /(?:[\p{L}\p{N}\p{P}\p{S}][\u0335\u0336]\s?\u0336?)+/gu

/** The same text with marks around what is struck through letter by letter. */
export function markOverlaid(text: string): string {
  if (!/[\u0335\u0336]/.test(text)) return text
  return text
    .replace(OVERLAID, (all) => `${struck(all.replace(/[\u0335\u0336]/g, '').trimEnd())} `)
    .replace(/[\u0335\u0336]/g, '')
}

/** The text between the marks. */
export function struck(text: string): string {
  return text.trim() ? STRUCK.open + text + STRUCK.close : text
}

/** A text with more struck text behind it; what is struck in several pieces stays one: 1 000, not 1 and 000. */
export function withStruck(text: string, added: string): string {
  if (text.endsWith(STRUCK.close)) return text.slice(0, -1) + added + STRUCK.close
  return text + struck(added)
}

/** Whether anything but marks and spaces stands in a text. */
export function isBlank(text: string): boolean {
  return text.replace(MARKS, '').trim() === ''
}

/** The text without what is struck through. */
export function withoutStruck(text: string): string {
  return text
    .replace(MARKED, ' ')
    .replace(MARKS, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
}

/** The same blocks with words in the place of marks, in Russian within Cyrillic text, else in English. */
export function wordStruck(blocks: Block[]): Block[] {
  if (!blocks.some((block) => hasMarks(block.text) || (block.kind === 'row' && hasMarks(block.header)))) return blocks
  const ofFile =
    languageOf(
      blocks
        .slice(0, 200)
        .map(({ text }) => text)
        .join(' '),
    ) ?? 'en'
  return blocks.flatMap((block): Block[] => {
    const words = WORDS[languageOf(block.kind === 'row' ? block.header + block.text : block.text) ?? ofFile]
    const text = worded(block.text, words)
    if (text === '') return []
    return [block.kind === 'row' ? { ...block, text, header: worded(block.header, words) } : { ...block, text }]
  })
}

function hasMarks(text: string): boolean {
  return text.search(MARKS) >= 0
}

function worded(text: string, words: (typeof WORDS)['ru']): string {
  if (!hasMarks(text)) return text
  return text
    .replace(MARKED, (_, inner: string) => {
      const old = inner.replace(/\s+/g, ' ').trim()
      return old ? ` (${PRICE.test(old) ? words.price : words.other}: ${old}) ` : ' '
    })
    .replace(MARKS, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ +([.,;!?)])/g, '$1')
    .trim()
}

/** Null for a text without letters. */
function languageOf(text: string): keyof typeof WORDS | null {
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0
  const [cyrillic, latin] = [count(/\p{Script=Cyrillic}/gu), count(/\p{Script=Latin}/gu)]
  if (cyrillic + latin === 0) return null
  return cyrillic >= latin ? 'ru' : 'en'
}
