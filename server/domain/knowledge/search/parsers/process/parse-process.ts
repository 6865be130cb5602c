// The child process that parses one document. Started only by parse-file.ts.
import { readFile } from 'node:fs/promises'
import type { DocumentFormat, PassageSize } from '#shared/knowledge/knowledge.ts'
import type { ParseLimits } from '../limits.ts'
import { parse } from '../parse.ts'
import type { ReadOptions } from '../read-options.ts'
import { answerOneOrder } from './guarded-child.ts'

export type ParseOrder = {
  path: string
  format: DocumentFormat
  limits: ParseLimits
  passages: PassageSize
  options: Partial<ReadOptions>
}

answerOneOrder(async ({ path, format, limits, passages, options }: ParseOrder, onProgress) =>
  parse(await readFile(path), format, limits, { ...options, passages, onProgress }),
)
