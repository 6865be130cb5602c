// SQL of who answers in a conversation: the agent is silenced or resumes, an operator takes it over, or a timer runs while no one answers.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { PauseReason } from '#shared/messaging/conversations.ts'
import { isTakenOver } from '../conversations.rules.ts'

type ConversationId = Id<'conversations'>

/**
 * Silences the agent and calls a person, unless it is the customer who wants no answers. Without effect when another process was faster;
 * what the agent has written is not withheld. A call answers nothing: the customer's questions stay open until a person or the agent answers.
 */
export async function handOff(
  ctx: OrgStoreContext,
  decided: { conversationId: ConversationId; pauseEpoch: number },
  handoff: { reason: PauseReason; note: string | null; resumeAfterMs: number | null },
): Promise<void> {
  const { reason, note, resumeAfterMs } = handoff
  await sql`
    update conversations set status = 'paused', pause_epoch = pause_epoch + 1, pause_reason = ${reason}, paused_at = now(), paused_by = null,
      resume_at = now() + ${resumeAfterMs}::bigint * interval '1 millisecond', needs_person = ${!isTakenOver(reason)},
      handoff_reason = ${reason}, handoff_note = ${note}
    where organization_id = ${ctx.organizationId} and id = ${decided.conversationId}
      and status = 'active' and pause_epoch = ${decided.pauseEpoch}::int`.execute(ctx.db)
}

/** `isUnattended`: a person was called, and none has come. */
export type Resumed = { id: ConversationId; organizationId: Id<'organizations'>; isUnattended: boolean }

/** Resumes the agents of all conversations whose pause is over. @returns those conversations */
export async function resumeDueConversations(ctx: StoreContext): Promise<Resumed[]> {
  const { rows } = await sql<Resumed>`
    update conversations set status = 'active', resume_at = null, pause_reason = null, paused_at = null, paused_by = null,
      phrases_through = (select coalesce(max(sequence), 0) from messages
        where messages.organization_id = conversations.organization_id and messages.conversation_id = conversations.id)
    where resume_at <= now() and status = 'paused'
    returning id, organization_id as "organizationId", needs_person as "isUnattended"`.execute(ctx.db)
  return rows
}

/** Assigns conversations of the queue to a member. The caller holds them. */
export async function giveTo(ctx: OrgStoreContext, ids: ConversationId[], userId: Id<'users'>): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set({ assignee_id: userId, queued_at: null, unattended_at: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
}

/** Sets when to check it again. The caller holds the conversation. */
export async function deferNoOperatorNotice(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  forMs: number,
): Promise<void> {
  await sql`update conversations set unattended_at = now() + ${forMs}::int * interval '1 millisecond'
    where organization_id = ${ctx.organizationId} and id = ${id}`.execute(ctx.db)
}

/** Ends the wait for a notice. `isNotified`: the customer gets it now, and no second one for this call. The caller holds the conversation. */
export async function settleNoOperatorNotice(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  isNotified: boolean,
): Promise<void> {
  await sql`update conversations set unattended_at = null, unattended_told_at = case when ${isNotified}::boolean then now() end
    where organization_id = ${ctx.organizationId} and id = ${id}`.execute(ctx.db)
}
