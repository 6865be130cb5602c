// What a search finds, for a space or as one of its agents, asked once for each question.
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { AgentSearchResponse, SearchStage } from '#shared/knowledge/knowledge-search.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'

type Asked = { question: string; agent: AgentSummary | undefined; off: SearchStage[] }

/** Nothing is asked before there is a question. */
export function useExplanation(space: KnowledgeSpace, { question, agent, off }: Asked, isEnabled: boolean) {
  const explain = useAction(api.knowledge.search.explain, { hasToast: false })
  const explainAsAgent = useAction(api.agents.search.explain, { hasToast: false })
  const asked = { query: question, without: off }
  return useFetched<AgentSearchResponse>(
    // Counts: what was added or removed since is looked for.
    ['explain', space._id, agent?._id ?? '', `${space.documents} ${space.fragments} ${space.tables}`, question, ...off],
    async () => {
      if (agent) return explainAsAgent({ agentId: agent._id, ...asked })
      return { ...(await explain({ knowledgeSpaceId: space._id, ...asked })), wordings: [] }
    },
    { isEnabled: isEnabled && question !== '' },
  )
}
