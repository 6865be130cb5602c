// One file → chunks, in the process in which it is called: that is the guarded child, see parse-file.ts.
import { createHash } from 'node:crypto'
import {
  type DocumentFormat,
  type DocumentWarning,
  PASSAGE_SIZE,
  type PassageSize,
} from '#shared/knowledge/knowledge.ts'
import type { Block, FileExtent, ParsedFile } from '../chunking/blocks.ts'
import { chunkOptions, cutChunks } from '../chunking/chunker.ts'
import { type FinishedChunk, finishChunks } from '../chunking/finish-chunks.ts'
import { encodingChoices } from './encoding/encoding.ts'
import type { ParseLimits } from './limits.ts'
import { ParseFailure } from './parse-failure.ts'
import { READ_OPTIONS, type ReadOptions } from './read-options.ts'
import { checkContent, isHtmlTable } from './sniff.ts'
import { markOverlaid, wordStruck } from './workbooks/struck-text.ts'

/** Something that a person sees: neither space nor a character that only steers how others are shown. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u

/** Warnings that explain why a file has no passages; such a file is kept. */
const SAYS_WHY_EMPTY = new Set<DocumentWarning['kind']>(['no_text_layer', 'hidden'])

/** `fileHash`: SHA-256 of the file in base64url. */
export type ParsedDocument = FileExtent & { chunks: FinishedChunk[]; warnings: DocumentWarning[]; fileHash: string }

export type ParseOptions = Partial<ReadOptions> & { passages?: PassageSize; onProgress?: (share: number) => void }
type FormatOptions = ReadOptions & { limits: ParseLimits; onProgress: (share: number) => void }

/** @throws ParseFailure with the reason when the file cannot be used */
export async function parse(
  bytes: Uint8Array,
  format: DocumentFormat,
  limits: ParseLimits,
  { passages = PASSAGE_SIZE, onProgress = () => {}, ...options }: ParseOptions = {},
): Promise<ParsedDocument> {
  checkContent(bytes, format)
  const parsed = await parseFormat(bytes, format, { limits, onProgress, ...READ_OPTIONS, ...options })
  if (!options.takesGuess && parsed.warnings.some(({ kind }) => kind === 'encoding_guessed')) {
    throw new ParseFailure('encoding_unsure', { choices: encodingChoices(bytes) })
  }
  const { blocks, ...file } = withinLimits(withoutOverlaid(parsed), limits.characters)
  const chunks = await finishChunks(cutChunks(blocks, chunkOptions(passages)))
  const fileHash = createHash('sha256').update(bytes).digest('base64url')
  if (chunks.some(({ body }) => VISIBLE.test(body))) return { ...file, chunks, fileHash }
  if (file.warnings.some(({ kind }) => SAYS_WHY_EMPTY.has(kind))) return { ...file, chunks: [], fileHash }
  throw new ParseFailure('empty')
}

/** Loads the one parser that is needed: a child lives for one file, and all of them take longer to load than most files to read. */
async function parseFormat(bytes: Uint8Array, format: DocumentFormat, options: FormatOptions): Promise<ParsedFile> {
  const { limits, onProgress } = options
  switch (format) {
    case 'txt':
      return (await import('./text-file.ts')).parseText(bytes, options.encoding)
    case 'md':
      return (await import('./markdown.ts')).parseMarkdown(bytes, options)
    case 'html':
      return (await import('./html/html.ts')).parseHtml(bytes, options)
    case 'pdf':
      return (await import('./pdf/pdf.ts')).parsePdf(bytes, limits, onProgress)
    case 'docx':
      return (await import('./word/docx.ts')).parseDocx(bytes, limits, options)
    case 'csv':
      return (await import('./workbooks/spreadsheet.ts')).parseCsv(bytes, limits, options.encoding)
    case 'xls':
      if (isHtmlTable(bytes)) return (await import('./html/html.ts')).parseHtml(bytes, options)
      return (await import('./workbooks/spreadsheet.ts')).parseWorkbook(bytes, format, options)
    case 'xlsx':
      return (await import('./workbooks/spreadsheet.ts')).parseWorkbook(bytes, format, options)
    case 'pptx':
      return (await import('./office/pptx.ts')).parsePptx(bytes, options)
    case 'odt':
      return (await import('./office/odf-file.ts')).parseOdt(bytes, options)
    case 'ods':
      return (await import('./office/odf-file.ts')).parseOds(bytes, options)
    case 'rtf':
      return (await import('./office/rtf.ts')).parseRtf(bytes, options)
    case 'json':
      return (await import('./json-file.ts')).parseJson(bytes, options.encoding)
    default:
      return format satisfies never
  }
}

/** Text that is struck through letter by letter, which any format can hold, in words. */
function withoutOverlaid(file: ParsedFile): ParsedFile {
  if (!file.blocks.some(({ text }) => markOverlaid(text) !== text)) return file
  return { ...file, blocks: wordStruck(file.blocks.map((block) => ({ ...block, text: markOverlaid(block.text) }))) }
}

/** Cleans characters that the database cannot store, and leaves out what lies beyond the limit, with a warning. */
function withinLimits(file: ParsedFile, most: number): ParsedFile {
  const blocks: Block[] = []
  let kept = 0
  for (const block of file.blocks) {
    const text = storable(block.text)
    if (kept + text.length > most) {
      const rest = text.slice(0, most - kept)
      if (rest) blocks.push({ ...block, text: rest })
      return {
        ...file,
        blocks,
        warnings: [...file.warnings, { kind: 'limit_reached', limit: 'characters', kept: most }],
      }
    }
    kept += text.length
    blocks.push({ ...block, text })
  }
  return { ...file, blocks }
}

/** No NUL and no halves of characters. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
