// Fragments: notes and questions with answers. They are found from the commit on, and win over documents.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { createFragmentInput, fragmentInput, listFragmentsInput, updateFragmentInput } from '#shared/knowledge.ts'
import * as store from './fragments.store.ts'
import { addFragment, changeFragment, removeFragment } from './fragments.write.ts'
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
  handler: (ctx, { knowledgeSpaceId, name, content, alsoAskedAs = [] }) =>
    addFragment(ctx, knowledgeSpaceId, { name, content, alsoAskedAs }),
})

/** Changes what the patch names. @throws not_found */
export const update = orgMutation({
  args: updateFragmentInput,
  handler: (ctx, { fragmentId, patch }) => changeFragment(ctx, fragmentId, patch),
})

/** Deletes a fragment. @throws not_found */
export const remove = orgMutation({
  args: fragmentInput,
  handler: (ctx, { fragmentId }) => removeFragment(ctx, fragmentId),
})
