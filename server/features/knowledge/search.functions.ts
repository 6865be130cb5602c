// Trying out a space: the same search that replies use.
import { recordUsage } from '#server/features/billing/billing.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/lib/ids.ts'
import type { ModelCall } from '#server/llm/llm.ts'
import { embedQuery } from '#server/retrieval/query-vectors.ts'
import type { QueryVectors } from '#server/retrieval/retrieval.ts'
import type { Id } from '#shared/ids.ts'
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
 * The best chunks of a space by words and, where there is an embedding model, by meaning, with what the tester shows beside: evidence
 * and time. An embedding model that fails is done without, as in a reply. @throws not_found
 */
export const explain = orgAction({
  args: explainInput,
  handler: async (ctx, { knowledgeSpaceId, query, limit = DEFAULT_LIMIT, without = [] }): Promise<SearchResponse> => {
    await ctx.read((read) => assertSpace(read, knowledgeSpaceId))
    const vectors = without.includes('meaning') ? new Map() : await embed(ctx, knowledgeSpaceId, query)
    return ctx.read((read) =>
      read.retrieval.search(read, { spaceIds: [knowledgeSpaceId], query, limit, vectors, without }),
    )
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

async function embed(ctx: OrgActionContext, spaceId: Id<'knowledgeSpaces'>, query: string): Promise<QueryVectors> {
  const { embeddings } = ctx.services
  if (!embeddings) return new Map()
  const request = { spaceIds: [spaceId], query, signal: ctx.signal }
  const made = await embedQuery(ctx.read, embeddings, request).catch(() => null)
  for (const call of made?.calls ?? []) await count(ctx, call)
  return made?.vectors ?? new Map()
}

/** It costs something, and it is no message. */
function count(ctx: OrgActionContext, call: ModelCall): Promise<boolean> {
  const event = { sourceId: newId(), agentId: null, category: 'helper_generation', channel: 'test' } as const
  return ctx.write((write) => recordUsage(write, { ...event, messages: 0, call, occurredAt: write.now }))
}
