// SQL of a conversation's totals: how many messages it has, what it cost, how long the customer waited.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationMetrics } from '#shared/messaging/contacts.ts'
import { USAGE_PURPOSES } from '#shared/organizations/billing.ts'
import { medianOf, waits } from './metrics.rules.ts'

/** For conversations that are shown as one: failed answers are left out of the counts, but not of the cost. */
export async function measureConversation(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
): Promise<ConversationMetrics> {
  const rows = await ctx.db
    .selectFrom('messages')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', conversationIds)
    .where('author', '<>', 'system')
    .select(['author', 'status', 'created_at'])
    .orderBy('sequence')
    .execute()
  const messages = rows
    .filter(({ status }) => status === 'complete' || status === 'stopped')
    .map(({ author, created_at: createdAt }) => ({ author, at: createdAt.getTime() }))
  const count = (author: (typeof messages)[number]['author']) =>
    messages.filter((each) => each.author === author).length
  const waited = waits(messages)
  return {
    messages: { customer: count('customer'), agent: count('agent'), operator: count('operator') },
    durationMs: (messages.at(-1)?.at ?? 0) - (messages[0]?.at ?? 0),
    ...(await measureSpent(ctx, conversationIds)),
    firstResponseMs: waited[0] ?? null,
    medianResponseMs: medianOf(waited),
  }
}

type Spent = Pick<ConversationMetrics, 'inputTokens' | 'outputTokens' | 'costMicroUsd' | 'costs' | 'unpricedCalls'>

/** The recorded cost of conversations: answers, also those that failed, and everything around them. */
async function measureSpent(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<Spent> {
  const rows = await ctx.db
    .selectFrom('usage_events')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', conversationIds)
    .where('purpose', 'is not', null)
    .select('purpose')
    .select(({ fn }) => [
      fn.sum<number | null>('input_tokens').as('inputTokens'),
      fn.sum<number | null>('output_tokens').as('outputTokens'),
      fn.sum<number | null>('cost_micro_usd').as('costMicroUsd'),
      sql<number>`count(*) filter (where model is not null and cost_micro_usd is null)`.as('unpricedCalls'),
    ])
    .groupBy('purpose')
    .execute()
  const sum = (of: (row: (typeof rows)[number]) => number | null) =>
    rows.reduce((total, row) => total + Number(of(row) ?? 0), 0)
  const costs = USAGE_PURPOSES.map((purpose) => ({
    purpose,
    costMicroUsd: Number(rows.find((row) => row.purpose === purpose)?.costMicroUsd ?? 0),
  }))
  return {
    inputTokens: sum((row) => row.inputTokens),
    outputTokens: sum((row) => row.outputTokens),
    costMicroUsd: sum((row) => row.costMicroUsd),
    costs: costs.filter(({ costMicroUsd }) => costMicroUsd > 0),
    unpricedCalls: sum((row) => row.unpricedCalls),
  }
}
