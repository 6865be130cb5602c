// The search of an agent's knowledge, through all stages that the agent and the installation have: for a turn, and for the tester.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { type FullAnswer, type Read, searchFully } from '#server/domain/knowledge/spaces/search.full.ts'
import type { Services } from '#server/functions/services.ts'
import type { ChatMessage, ModelCall } from '#server/integrations/llm/llm.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { SearchResponse } from '#shared/knowledge/knowledge.ts'
import type { SearchStage } from '#shared/knowledge/knowledge-search.ts'
import { ANSWER_PASSAGE_TOKENS, ANSWER_PASSAGES } from '#shared/limits.ts'
import type { PipelineContext } from '../../pipeline-context.ts'
import type { Turn } from '../../turn.ts'
import { rewriteQuestion, rewritesQuestions } from './rewrite-question.ts'

/** Whose knowledge is searched: what it may use, and how it wants to be searched for. */
export type SearchingAgent = Pick<
  Turn['agent'],
  'id' | 'settings' | 'keys' | 'spaceIds' | 'disabledSources' | 'tags' | 'languages'
>

/** `told`: the conversation that the question belongs to; null: the question is the model's own and stands by itself. */
type Asked = { query: string; told: ChatMessage[] | null; without?: readonly SearchStage[]; signal?: AbortSignal }

/** `count` is told what a call has cost as soon as it was made. */
type With = {
  organizationId: Id<'organizations'>
  read: Read
  services: Pick<Services, 'database' | 'llm' | 'embeddings' | 'reranker' | 'retrieval' | 'searches' | 'secrets'>
  count: (call: ModelCall) => Promise<void>
}

/** Characters of a question by which knowledge is searched. */
const QUERY_CHARACTERS = 1000

/** What of a customer's words is looked for: the end, where they are long. */
export function searchedPart(said: string): string {
  return said.slice(-QUERY_CHARACTERS)
}

/** What the agent's model would be given, in the same order. Undefined: there is nothing to search, or nothing to search for. */
export async function searchAsAgent(
  { organizationId, read, services, count }: With,
  agent: SearchingAgent,
  { query, told, without = [], signal }: Asked,
): Promise<Omit<FullAnswer, 'calls'> | undefined> {
  const { spaceIds, disabledSources, tags, languages, settings } = agent
  if (spaceIds.length === 0 || query.trim() === '') return undefined
  const { calls, ...answer } = await searchFully(read, services, {
    ...{ organizationId, spaceIds, disabledSources, tags, languages, query, without },
    ...(told && rewritesQuestions(settings) && { reword: () => rewriteQuestion(services, agent, told, count, signal) }),
    limit: ANSWER_PASSAGES,
    tokenBudget: ANSWER_PASSAGE_TOKENS,
    order: 'document',
    ...(signal && { signal }),
  })
  for (const call of calls) await count(call)
  return answer
}

/** The search of a turn. What it spends is counted. Undefined: there is nothing to search, or nothing to search for. */
export async function searchKnowledge(
  ctx: PipelineContext,
  turn: Turn,
  query: string,
  told: ChatMessage[] | null,
): Promise<SearchResponse | undefined> {
  const { organizationId, agent } = turn
  const count = (call: ModelCall) => countCall(ctx, turn, call)
  const read: Read = (run) => ctx.read(organizationId, run)
  const answer = await searchAsAgent({ organizationId, read, services: ctx.services, count }, agent, { query, told })
  for (const { stage, error } of answer?.failures ?? []) {
    ctx.logger.warn({ err: error, stage, turnId: turn.turnId }, 'knowledge was searched without a stage')
  }
  return answer?.response
}

/** It costs something, and it is no message. */
async function countCall(ctx: PipelineContext, turn: Turn, call: ModelCall): Promise<void> {
  const { organizationId, agent, conversation, conversationId } = turn
  const event = { sourceId: newId(), agentId: agent.id, category: 'helper_generation', messages: 0 } as const
  const spent = { conversationId, purpose: 'search' } as const
  await ctx.organization(organizationId, (store) =>
    recordUsage(store, { ...event, spent, channel: conversation.channel, call, occurredAt: new Date() }),
  )
}
