// Fragments: notes and questions with answers. They are found from the commit on, and win over documents.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import {
  createFragmentInput,
  fragmentInput,
  importFragmentsInput,
  listFragmentsInput,
  updateFragmentInput,
} from '#shared/knowledge/knowledge.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import { importFragments } from './fragments.import.ts'
import * as store from './fragments.store.ts'
import { addFragment, changeFragment, removeFragment } from './fragments.write.ts'

/** The fragments of a space page by page, newest first; with `search` those that hold it. @throws not_found */
export const list = orgQuery({
  args: listFragmentsInput,
  handler: async (ctx, { knowledgeSpaceId, search, paginationOpts }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.listFragments(ctx, { spaceId: knowledgeSpaceId, search }, paginationOpts)
  },
})

/** @throws not_found */
export const get = orgQuery({
  args: fragmentInput,
  handler: async (ctx, { fragmentId }) => {
    const fragment = await store.getFragment(ctx, fragmentId)
    await assertSpace(ctx, fragment.knowledgeSpaceId)
    return fragment
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

/**
 * Adds many fragments at once; one with the name of a known one takes its place, so that a list can be imported again.
 * @returns how many were added and how many changed
 * @throws not_found for the space
 */
export const importMany = orgMutation({
  args: importFragmentsInput,
  handler: (ctx, { knowledgeSpaceId, notes }) => importFragments(ctx, knowledgeSpaceId, notes),
})

/** Deletes a fragment. @throws not_found */
export const remove = orgMutation({
  args: fragmentInput,
  handler: (ctx, { fragmentId }) => removeFragment(ctx, fragmentId),
})
