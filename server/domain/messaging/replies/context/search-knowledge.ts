// Searches an agent's knowledge through all stages that the agent and the installation have: for a turn, and for the search tester.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { type FullAnswer, type Read, searchFully } from '#server/domain/knowledge/spaces/search.full.ts'
import type { Services } from '#server/functions/services.ts'
import type { ChatMessage, ModelCall } from '#server/integrations/llm/llm.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { SearchResponse } from '#shared/knowledge/knowledge.ts'
import type { SearchStage } from '#shared/knowledge/knowledge-search.ts'
import { ANSWER_PASSAGE_TOKENS, ANSWER_PASSAGES } from '#shared/limits.ts'
import type { AnsweringContext } from '../../turns/pipeline-context.ts'
import type { Turn } from '../../turns/turn.ts'
import { rewriteQuestion, rewritesQuestions } from './rewrite-question.ts'

/** The agent whose knowledge is searched: what it may use, and its search settings. */
export type SearchingAgent = Pick<
  Turn['agent'],
  'id' | 'name' | 'settings' | 'keys' | 'spaceIds' | 'disabledSources' | 'tags' | 'languages'
>

/** `conversation`: the one that the question belongs to; null: the question is the model's own and stands by itself. */
type Asked = {
  query: string
  conversation: ChatMessage[] | null
  without?: readonly SearchStage[]
  signal?: AbortSignal
}

/** `count` receives each model call with its cost as soon as it was made. */
type With = {
  organizationId: Id<'organizations'>
  read: Read
  services: Pick<Services, 'database' | 'llm' | 'embeddings' | 'reranker' | 'retrieval' | 'searches' | 'secrets'>
  count: (call: ModelCall) => Promise<void>
}

/** Maximum characters of a search query. */
const QUERY_CHARACTERS = 1000

/** The part of a customer's text used as the query: its end, where it is long. */
export function searchedPart(text: string): string {
  return text.slice(-QUERY_CHARACTERS)
}

/** The results that the agent's model would receive, in the same order. Undefined without knowledge spaces or a query. */
export async function searchAsAgent(
  { organizationId, read, services, count }: With,
  agent: SearchingAgent,
  { query, conversation, without = [], signal }: Asked,
): Promise<Omit<FullAnswer, 'calls'> | undefined> {
  const { spaceIds, disabledSources, tags, languages, settings } = agent
  if (spaceIds.length === 0 || query.trim() === '') return undefined
  const { calls, ...answer } = await searchFully(read, services, {
    ...{ organizationId, spaceIds, disabledSources, tags, languages, query, without },
    ...(conversation &&
      rewritesQuestions(settings) && { reword: () => rewriteQuestion(services, agent, conversation, count, signal) }),
    limit: ANSWER_PASSAGES,
    tokenBudget: ANSWER_PASSAGE_TOKENS,
    order: 'document',
    ...(signal && { signal }),
  })
  for (const call of calls) await count(call)
  return answer
}

/** The search of a turn. Its cost is counted. Undefined without knowledge spaces or a query. */
export async function searchKnowledge(
  ctx: AnsweringContext,
  turn: Turn,
  query: string,
  conversation: ChatMessage[] | null,
): Promise<SearchResponse | undefined> {
  const { organizationId, agent } = turn
  const count = (call: ModelCall) => countCall(ctx, turn, call)
  const read: Read = (run) => ctx.read(organizationId, run)
  const asked = { query, conversation }
  const answer = await searchAsAgent({ organizationId, read, services: ctx.services, count }, agent, asked)
  for (const { stage, error } of answer?.failures ?? []) {
    ctx.logger.warn({ err: error, stage, turnId: turn.turnId }, 'knowledge was searched without a stage')
  }
  return answer?.response
}

/** A cost without a message. */
async function countCall(ctx: AnsweringContext, turn: Turn, call: ModelCall): Promise<void> {
  const { organizationId, agent, conversation, conversationId } = turn
  const event = { sourceId: newId(), agentId: agent.id, category: 'helper_generation', messages: 0 } as const
  const spent = { conversationId, purpose: 'search' } as const
  await ctx.organization(organizationId, (store) =>
    recordUsage(store, { ...event, spent, channel: conversation.channel, call, occurredAt: new Date() }),
  )
}
