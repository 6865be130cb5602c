// A question's meaning, for the search of the agent's knowledge. Without an embedding model, or when it fails, search goes by words.
import { recordUsage } from '#server/features/billing/billing.store.ts'
import { newId } from '#server/lib/ids.ts'
import type { ModelCall } from '#server/llm/llm.ts'
import { embedQuery } from '#server/retrieval/query-vectors.ts'
import type { QueryVectors } from '#server/retrieval/retrieval.ts'
import type { PipelineContext } from './pipeline-context.ts'
import type { Turn } from './turn.store.ts'

/** Empty when there is nothing to compare with. Never fails. */
export async function embedQuestion(ctx: PipelineContext, turn: Turn, query: string): Promise<QueryVectors> {
  const { embeddings } = ctx.services
  const { organizationId, agent } = turn
  if (!embeddings) return new Map()
  try {
    const request = { spaceIds: agent.spaceIds, query }
    const { vectors, calls } = await embedQuery((run) => ctx.read(organizationId, run), embeddings, request)
    for (const call of calls) await count(ctx, turn, call)
    return vectors
  } catch (error) {
    ctx.logger.warn({ err: error, turnId: turn.turnId }, 'knowledge is searched by words alone')
    return new Map()
  }
}

/** It costs something, and it is no message. */
function count(ctx: PipelineContext, { organizationId, agent, conversation }: Turn, call: ModelCall): Promise<boolean> {
  const event = { sourceId: newId(), agentId: agent.id, category: 'helper_generation', messages: 0 } as const
  return ctx.organization(organizationId, (store) =>
    recordUsage(store, { ...event, channel: conversation.channel, call, occurredAt: new Date() }),
  )
}
