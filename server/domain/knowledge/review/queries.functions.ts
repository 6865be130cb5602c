// What agents have looked up in knowledge, and what they did not find. The log is written with the answers (queries.store.ts).
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { knowledgeGapsInput, knowledgeQueriesInput, settleGapInput } from '#shared/knowledge/knowledge-queries.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import * as store from './queries.store.ts'

const GAPS_SHOWN = 50

/** What was looked up, newest first. @throws not_found for the space */
export const list = orgQuery({
  args: knowledgeQueriesInput,
  handler: async (ctx, { knowledgeSpaceId, paginationOpts }) => {
    if (knowledgeSpaceId) await assertSpace(ctx, knowledgeSpaceId)
    return store.listQueries(ctx, knowledgeSpaceId, paginationOpts)
  },
})

/** Questions for which little was found lately, the most frequent first. @throws not_found for the space */
export const gaps = orgQuery({
  args: knowledgeGapsInput,
  handler: async (ctx, { knowledgeSpaceId, limit = GAPS_SHOWN }) => {
    if (knowledgeSpaceId) await assertSpace(ctx, knowledgeSpaceId)
    return store.listGaps(ctx, knowledgeSpaceId, limit)
  },
})

/** Takes a gap off the list; it returns when it is asked again without a good hit. Safe to repeat. @throws not_found for the space */
export const settle = orgMutation({
  args: settleGapInput,
  handler: async (ctx, { gist, knowledgeSpaceId }) => {
    if (knowledgeSpaceId) await assertSpace(ctx, knowledgeSpaceId)
    await store.settleGap(ctx, gist, knowledgeSpaceId)
    return null
  },
})
