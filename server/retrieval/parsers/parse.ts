// One file → chunks, in the process in which it is called: that is the guarded child, see parse-file.ts.
import { type DocumentFormat, type DocumentWarning, PASSAGE_SIZE, type PassageSize } from '#shared/knowledge.ts'
import type { Block, FileExtent, ParsedFile } from '../chunking/blocks.ts'
import { chunkOptions, cutChunks } from '../chunking/chunker.ts'
import { type FinishedChunk, finishChunks } from '../chunking/finish-chunks.ts'
import type { ParseLimits } from './limits.ts'
import { ParseFailure } from './parse-failure.ts'
import { checkContent } from './sniff.ts'

/** Something that a person sees: neither space nor a character that only steers how others are shown. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u

export type ParsedDocument = FileExtent & { chunks: FinishedChunk[]; warnings: DocumentWarning[] }

/** @throws ParseFailure with the reason when the file cannot be used */
export async function parse(
  bytes: Uint8Array,
  format: DocumentFormat,
  limits: ParseLimits,
  {
    passages = PASSAGE_SIZE,
    onProgress = () => {},
  }: { passages?: PassageSize; onProgress?: (share: number) => void } = {},
): Promise<ParsedDocument> {
  checkContent(bytes, format)
  const { blocks, ...file } = withinLimits(await parseFormat(bytes, format, limits, onProgress), limits.characters)
  const chunks = await finishChunks(cutChunks(blocks, chunkOptions(passages)))
  if (!chunks.some(({ body }) => VISIBLE.test(body))) throw new ParseFailure('empty')
  return { ...file, chunks }
}

/** Loads the one parser that is needed: a child lives for one file, and all of them take longer to load than most files to read. */
async function parseFormat(
  bytes: Uint8Array,
  format: DocumentFormat,
  limits: ParseLimits,
  onProgress: (share: number) => void,
): Promise<ParsedFile> {
  switch (format) {
    case 'txt':
      return (await import('./text-file.ts')).parseText(bytes)
    case 'md':
      return (await import('./markdown.ts')).parseMarkdown(bytes)
    case 'html':
      return (await import('./html/html.ts')).parseHtml(bytes)
    case 'pdf':
      return (await import('./pdf.ts')).parsePdf(bytes, limits, onProgress)
    case 'docx':
      return (await import('./docx.ts')).parseDocx(bytes, limits)
    case 'csv':
      return (await import('./spreadsheet.ts')).parseCsv(bytes, limits)
    case 'xlsx':
      return (await import('./spreadsheet.ts')).parseXlsx(bytes, limits)
    case 'json':
      return (await import('./json-file.ts')).parseJson(bytes)
    default:
      return format satisfies never
  }
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
