// Cuts a long text into pieces, at the best place there is: never inside a link, a word or a character, and code blocks
// are closed before a cut and opened again after it.
import type { Markup } from '#shared/channels/manifest.ts'
import { repairCut } from './markdown-cut.ts'
import { sentText } from './sent-text.ts'
import { blocksOf, fenceAfter } from './text-blocks.ts'

/** A fence has at least this many marks; only this many, and this much of the language after them, are repeated. */
const FENCE_LEAST = 3
const FENCE_MAX = 8
const LANGUAGE_MAX = 20
/** Places to cut at inside a block that is too long in itself, best first: between paragraphs, lines, sentences, words. */
const BOUNDARIES = [/\n\s*\n/g, /\n/g, /(?<=[.!?…])\s+/g, /\s+/g]
/** A cut before this share of the piece is not taken while a worse boundary lies further on. */
const LEAST_FILL = 0.5
/** A limit that leaves less room is kept as well as it can be. */
const LEAST_ROOM = 40

type Size = number | { bytes: number }
/** The limit of one piece: UTF-16 units, or bytes of UTF-8. `of`: applies to the text rendered from the piece. */
export type TextLimit = Size | { size: Size; of: (text: string) => string }
type Channel = { maxTextLength: number; maxTextBytes?: number }

/** What a channel takes at once of a text in Markdown, as its adapter and its manifest tell it: what counts is what is sent. */
export function textLimitOf(channel: Channel & { markup: Markup }): TextLimit {
  return { size: typedLimitOf(channel), of: (text) => sentText(text, channel.markup) }
}

/** The limit of a text typed by a person, which is sent unchanged. */
export function typedLimitOf({ maxTextLength, maxTextBytes }: Channel): Size {
  return maxTextBytes === undefined ? maxTextLength : { bytes: maxTextBytes }
}

/** Whether a text is one piece. */
export function fitsIn(text: string, limit: TextLimit): boolean {
  if (typeof limit === 'number') return text.length <= limit
  return 'of' in limit ? fitsIn(limit.of(text), limit.size) : Buffer.byteLength(text) <= limit.bytes
}

/**
 * Pieces within the limit, without surrounding white space; none for an empty text. Joined again they hold every word of the text once.
 */
export function splitText(text: string, limit: TextLimit): string[] {
  const pieces: string[] = []
  let rest = text.trim()
  while (!fitsIn(rest, limit)) {
    const { piece, remainder } = cutWithin(rest, limit)
    pieces.push(piece)
    rest = remainder
  }
  if (rest !== '') pieces.push(rest)
  return pieces
}

/** The signs that a cut needs may make the piece longer: then it is cut earlier. */
function cutWithin(text: string, limit: TextLimit): { piece: string; remainder: string } {
  const isMarkdown = typeof limit === 'object' && 'of' in limit
  for (let room = unitsWithin(text, limit); ; room = Math.floor(room * 0.9)) {
    const found = cut(text, room, isMarkdown)
    if (fitsIn(found.piece, limit) && found.remainder.length < text.length) return found
    if (room < LEAST_ROOM) return cut(text, Math.max(room, LEAST_ROOM), false)
  }
}

/** How many units of a text are within the limit, whole characters only. */
function unitsWithin(text: string, limit: TextLimit): number {
  if (typeof limit === 'number') return Math.min(limit, text.length)
  if ('of' in limit) return longestWithin(text, limit)
  let units = 0
  let bytes = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > limit.bytes) break
    units += character.length
  }
  return units
}

/** The longest beginning that fits; a longer piece renders to a longer text, or nearly so. */
function longestWithin(text: string, limit: TextLimit): number {
  let [fits, tooLong] = [0, text.length]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (fitsIn(text.slice(0, middle), limit)) fits = middle
    else tooLong = middle
  }
  return fits
}

function cut(text: string, maxLength: number, isMarkdown: boolean): { piece: string; remainder: string } {
  const reserve = 1 + (/[`~]{4}/.test(text) ? FENCE_MAX : FENCE_LEAST)
  const at = cutPosition(text, Math.max(1, maxLength - reserve))
  const head = text.slice(0, at).trimEnd()
  const tail = text.slice(at).replace(/^[ \t]*\n+|^\s+(?=\S)/, '')
  const opening = openFence(head)
  if (opening === null) return isMarkdown ? repairCut(text, head, tail) : { piece: head, remainder: tail.trim() }
  return { piece: `${head}\n${opening.marks}`, remainder: `${opening.line}\n${tail}`.trimEnd() }
}

function cutPosition(text: string, maxLength: number): number {
  const links = [...text.matchAll(/\[[^\]\n]*\]\([^)\s]*\)|https?:\/\/\S+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
  const isInsideLink = (at: number) => links.some(({ start, end }) => at > start && at < end)
  const opening = /^(?:`{3,}|~{3,})[^\n]*\n/.exec(text)?.[0].length ?? 0
  const block = blocksOf(text).findLast(({ end }) => end <= maxLength && end > opening)
  if (block) return block.end
  for (const boundary of BOUNDARIES) {
    const places = [...text.slice(0, maxLength + 1).matchAll(boundary)].map((match) => match.index)
    const last = places.findLast((at) => at <= maxLength && at > opening && !isInsideLink(at))
    if (last !== undefined && last >= maxLength * LEAST_FILL) return last
  }
  for (const boundary of BOUNDARIES) {
    const places = [...text.slice(0, maxLength + 1).matchAll(boundary)].map((match) => match.index)
    const last = places.findLast((at) => at <= maxLength && at > opening && !isInsideLink(at))
    if (last !== undefined) return last
  }
  return hardCut(text, maxLength)
}

/** A single word longer than a piece: cut between two characters. */
function hardCut(text: string, maxLength: number): number {
  const code = text.charCodeAt(maxLength - 1)
  const isFirstHalf = code >= 0xd800 && code <= 0xdbff
  return isFirstHalf ? maxLength - 1 : maxLength
}

/** The fence of a code block that is still open at the end of the text, without what is too long in it; null when none is. */
function openFence(text: string): { marks: string; line: string } | null {
  let open: { all: string; line: string } | null = null
  for (const line of text.split('\n')) {
    const all = fenceAfter(line, open?.all ?? null)
    open = all === null ? null : (open ?? { all, line: line.trim() })
  }
  if (open === null) return null
  const marks = open.all.slice(0, FENCE_MAX)
  const language = /^[\w+#.-]*/.exec(open.line.slice(open.all.length).trim())?.[0].slice(0, LANGUAGE_MAX) ?? ''
  return { marks, line: `${marks}${language}` }
}
