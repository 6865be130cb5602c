// SQL for what a conversation has come to: how much was said, what it cost, how long the customer waited.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { ConversationMetrics } from '#shared/contacts.ts'
import type { Id } from '#shared/ids.ts'
import { medianOf, waits } from './metrics.rules.ts'

/** Of one conversation, its failed answers left out of the counts and not of the cost. */
export async function measureConversation(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
): Promise<ConversationMetrics> {
  const rows = await ctx.db
    .selectFrom('messages')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('author', '<>', 'system')
    .select(['author', 'status', 'created_at', 'model', 'input_tokens', 'output_tokens', 'cost_micro_usd'])
    .orderBy('sequence')
    .execute()
  const said = rows
    .filter(({ status }) => status === 'complete' || status === 'stopped')
    .map(({ author, created_at: createdAt }) => ({ author, at: createdAt.getTime() }))
  const count = (author: (typeof said)[number]['author']) => said.filter((each) => each.author === author).length
  const sum = (of: (row: (typeof rows)[number]) => number | null) =>
    rows.reduce((total, row) => total + Number(of(row) ?? 0), 0)
  const waited = waits(said)
  return {
    messages: { customer: count('customer'), agent: count('agent'), operator: count('operator') },
    durationMs: (said.at(-1)?.at ?? 0) - (said[0]?.at ?? 0),
    inputTokens: sum((row) => row.input_tokens),
    outputTokens: sum((row) => row.output_tokens),
    costMicroUsd: sum((row) => row.cost_micro_usd),
    unpricedAnswers: rows.filter((row) => row.model !== null && row.cost_micro_usd === null).length,
    firstResponseMs: waited[0] ?? null,
    medianResponseMs: medianOf(waited),
  }
}
