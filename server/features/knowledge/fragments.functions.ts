// Fragments: notes and questions with answers. They are found from the commit on, and win over documents.
import type { OrgMutationContext } from '#server/functions/context.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/lib/ids.ts'
import { indexFewChunks, tidyLater } from '#server/retrieval/add-chunks.ts'
import { tokenCounter } from '#server/retrieval/chunking/tokens.ts'
import type { Id } from '#shared/ids.ts'
import { createFragmentInput, fragmentInput, listFragmentsInput, updateFragmentInput } from '#shared/knowledge.ts'
import * as chunks from './chunks.store.ts'
import { cutFragment } from './fragments.rules.ts'
import * as store from './fragments.store.ts'
import { assertSpace } from './spaces.store.ts'

/** The fragments of a space, newest first. @throws not_found */
export const list = orgQuery({
  args: listFragmentsInput,
  handler: async (ctx, { knowledgeSpaceId, paginationOpts }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.listFragments(ctx, knowledgeSpaceId, paginationOpts)
  },
})

/** Adds a fragment. @throws not_found for the space */
export const create = orgMutation({
  args: createFragmentInput,
  handler: async (ctx, { knowledgeSpaceId, name, content, alsoAskedAs = [] }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    const id = newId('fragments')
    const entry = { name, content, alsoAskedAs, tokens: (await tokenCounter())(content) }
    await store.insertFragment(ctx, { ...entry, id, knowledgeSpaceId }, ctx.now)
    await addChunks(ctx, { ...entry, id, knowledgeSpaceId })
    return store.getFragment(ctx, id)
  },
})

/** Changes what the patch names. @throws not_found */
export const update = orgMutation({
  args: updateFragmentInput,
  handler: async (ctx, { fragmentId, patch }) => {
    const before = await store.getFragment(ctx, fragmentId)
    const content = patch.content ?? before.content
    const entry = {
      name: patch.name ?? before.name,
      content,
      alsoAskedAs: patch.alsoAskedAs ?? before.alsoAskedAs,
      tokens: (await tokenCounter())(content),
    }
    await store.updateFragment(ctx, fragmentId, entry, ctx.now)
    await chunks.deleteChunks(ctx, before.knowledgeSpaceId, fragmentId)
    await addChunks(ctx, { ...entry, id: fragmentId, knowledgeSpaceId: before.knowledgeSpaceId })
    await tidyLater(ctx, before.knowledgeSpaceId)
    return store.getFragment(ctx, fragmentId)
  },
})

/** Deletes a fragment. @throws not_found */
export const remove = orgMutation({
  args: fragmentInput,
  handler: async (ctx, { fragmentId }) => {
    const { knowledgeSpaceId } = await store.getFragment(ctx, fragmentId)
    await chunks.deleteChunks(ctx, knowledgeSpaceId, fragmentId)
    await store.deleteFragment(ctx, fragmentId)
    await tidyLater(ctx, knowledgeSpaceId)
  },
})

type StoredFragment = store.FragmentEntry & { id: Id<'fragments'>; knowledgeSpaceId: Id<'knowledgeSpaces'> }

async function addChunks(ctx: OrgMutationContext, fragment: StoredFragment): Promise<void> {
  const { id, knowledgeSpaceId, name: title, alsoAskedAs } = fragment
  const cut = await cutFragment(fragment.content)
  await chunks.insertChunks(ctx, { knowledgeSpaceId, kind: 'fragment', id, title, alsoAskedAs }, cut)
  const indexed = cut.map((chunk) => ({
    id: chunk.id,
    headingPath: chunk.headingPath,
    body: chunk.body,
    title,
    alsoAskedAs,
  }))
  await indexFewChunks(ctx, knowledgeSpaceId, indexed)
}
