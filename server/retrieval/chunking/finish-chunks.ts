// What is stored beside a chunk: its tokens and its hash.
import { createHash } from 'node:crypto'
import type { CutChunk } from './blocks.ts'
import { tokenCounter } from './tokens.ts'

export type FinishedChunk = CutChunk & {
  tokens: number
  /** Equal for equal bodies. */
  contentHash: string
}

/** The same chunks, measured. */
export async function finishChunks(chunks: CutChunk[]): Promise<FinishedChunk[]> {
  const countTokens = await tokenCounter()
  return chunks.map((chunk) => ({
    ...chunk,
    tokens: countTokens(chunk.body),
    contentHash: createHash('sha256').update(chunk.body).digest('base64url'),
  }))
}
