// What is stored with a chunk: its tokens and its hash.
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
  return Promise.all(chunks.map(async (chunk) => ({ ...chunk, ...(await measure(chunk.body)) })))
}

/** What is stored with a text. */
export async function measure(body: string): Promise<Pick<FinishedChunk, 'tokens' | 'contentHash'>> {
  const countTokens = await tokenCounter()
  return { tokens: countTokens(body), contentHash: createHash('sha256').update(body).digest('base64url') }
}
