// What parsers make of a file: blocks in reading order, and what chunks are cut from them.
import type { ChunkPlace } from '#shared/knowledge/chunks.ts'
import type { DocumentWarning } from '#shared/knowledge/knowledge.ts'

/**
 * `page` is one-based; null where the format has no pages. A heading without a text ends the sections of its level: what follows stands under
 * the heading above them again.
 */
export type Block =
  | { kind: 'heading'; level: number; text: string; page: number | null }
  | { kind: 'text'; text: string; page: number | null }
  | { kind: 'item'; text: string; page: number | null }
  /**
   * One row of a table, cells joined by " | "; `header` likewise, empty when the table has none. `row` is its number in the file or
   * sheet, one-based, where people can look it up by that.
   */
  | { kind: 'row'; text: string; header: string; page: number | null; sheet?: string; row?: number }

/** How large a file is, in what its format has: pages, or rows, columns and sheets. */
export type FileExtent = {
  pageCount: number | null
  rowCount?: number
  columnCount?: number
  sheetCount?: number
}

export type ParsedFile = FileExtent & {
  blocks: Block[]
  warnings: DocumentWarning[]
}

/** Offsets count characters of the extracted text: the texts of all blocks, one line break between two. */
export type CutChunk = ChunkPlace & {
  headingPath: string[]
  body: string
  startOffset: number
  endOffset: number
}
