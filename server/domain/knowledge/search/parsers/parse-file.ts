// Parses one document in a guarded process of its own.
import { fileURLToPath } from 'node:url'
import { type DocumentFormat, PASSAGE_SIZE, type PassageSize } from '#shared/knowledge/knowledge.ts'
import { PARSE_LIMITS, type ParseLimits } from './limits.ts'
import type { ParsedDocument } from './parse.ts'
import { runGuarded } from './process/guarded-process.ts'
import type { ParseOrder } from './process/parse-process.ts'
import type { ReadOptions } from './read-options.ts'

const ENTRY = fileURLToPath(new URL('./process/parse-process.ts', import.meta.url))

export type ParseRequest = {
  path: string
  format: DocumentFormat
  signal: AbortSignal
  limits?: ParseLimits
  /** What its text is cut into. */
  passages?: PassageSize
  /** What a person has chosen about how it is read. */
  options?: Partial<ReadOptions>
  /** 0 to 1, not more often than a few times a second. */
  onProgress?: (share: number) => void
}

/**
 * Chunks of one file.
 * @throws ParseFailure with the reason; the signal's reason when aborted: the process is dead then
 */
export function parseFile(request: ParseRequest): Promise<ParsedDocument> {
  const { path, format, signal, limits = PARSE_LIMITS, passages = PASSAGE_SIZE, options = {}, onProgress } = request
  const order: ParseOrder = { path, format, limits, passages, options }
  return runGuarded({ entry: ENTRY, path, order, signal, limits, onProgress })
}
