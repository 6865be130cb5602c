// The search of an agent's knowledge for one turn, through all stages of the installation. What it spends is counted.
import { recordUsage } from '#server/features/billing/billing.store.ts'
import { searchFully } from '#server/features/knowledge/search.full.ts'
import { newId } from '#server/lib/ids.ts'
import type { ChatMessage, ModelCall } from '#server/llm/llm.ts'
import type { SearchResponse } from '#shared/knowledge.ts'
import { ANSWER_PASSAGE_TOKENS, ANSWER_PASSAGES } from '#shared/limits.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { rewriteQuestion } from './rewrite-question.ts'
import type { Turn } from './turn.store.ts'

/**
 * Undefined: there is nothing to search, or nothing to search for.
 *
 * @param told the conversation that the question belongs to; null: the question is the model's own and stands by itself
 */
export async function searchKnowledge(
  ctx: PipelineContext,
  turn: Turn,
  query: string,
  told: ChatMessage[] | null,
): Promise<SearchResponse | undefined> {
  const { organizationId, agent } = turn
  const { spaceIds, disabledSources } = agent
  if (spaceIds.length === 0 || query.trim() === '') return undefined
  const count = (call: ModelCall) => countCall(ctx, turn, call)
  const alternatives = told ? await rewriteQuestion(ctx, turn, told, count) : []
  const request = { spaceIds, disabledSources, query, alternatives, limit: ANSWER_PASSAGES }
  const { response, calls, failures } = await searchFully((run) => ctx.read(organizationId, run), ctx.services, {
    ...request,
    tokenBudget: ANSWER_PASSAGE_TOKENS,
    order: 'document',
  })
  for (const call of calls) await count(call)
  for (const { stage, error } of failures) {
    ctx.logger.warn({ err: error, stage, turnId: turn.turnId }, 'knowledge was searched without a stage')
  }
  return response
}

/** It costs something, and it is no message. */
async function countCall(ctx: PipelineContext, turn: Turn, call: ModelCall): Promise<void> {
  const { organizationId, agent, conversation } = turn
  const event = { sourceId: newId(), agentId: agent.id, category: 'helper_generation', messages: 0 } as const
  await ctx.organization(organizationId, (store) =>
    recordUsage(store, { ...event, channel: conversation.channel, call, occurredAt: new Date() }),
  )
}
