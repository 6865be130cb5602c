// Which first steps an organization has taken, read from what it really has.
import type { Agent } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'

export const FIRST_STEPS = ['createAgent', 'addKnowledge', 'linkKnowledge', 'connectChannel', 'answerCustomer'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/** The steps that are done. */
export function stepsTaken(has: {
  agents: Pick<Agent, 'knowledgeSpaceIds'>[]
  spaces: Pick<KnowledgeSpace, 'documents' | 'fragments' | 'tables'>[]
  connections: Pick<ChannelConnection, 'status' | 'lastInboundAt'>[]
}): Set<FirstStep> {
  const { agents, spaces, connections } = has
  const taken: Record<FirstStep, boolean> = {
    createAgent: agents.length > 0,
    addKnowledge: spaces.some((space) => space.documents + space.fragments + space.tables > 0),
    linkKnowledge: agents.some((agent) => agent.knowledgeSpaceIds.length > 0),
    connectChannel: connections.some((connection) => connection.status === 'connected'),
    answerCustomer: connections.some((connection) => connection.lastInboundAt !== null),
  }
  return new Set(FIRST_STEPS.filter((step) => taken[step]))
}
