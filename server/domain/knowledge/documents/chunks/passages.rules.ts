// Which passages of a new content are those that a document has already.

import type { FinishedChunk } from '#server/domain/knowledge/search/chunking/finish-chunks.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { FoundChunk } from '../documents.staging.store.ts'
import type { NewChunk } from './chunks.store.ts'

/**
 * Numbers chunks and assigns ids. A chunk with the same text, title and headings as an earlier one keeps its id: index, vector, generated
 * questions, and whether people have hidden it, belong to the id. Each id is used once.
 */
export function identified(title: string, cut: FinishedChunk[], before: FoundChunk[]): NewChunk[] {
  const known = Map.groupBy(before, keyOf)
  return cut.map((chunk, ordinal) => {
    const same = known.get(keyOf({ title, ...chunk }))?.shift()
    return { ...chunk, ordinal, id: same?.id ?? newId('chunks') }
  })
}

function keyOf({ title, headingPath, contentHash }: Omit<FoundChunk, 'id'>): string {
  return JSON.stringify([contentHash, title, headingPath])
}
