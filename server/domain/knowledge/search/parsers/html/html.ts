// HTML → blocks, as a browser builds the page and a reader goes through it.
import type { DocumentWarning } from '#shared/knowledge/knowledge.ts'
import type { ParsedFile } from '../../chunking/blocks.ts'
import { decode } from '../encoding/encoding.ts'
import { hiddenWarnings, type ReadOptions } from '../read-options.ts'
import { wordStruck } from '../workbooks/struck-text.ts'
import { type PageOptions, readPage } from './page-reader.ts'
import { parseTree } from './tree.ts'

/** @param options what is known of the page, and whether what its author has hidden is read */
export function parseHtml(bytes: Uint8Array, options: Partial<PageOptions & ReadOptions> = {}): ParsedFile {
  const { text, encoding, isGuess } = decode(bytes, true, options.encoding ?? null)
  const page = { url: null, includeHidden: false, ...options }
  const { blocks, hidden, comments } = readPage(parseTree(text), page)
  const warnings: DocumentWarning[] = isGuess ? [{ kind: 'encoding_guessed', encoding }] : []
  warnings.push(...hiddenWarnings({ texts: hidden, comments }, page))
  return { blocks: wordStruck(blocks), pageCount: null, warnings }
}
