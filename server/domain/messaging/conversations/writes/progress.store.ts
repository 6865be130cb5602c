// SQL of the progress of a conversation: what needs no answer any more, and its notices.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** The customer's messages up to this turn will not be answered any more. */
export async function settleQuestions(
  ctx: OrgStoreContext,
  turn: { conversationId: Id<'conversations'>; history: { sequence: number }[] },
): Promise<void> {
  const through = Math.max(0, ...turn.history.map((message) => message.sequence))
  await sql`update conversations set answered_through = greatest(answered_through, ${through}::bigint)
    where organization_id = ${ctx.organizationId} and id = ${turn.conversationId}`.execute(ctx.db)
}

/** No message so far needs an answer any more. */
export async function markAnswered(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set((eb) => ({
      answered_through: eb
        .selectFrom('messages')
        .where('messages.organization_id', '=', ctx.organizationId)
        .where('messages.conversation_id', '=', conversationId)
        .select((select) => select.fn.coalesce(select.fn.max('messages.sequence'), select.lit(0)).as('last')),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', conversationId)
    .execute()
}

/** Considers the customer's newest message again, as if it had come while the agent was active. */
export async function considerNewest(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<void> {
  await sql`update conversations set phrases_through = greatest(0, phrases_through - 1)
    where organization_id = ${ctx.organizationId} and id = ${conversationId}`.execute(ctx.db)
}

/** Counts an answer for the customer's day; `noteAnswer` does it for answers that are given. @param today the day, as `dayOf` returns it */
export async function countForDay(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  today: string,
): Promise<void> {
  await sql`update conversations set answers_on = ${today}, answers_count = case when answers_on = ${today} then answers_count else 0 end + 1
    where organization_id = ${ctx.organizationId} and id = ${conversationId}`.execute(ctx.db)
}

/** Records that a notice was given in the conversation. @param now milliseconds since the epoch */
export async function rememberNotice(
  ctx: OrgStoreContext,
  turn: { conversationId: Id<'conversations'> },
  what: string,
  now: number,
): Promise<void> {
  await sql`update conversations set notices = notices || jsonb_build_object(${what}::text, ${now}::bigint)
    where organization_id = ${ctx.organizationId} and id = ${turn.conversationId}`.execute(ctx.db)
}
