// Trying out a space: the same search that replies use.
import { orgQuery } from '#server/functions/define.ts'
import { searchInput } from '#shared/knowledge.ts'
import { assertSpace } from './spaces.store.ts'

const DEFAULT_LIMIT = 10

/** The best chunks of a space, best first. @throws not_found */
export const run = orgQuery({
  args: searchInput,
  handler: async (ctx, { knowledgeSpaceId, query, limit = DEFAULT_LIMIT }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return (await ctx.retrieval.search(ctx, { spaceIds: [knowledgeSpaceId], query, limit })).results
  },
})

/** The same with what the tester shows beside: evidence and time. @throws not_found */
export const explain = orgQuery({
  args: searchInput,
  handler: async (ctx, { knowledgeSpaceId, query, limit = DEFAULT_LIMIT }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return ctx.retrieval.search(ctx, { spaceIds: [knowledgeSpaceId], query, limit })
  },
})
