// SQL of the row of a conversation's ratings: when a rating is asked for, the question, the answer.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { RATING_COMMENT_MAX } from '#shared/limits.ts'

type ConversationId = Id<'conversations'>

/** Sets when to check it again. Null: not at all. The caller holds the conversation. */
export async function setAskAt(ctx: OrgStoreContext, id: ConversationId, inMs: number | null): Promise<void> {
  await sql`update conversation_ratings set ask_at = now() + ${inMs}::int * interval '1 millisecond'
    where organization_id = ${ctx.organizationId} and conversation_id = ${id}`.execute(ctx.db)
}

/** The same for a moment that has come, unless it was cleared. */
export async function deferRating(ctx: OrgStoreContext, id: ConversationId, byMs: number): Promise<void> {
  await sql`update conversation_ratings set ask_at = now() + ${byMs}::int * interval '1 millisecond'
    where organization_id = ${ctx.organizationId} and conversation_id = ${id} and ask_at <= now()`.execute(ctx.db)
}

/** The question stands in the conversation: it is what answers refer to from now on, and messages so far are not asked about again. */
export async function noteAsked(ctx: OrgStoreContext, id: ConversationId, messageId: Id<'messages'>): Promise<void> {
  await sql`update conversation_ratings r set question_id = m.id, thanks_id = null, asked_through = m.sequence
    from messages m where r.organization_id = ${ctx.organizationId} and r.conversation_id = ${id}
      and m.organization_id = r.organization_id and m.id = ${messageId}`.execute(ctx.db)
}

/** The thanks stand in the conversation: a short comment may answer them. */
export async function noteThanked(ctx: OrgStoreContext, id: ConversationId, messageId: Id<'messages'>): Promise<void> {
  await sql`update conversation_ratings set thanks_id = ${messageId}
    where organization_id = ${ctx.organizationId} and conversation_id = ${id}`.execute(ctx.db)
}

/** The customer edits the message in which they gave a rating: its present text counts, if it is a rating. The caller holds the conversation. */
export async function changeRating(ctx: OrgStoreContext, id: ConversationId, externalId: string): Promise<void> {
  await sql`
    update conversation_ratings r set score = trim(m.text)::smallint, rated_at = now()
    from messages m where r.organization_id = ${ctx.organizationId} and r.conversation_id = ${id} and m.organization_id = r.organization_id
      and m.conversation_id = r.conversation_id and m.external_id = ${externalId} and m.author = 'customer' and m.reason = 'rating'
      and m.sequence = r.rated_through and case when m.text ~ '^\\s*[1-5]\\s*$' then true else false end`.execute(
    ctx.db,
  )
}

/**
 * A statement: keeps the rating that a CTE `message` has stored (sequence). A comment to an earlier rating of the same question stays. The
 * question has made the row.
 */
export function keepScore(ctx: OrgStoreContext, id: ConversationId, score: number): RawBuilder<unknown> {
  return sql`update conversation_ratings r set score = ${score}::smallint, rated_at = now(), rated_through = message.sequence,
        comment = case when r.rated_through > r.asked_through then r.comment end
      from message where r.organization_id = ${ctx.organizationId} and r.conversation_id = ${id}`
}

/** A statement: keeps the comment to the rating of the conversation that a CTE `commented` names (conversation_id). */
export function setComment(ctx: OrgStoreContext, comment: string): RawBuilder<unknown> {
  return sql`update conversation_ratings r set comment = ${comment.slice(0, RATING_COMMENT_MAX)} from commented
    where r.organization_id = ${ctx.organizationId} and r.conversation_id = commented.conversation_id`
}

/** Removes a comment that was given before `cutoff`. */
export async function forgetComment(ctx: OrgStoreContext, id: ConversationId, cutoff: Date): Promise<void> {
  await ctx.db
    .updateTable('conversation_ratings')
    .set({ comment: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', id)
    .where('rated_at', '<', cutoff)
    .execute()
}

/** Plans questions again whose end of the conversation stands again. `askAt`: as PostgreSQL writes it. The caller holds the conversations. */
export async function restoreAskAt(
  ctx: OrgStoreContext,
  steps: { id: ConversationId; askAt: string }[],
): Promise<void> {
  if (steps.length === 0) return
  await sql`
    update conversation_ratings r set ask_at = given.ask_at
    from unnest(${steps.map(({ id }) => id)}::text[], ${steps.map(({ askAt }) => askAt)}::timestamptz[]) as given (id, ask_at)
    join conversations c on c.organization_id = ${ctx.organizationId} and c.id = given.id
    where r.organization_id = c.organization_id and r.conversation_id = c.id and r.ask_at is null
      and c.status = 'ended' and c.folder <> 'deleted'`.execute(ctx.db)
}
