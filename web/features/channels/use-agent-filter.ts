// The agent whose channels are looked at, kept in the URL over all pages of the channels.
import { useQueryState } from 'nuqs'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'

/**
 * `?agentSlug=` names it. `agent`: null for none, and for one that there is not. `search`: the query by which the choice goes along with
 * a link, empty without one.
 */
export function useAgentFilter(agents: AgentSummary[] | undefined) {
  const [agentSlug, setAgentSlug] = useQueryState('agentSlug')
  const agent = agents?.find(({ slug, _id }) => slug === agentSlug || _id === agentSlug) ?? null
  return {
    agent,
    search: agentSlug === null ? '' : `?${new URLSearchParams({ agentSlug })}`,
    clear: () => void setAgentSlug(null),
    /** Those of the agent; all without one. */
    filter: (connections: ChannelConnection[]) =>
      agent ? connections.filter(({ agentId }) => agentId === agent._id) : connections,
  }
}
