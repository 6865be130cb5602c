// Testing what one agent finds: in its spaces, with its access to them, and its own search queries.
import { countTried } from '#server/domain/knowledge/spaces/search.usage.ts'
import { orgAction } from '#server/functions/define.ts'
import { type AgentSearchResponse, explainAsAgentInput } from '#shared/knowledge/knowledge-search.ts'
import { searchAsAgent, searchedPart } from '../replies/context/search-knowledge.ts'
import { getSearchingAgent } from './agent-search.store.ts'

/** Result for an agent without a space. */
const NOTHING: AgentSearchResponse = {
  results: [],
  evidence: 0,
  nearest: null,
  isWeak: true,
  elapsedMs: 0,
  stages: [],
  wordings: [],
}

/**
 * The passages that the agent's model would be given for a question that opens a conversation, in the order in which it would read
 * them, with what the tester shows in addition. A provider that fails is skipped. @throws not_found
 */
export const explain = orgAction({
  args: explainAsAgentInput,
  handler: async (ctx, { agentId, query, without = [] }): Promise<AgentSearchResponse> => {
    const agent = await ctx.read((read) => getSearchingAgent(read, agentId))
    const answer = await searchAsAgent(
      {
        organizationId: ctx.organizationId,
        read: ctx.read,
        services: ctx.services,
        count: (call) => countTried(ctx, [call], agentId),
      },
      agent,
      { query: searchedPart(query), conversation: [{ role: 'user', text: query }], without, signal: ctx.signal },
    )
    return answer ? { ...answer.response, wordings: answer.wordings } : NOTHING
  },
})
