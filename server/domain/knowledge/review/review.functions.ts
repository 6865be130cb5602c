// What a space should be looked through for: pairs of passages (found by pairs.job.ts), and answers without grounds.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { dismissPairInput, reviewInput } from '#shared/knowledge/review.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import * as store from './duplicate-passages.store.ts'
import { listUnfounded } from './unsupported-claims.store.ts'

/** What concerns most conversations first. @throws not_found */
export const pairs = orgQuery({
  args: reviewInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.listPairs(ctx, knowledgeSpaceId)
  },
})

/** Dismisses a pair as long as both texts stay unchanged, or undoes that. Safe to repeat. @throws not_found */
export const dismiss = orgMutation({
  args: dismissPairInput,
  handler: async (ctx, { pairId, isDismissed }) => {
    await assertSpace(ctx, await store.dismissPair(ctx, pairId, isDismissed))
    return null
  },
})

/** Answers to customers by agents that use the space. @throws not_found */
export const unfounded = orgQuery({
  args: reviewInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return listUnfounded(ctx, knowledgeSpaceId)
  },
})
