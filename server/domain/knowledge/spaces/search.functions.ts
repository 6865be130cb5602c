// The search tester of a space: the same search that replies use.
import { orgAction, orgQuery } from '#server/functions/define.ts'
import { type SearchResponse, searchInput } from '#shared/knowledge/knowledge.ts'
import { explainInput, samplesInput } from '#shared/knowledge/knowledge-search.ts'
import { ANSWER_PASSAGE_TOKENS, ANSWER_PASSAGES } from '#shared/limits.ts'
import { SAMPLES, samplesOf } from '../review/samples.rules.ts'
import { listNames } from '../review/samples.store.ts'
import { searchFully } from './search.full.ts'
import { countTried } from './search.usage.ts'
import { assertSpace } from './spaces.store.ts'

const DEFAULT_LIMIT = 10
const AS_FOR_AN_ANSWER = { limit: ANSWER_PASSAGES, tokenBudget: ANSWER_PASSAGE_TOKENS }

/** The best chunks of a space by words, best first. @throws not_found */
export const run = orgQuery({
  args: searchInput,
  isSearch: true,
  handler: async (ctx, { knowledgeSpaceId, query, limit = DEFAULT_LIMIT }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return (await ctx.retrieval.search(ctx, { spaceIds: [knowledgeSpaceId], query, limit })).results
  },
})

/**
 * The best chunks of a space as a reply finds them, as many unless a limit is given, through all stages of the installation, with evidence,
 * scores and duration of each stage. A failing provider is skipped.
 * @throws not_found
 */
export const explain = orgAction({
  args: explainInput,
  handler: async (ctx, { knowledgeSpaceId, query, limit, without = [] }): Promise<SearchResponse> => {
    await ctx.read((read) => assertSpace(read, knowledgeSpaceId))
    const most = limit === undefined ? AS_FOR_AN_ANSWER : { limit }
    const { organizationId, signal } = ctx
    const request = { organizationId, spaceIds: [knowledgeSpaceId], query, ...most, without, signal }
    const { response, calls } = await searchFully(ctx.read, ctx.services, request)
    await countTried(ctx, calls)
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
