// How a fragment is cut: whole while it fits into one chunk, as people wrote it.
import { newId } from '#server/lib/ids.ts'
import { CHUNK_OPTIONS, cutChunks } from '#server/retrieval/chunking/chunker.ts'
import { finishChunks } from '#server/retrieval/chunking/finish-chunks.ts'
import { textBlocks } from '#server/retrieval/parsers/text-file.ts'
import { NOWHERE } from '#shared/chunks.ts'
import type { NewChunk } from './chunks.store.ts'

/** The chunks of a fragment's content, at least one. */
export async function cutFragment(content: string): Promise<NewChunk[]> {
  const whole = { ...NOWHERE, headingPath: [], body: content, startOffset: 0, endOffset: content.length }
  const cut = content.length <= CHUNK_OPTIONS.most ? [whole] : cutChunks(textBlocks(content))
  const chunks = await finishChunks(cut)
  return chunks.map((chunk, ordinal) => ({ ...chunk, id: newId('chunks'), ordinal }))
}
