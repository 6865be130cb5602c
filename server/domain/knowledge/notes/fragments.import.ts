// Many fragments at once, from a list that may be imported again: indexed together, within the caller's transaction.

import { indexFewChunks, tidyLater } from '#server/domain/knowledge/search/add-chunks.ts'
import { tokenCounter } from '#server/domain/knowledge/search/chunking/tokens.ts'
import type { IndexedChunk } from '#server/domain/knowledge/search/retrieval.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { deleteChunks } from '../documents/chunks/chunks.store.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import type { WriteContext } from '../spaces/writes.ts'
import * as store from './fragments.store.ts'
import { type FragmentText, storeChunks } from './fragments.write.ts'

/** A fragment with the name of a known one takes its place; of two with one name in the list the last holds. @throws AppError not_found */
export async function importFragments(
  ctx: WriteContext,
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  fragments: FragmentText[],
): Promise<{ added: number; changed: number }> {
  await assertSpace(ctx, knowledgeSpaceId)
  const unique = [...new Map(fragments.map((fragment) => [fragment.name.toLowerCase(), fragment])).values()]
  const known = await store.listIdsByName(ctx, knowledgeSpaceId, unique)
  const countTokens = await tokenCounter()
  const indexed: IndexedChunk[] = []
  for (const fragment of unique) {
    const entry = { ...fragment, tokens: countTokens(fragment.content) }
    const knownId = known.get(fragment.name.toLowerCase())
    const id = knownId ?? newId('fragments')
    if (knownId) {
      await store.updateFragment(ctx, id, entry, ctx.now)
      await deleteChunks(ctx, knowledgeSpaceId, id)
    } else await store.insertFragment(ctx, { ...entry, id, knowledgeSpaceId }, ctx.now)
    indexed.push(...(await storeChunks(ctx, { ...entry, id, knowledgeSpaceId })))
  }
  await indexFewChunks(ctx, knowledgeSpaceId, indexed)
  if (known.size > 0) await tidyLater(ctx, knowledgeSpaceId)
  return { added: unique.length - known.size, changed: known.size }
}
