// SQL of summaries of a conversation: of its beginning, and of the last stretch in which people wrote.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Stores a summary, unless another one was made meanwhile, or the conversation is gone. `before`: 0 where there was none. */
export async function saveSummary(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  made: { before: number; summary: string; through: number },
): Promise<void> {
  await sql`
    insert into conversation_summaries (organization_id, conversation_id, summary, summary_through)
    select organization_id, id, ${made.summary}, ${made.through}::bigint from conversations
    where organization_id = ${ctx.organizationId} and id = ${conversationId}
    on conflict (organization_id, conversation_id) do update
      set summary = excluded.summary, summary_through = excluded.summary_through
      where conversation_summaries.summary_through = ${made.before}::bigint`.execute(ctx.db)
}

/** Stores a summary of the messages up to one. An older summary never replaces a newer one. */
export async function saveStretchSummary(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  { summary, through }: { summary: string; through: number },
): Promise<void> {
  await sql`
    insert into conversation_summaries (organization_id, conversation_id, stretch_summary, stretch_through)
    select organization_id, id, ${summary}, ${through}::bigint from conversations
    where organization_id = ${ctx.organizationId} and id = ${conversationId}
    on conflict (organization_id, conversation_id) do update
      set stretch_summary = excluded.stretch_summary, stretch_through = excluded.stretch_through
      where conversation_summaries.stretch_through < ${through}::bigint`.execute(ctx.db)
}

/** Removes what the summaries say: they may quote messages that were removed. */
export async function forgetSummaries(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<void> {
  await ctx.db
    .updateTable('conversation_summaries')
    .set({ summary: null, summary_through: 0, stretch_summary: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .execute()
}

/** Removes the summary if it covers messages after one. */
export async function forgetSummaryAfter(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  through: number,
): Promise<void> {
  await ctx.db
    .updateTable('conversation_summaries')
    .set({ summary: null, summary_through: 0 })
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('summary_through', '>', through)
    .execute()
}
