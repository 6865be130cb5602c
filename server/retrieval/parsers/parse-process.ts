// The child process that parses one document. Started only by parse-file.ts.
import { readFile } from 'node:fs/promises'
import type { DocumentFormat, PassageSize } from '#shared/knowledge.ts'
import { answerOneOrder } from './guarded-child.ts'
import type { ParseLimits } from './limits.ts'
import { parse } from './parse.ts'

export type ParseOrder = { path: string; format: DocumentFormat; limits: ParseLimits; passages: PassageSize }

answerOneOrder(async ({ path, format, limits, passages }: ParseOrder, onProgress) =>
  parse(await readFile(path), format, limits, { passages, onProgress }),
)
