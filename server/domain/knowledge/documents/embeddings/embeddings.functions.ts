// How far the vectors of a space are, and stopping or resuming to make them. Making them: embeddings.job.ts.

import * as store from '#server/domain/knowledge/search/vectors/space-models.store.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { spaceInput } from '#shared/knowledge/knowledge.ts'
import { assertSpace } from '../../spaces/spaces.store.ts'
import { embedChunksJob } from './embeddings.job.ts'

/** Live while vectors are made. @throws not_found */
export const progress = orgQuery({
  args: spaceInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    const progress = await store.findProgress(ctx, knowledgeSpaceId)
    if (!progress) throw new AppError('not_found')
    return progress
  },
})

/** Stops computing vectors of the following model: the space keeps its current search. Safe to repeat. @throws not_found */
export const cancel = orgMutation({
  args: spaceInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    await store.declineModel(ctx, knowledgeSpaceId)
    return null
  },
})

/** Makes the vectors that were cancelled after all. Safe to repeat. @throws not_found */
export const resume = orgMutation({
  args: spaceInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    await store.acceptModel(ctx, knowledgeSpaceId)
    await ctx.jobs.send(ctx.db, embedChunksJob, {})
    return null
  },
})
