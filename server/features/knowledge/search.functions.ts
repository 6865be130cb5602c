// Trying out a space: the same search that replies use.
import { recordUsage } from '#server/features/billing/billing.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/lib/ids.ts'
import type { ModelCall } from '#server/llm/llm.ts'
import { searchFully } from '#server/retrieval/full-search.ts'
import { type SearchResponse, searchInput } from '#shared/knowledge.ts'
import { explainInput, samplesInput } from '#shared/knowledge-search.ts'
import { SAMPLES, samplesOf } from './samples.rules.ts'
import { listNames } from './samples.store.ts'
import { assertSpace } from './spaces.store.ts'

const DEFAULT_LIMIT = 10

/** The best chunks of a space by words, best first. @throws not_found */
export const run = orgQuery({
  args: searchInput,
  handler: async (ctx, { knowledgeSpaceId, query, limit = DEFAULT_LIMIT }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return (await ctx.retrieval.search(ctx, { spaceIds: [knowledgeSpaceId], query, limit })).results
  },
})

/**
 * The best chunks of a space as a reply finds them, through all stages that the installation has, with what the tester shows beside:
 * evidence, scores and time of each stage. A provider that fails is done without. @throws not_found
 */
export const explain = orgAction({
  args: explainInput,
  handler: async (ctx, { knowledgeSpaceId, query, limit = DEFAULT_LIMIT, without = [] }): Promise<SearchResponse> => {
    await ctx.read((read) => assertSpace(read, knowledgeSpaceId))
    const request = { spaceIds: [knowledgeSpaceId], query, limit, without, signal: ctx.signal }
    const { response, calls } = await searchFully(ctx.read, ctx.services, request)
    for (const call of calls) await count(ctx, call)
    return response
  },
})

/** Up to five questions to begin with, by the names of the space's own notes, headings and documents. @throws not_found */
export const samples = orgQuery({
  args: samplesInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return samplesOf(await listNames(ctx, knowledgeSpaceId, SAMPLES))
  },
})

/** It costs something, and it is no message. */
function count(ctx: OrgActionContext, call: ModelCall): Promise<boolean> {
  const event = { sourceId: newId(), agentId: null, category: 'helper_generation', channel: 'test' } as const
  return ctx.write((write) => recordUsage(write, { ...event, messages: 0, call, occurredAt: write.now }))
}
