// Passage size: how many documents of a space were cut with another setting than its current one, and recutting them.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { spaceInput } from '#shared/knowledge/knowledge.ts'
import { assertSpace } from '../../spaces/spaces.store.ts'
import { rechunkJob } from './passages.job.ts'
import { countOtherwiseCut } from './passages.store.ts'

/** How many documents are still found as they were cut before the setting changed. @throws not_found */
export const countOtherwise = orgQuery({
  args: spaceInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return countOtherwiseCut(ctx, knowledgeSpaceId)
  },
})

/**
 * Has these documents parsed and cut again; the current chunks are found until then. Corrections of passages are lost, and so is the hidden
 * state of passages that are not the same afterwards. Safe to repeat.
 * @throws not_found
 */
export const cutAnew = orgMutation({
  args: spaceInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    await ctx.jobs.send(ctx.db, rechunkJob, { organizationId: ctx.organizationId, knowledgeSpaceId })
    return null
  },
})
