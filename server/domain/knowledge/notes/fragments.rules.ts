// How a fragment is cut: whole while it fits into one chunk, as people wrote it.

import { CHUNK_OPTIONS, cutChunks } from '#server/domain/knowledge/search/chunking/chunker.ts'
import { finishChunks } from '#server/domain/knowledge/search/chunking/finish-chunks.ts'
import { textBlocks } from '#server/domain/knowledge/search/parsers/text-file.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { NOWHERE } from '#shared/knowledge/chunks.ts'
import type { NewChunk } from '../documents/chunks/chunks.store.ts'

/** The chunks of a fragment's content, at least one. */
export async function cutFragment(content: string): Promise<NewChunk[]> {
  const whole = { ...NOWHERE, headingPath: [], body: content, startOffset: 0, endOffset: content.length }
  const cut = content.length <= CHUNK_OPTIONS.most ? [whole] : cutChunks(textBlocks(content))
  const chunks = await finishChunks(cut)
  return chunks.map((chunk, ordinal) => ({ ...chunk, id: newId('chunks'), ordinal }))
}
