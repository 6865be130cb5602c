// Renders Markdown for a channel: in its own markup, or as plain words with bare addresses. Pure, so that a sent text can be recognised
// from its source.
import type { Markup } from '#shared/channels/manifest.ts'
import { htmlOf } from './formatted-html.ts'
import { type Formatted, formatMarkdown, type Stretch } from './formatted-text.ts'
import { signsOfOld } from './old-numbers.ts'

/**
 * The text that counts against the channel's limit, and that its provider reports for the message.
 *
 * @param markup the channel's markup; null: the text was typed by a person and is sent unchanged
 */
export function sentText(text: string, markup: Markup | null): string {
  switch (markup) {
    case null:
    case 'rendered':
    case 'source':
      return text
    case 'entities':
      return formatMarkdown(text).text
    case 'html': {
      const formatted = formatMarkdown(text)
      return formatted.entities.length > 0 ? htmlOf(formatted) : formatted.text
    }
    case 'whatsapp':
      return whatsappText(formatMarkdown(text, 'bare'))
    case 'plain':
      return plainText(formatMarkdown(text, 'bare'))
    default:
      return markup satisfies never
  }
}

type Range = { start: number; end: number }

/** @source faq.whatsapp.com/539178204879377 (how to format your messages) */
const SIGNS = { bold: '*', italic: '_', strikethrough: '~', code: '```', pre: '```' } as const
const ADDRESS = /(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+/gi
const WORD = /[\p{L}\p{M}\p{N}_]/u
/** Prefix of quoted lines where the channel has no quotes. */
const QUOTE = '│ '

function plainText({ text, entities }: Formatted): string {
  const signs = quoteSigns(text, entities, QUOTE)
  for (const { type, offset, length } of entities) {
    if (type !== 'strikethrough') continue
    const end = offset + length
    const { opening, closing } = signsOfOld(text.slice(offset, end), {
      before: text.slice(0, offset),
      after: text.slice(end),
    })
    if (opening) signs.opening.set(offset, `${signs.opening.get(offset) ?? ''}${opening}`)
    if (closing) signs.closing.set(end, closing)
  }
  return written(text, signs)
}

function whatsappText({ text, entities }: Formatted): string {
  const signs = quoteSigns(text, entities, '> ')
  const untouched = rangesToLeave(text, entities)
  for (const entity of entities) {
    if (entity.type === 'blockquote' || entity.type === 'text_link') continue
    const sign = SIGNS[entity.type]
    for (const { start, end } of stretchesOf(text, entity, untouched)) {
      if (!mayStand(text, { start, end }, sign)) continue
      signs.opening.set(start, `${signs.opening.get(start) ?? ''}${sign}`)
      signs.closing.set(end, `${sign}${signs.closing.get(end) ?? ''}`)
    }
  }
  return written(text, signs)
}

type Signs = { opening: Map<number, string>; closing: Map<number, string> }

function quoteSigns(text: string, entities: Stretch[], sign: string): Signs {
  const opening = new Map<number, string>()
  for (const { type, offset, length } of entities) {
    if (type !== 'blockquote') continue
    for (const { start } of linesIn(text, { start: offset, end: offset + length })) opening.set(start, sign)
  }
  return { opening, closing: new Map() }
}

/** At the same position, closing signs come before opening ones. */
function written(text: string, { opening, closing }: Signs): string {
  const places = [...new Set([...opening.keys(), ...closing.keys()])].toSorted((a, b) => a - b)
  let at = 0
  let result = ''
  for (const place of places) {
    result += text.slice(at, place) + (closing.get(place) ?? '') + (opening.get(place) ?? '')
    at = place
  }
  return result + text.slice(at)
}

/** Addresses, which a sign at their end would break, and code, in which signs are literal. */
function rangesToLeave(text: string, entities: Stretch[]): Range[] {
  const addresses = [...text.matchAll(ADDRESS)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }))
  const code = entities.flatMap(({ type, offset, length }) =>
    type === 'code' || type === 'pre' ? { start: offset, end: offset + length } : [],
  )
  return [...addresses, ...code].toSorted((a, b) => a.start - b.start)
}

/** Where a WhatsApp mark is valid: within a line, around words, not around an address. Code stays in one piece. */
function stretchesOf(text: string, { type, offset, length }: Stretch, untouched: Range[]): Range[] {
  const whole = { start: offset, end: offset + length }
  if (type === 'code' || type === 'pre') return [whole]
  return linesIn(text, whole)
    .flatMap((line) => without(line, untouched))
    .map((range) => trimmed(text, range))
    .filter((range) => /[\p{L}\p{N}\p{S}]/u.test(text.slice(range.start, range.end)))
}

function linesIn(text: string, { start, end }: Range): Range[] {
  let at = start
  return text
    .slice(start, end)
    .split('\n')
    .map((line) => {
      const range = { start: at, end: at + line.length }
      at = range.end + 1
      return range
    })
}

function without(range: Range, untouched: Range[]): Range[] {
  const pieces: Range[] = []
  let at = range.start
  for (const { start, end } of untouched) {
    if (end <= at || start >= range.end) continue
    if (start > at) pieces.push({ start: at, end: start })
    at = Math.max(at, end)
  }
  return at < range.end ? [...pieces, { start: at, end: range.end }] : pieces
}

function trimmed(text: string, { start, end }: Range): Range {
  const words = text.slice(start, end)
  return { start: start + words.length - words.trimStart().length, end: end - words.length + words.trimEnd().length }
}

/** A sign next to a letter, or around another of its kind, would be shown literally. */
function mayStand(text: string, { start, end }: Range, sign: string): boolean {
  const words = text.slice(start, end)
  if (words === '' || words.includes(sign)) return false
  if (sign === SIGNS.code) return true
  const before = [...text.slice(Math.max(0, start - 2), start)].at(-1) ?? ''
  const after = [...text.slice(end, end + 2)][0] ?? ''
  return ![before, after].some((neighbour) => WORD.test(neighbour) || neighbour === sign)
}
