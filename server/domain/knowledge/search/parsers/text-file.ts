// Plain text → blocks: paragraphs, list items and the headings that can be recognised.
import type { Block, ParsedFile } from '../chunking/blocks.ts'
import { decode } from './encoding/encoding.ts'
import { promoteHeadings } from './promote-headings.ts'

const ITEM = /^\s*(?:[-*•–—·▪]|\d{1,3}[.)]|[a-zа-я]\))\s+/iu
/** Lines of about this width were broken by a program, not by the writer. */
const WRAPPED_WIDTH = { least: 50, most: 100 }

/** @param chosen see `decode` */
export function parseText(bytes: Uint8Array, chosen: string | null = null): ParsedFile {
  const { text, encoding, isGuess } = decode(bytes, false, chosen)
  return {
    blocks: textBlocks(text),
    pageCount: null,
    warnings: isGuess ? [{ kind: 'encoding_guessed', encoding }] : [],
  }
}

/** Paragraphs, list items and headings of a text without marks. */
export function textBlocks(text: string): Block[] {
  return promoteHeadings(paragraphsOf(text).flatMap(blocksOf), { hasOwnHeadings: false })
}

/** Groups of lines between empty ones. */
function paragraphsOf(text: string): string[][] {
  const paragraphs: string[][] = []
  let current: string[] = []
  for (const line of text.split(/\r\n|[\n\r\f\u2028\u2029]/)) {
    if (line.trim()) current.push(line.trimEnd())
    else if (current.length > 0) {
      paragraphs.push(current)
      current = []
    }
  }
  return current.length > 0 ? [...paragraphs, current] : paragraphs
}

function blocksOf(lines: string[]): Block[] {
  if (isWrapped(lines)) return [{ kind: 'text', text: lines.map((line) => line.trim()).join(' '), page: null }]
  return lines.map((line) => ({ kind: ITEM.test(line) ? 'item' : 'text', text: line.trim(), page: null }))
}

function isWrapped(lines: string[]): boolean {
  if (lines.length < 2 || lines.some((line) => ITEM.test(line))) return false
  const full = lines.slice(0, -1)
  return full.every((line) => line.length >= WRAPPED_WIDTH.least && line.length <= WRAPPED_WIDTH.most)
}
