// Writes fragments with their chunks, for public functions and the API. Each within the caller's transaction.

import { indexFewChunks, tidyLater } from '#server/domain/knowledge/search/add-chunks.ts'
import { tokenCounter } from '#server/domain/knowledge/search/chunking/tokens.ts'
import type { IndexedChunk } from '#server/domain/knowledge/search/retrieval.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { Fragment } from '#shared/knowledge/knowledge.ts'
import * as chunks from '../documents/chunks/chunks.store.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import type { WriteContext } from '../spaces/writes.ts'
import { cutFragment } from './fragments.rules.ts'
import * as store from './fragments.store.ts'

/** What people write. */
export type FragmentText = Pick<Fragment, 'name' | 'content' | 'alsoAskedAs'>

/** Adds a fragment. It is found from the commit on. @throws AppError not_found for the space */
export async function addFragment(
  ctx: WriteContext,
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  text: FragmentText,
): Promise<Fragment> {
  await assertSpace(ctx, knowledgeSpaceId)
  const id = newId('fragments')
  const entry = { ...text, tokens: (await tokenCounter())(text.content) }
  await store.insertFragment(ctx, { ...entry, id, knowledgeSpaceId }, ctx.now)
  await addChunks(ctx, { ...entry, id, knowledgeSpaceId })
  return store.getFragment(ctx, id)
}

/** Changes the fields in the patch. @throws AppError not_found */
export async function changeFragment(
  ctx: WriteContext,
  id: Id<'fragments'>,
  patch: { [Field in keyof FragmentText]?: FragmentText[Field] | undefined },
): Promise<Fragment> {
  const before = await store.getFragment(ctx, id)
  await assertSpace(ctx, before.knowledgeSpaceId)
  const content = patch.content ?? before.content
  const entry = {
    name: patch.name ?? before.name,
    content,
    alsoAskedAs: patch.alsoAskedAs ?? before.alsoAskedAs,
    tokens: (await tokenCounter())(content),
  }
  await store.updateFragment(ctx, id, entry, ctx.now)
  await chunks.deleteChunks(ctx, before.knowledgeSpaceId, id)
  await addChunks(ctx, { ...entry, id, knowledgeSpaceId: before.knowledgeSpaceId })
  await tidyLater(ctx, before.knowledgeSpaceId)
  return store.getFragment(ctx, id)
}

/** Deletes a fragment. It is not found from the commit on. @throws AppError not_found */
export async function removeFragment(ctx: WriteContext, id: Id<'fragments'>): Promise<void> {
  const { knowledgeSpaceId } = await store.getFragment(ctx, id)
  await assertSpace(ctx, knowledgeSpaceId)
  await chunks.deleteChunks(ctx, knowledgeSpaceId, id)
  await store.deleteFragment(ctx, id)
  await tidyLater(ctx, knowledgeSpaceId)
}

export type StoredFragment = store.FragmentEntry & { id: Id<'fragments'>; knowledgeSpaceId: Id<'knowledgeSpaces'> }

async function addChunks(ctx: WriteContext, fragment: StoredFragment): Promise<void> {
  await indexFewChunks(ctx, fragment.knowledgeSpaceId, await storeChunks(ctx, fragment))
}

/** Cuts a fragment and stores its chunks. @returns the chunks to index */
export async function storeChunks(ctx: WriteContext, fragment: StoredFragment): Promise<IndexedChunk[]> {
  const { id, knowledgeSpaceId, name: title, alsoAskedAs } = fragment
  const cut = await cutFragment(fragment.content)
  await chunks.insertChunks(ctx, { knowledgeSpaceId, kind: 'fragment', id, title, alsoAskedAs }, cut)
  return cut.map((chunk) => ({
    id: chunk.id,
    headingPath: chunk.headingPath,
    body: chunk.body,
    title,
    alsoAskedAs,
  }))
}
