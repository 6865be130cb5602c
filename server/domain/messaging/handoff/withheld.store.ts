// SQL of answers that a pause has withheld entirely: no customer has received them, so their questions are open again.
import { sql } from 'kysely'
import { uncountMessages } from '#server/domain/billing/billing.store.ts'
import { goOnSending } from '#server/domain/messaging/outbox/outbox.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { reopenQuestions } from '../conversations/writes/answers.store.ts'
import { withholdTurns } from '../turns/turn-records.store.ts'

/**
 * The agent resumes in conversations: its withheld answers are taken back, and one whose first part was being sent all the time is sent
 * to its end. The caller holds the conversations. Safe to repeat.
 */
export async function speakAgain(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<void> {
  const turnIds = await takeBack(ctx, conversationIds)
  await goOnSending(ctx, conversationIds)
  await uncountMessages(ctx, turnIds)
}

/**
 * Takes back the answers that were withheld before anything of them was sent: their questions are open again unless a person has written
 * since, their records are marked so, and they use up no allowance. Where several answers in a row were withheld, each opens the questions
 * before it. What was sent in part stays sent. The caller holds the conversations. Safe to repeat.
 */
export async function takeBackWithheld(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<void> {
  await uncountMessages(ctx, await takeBack(ctx, conversationIds))
}

/** Everything but the counts, which are locked after the parts of answers. @returns turns whose answers do not count any more */
async function takeBack(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<Id<'turns'>[]> {
  if (conversationIds.length === 0) return []
  const withheld = await sql<{ turnId: Id<'turns'> }>`
    with recursive withheld as (
      select t.id, t.conversation_id, t.answered_before, m.sequence,
        to_char(m.created_at at time zone o.time_zone, 'YYYY-MM-DD') as day
      from outbox p
      join messages m on m.organization_id = p.organization_id and m.id = p.message_id
      join turns t on t.organization_id = m.organization_id and t.id = m.turn_id and t.outcome = 'replied'
      join organizations o on o.id = p.organization_id
      where p.organization_id = ${ctx.organizationId} and p.conversation_id = any(${conversationIds}::text[])
        and p.part = 0 and p.status = 'failed' and p.error = 'paused'
        and not exists (select from outbox other where other.message_id = p.message_id and other.status <> 'failed')
    ), reopened (conversation_id, through) as (
      select id, answered_through from conversations
      where organization_id = ${ctx.organizationId} and id = any(${conversationIds}::text[])
      union
      select r.conversation_id, w.answered_before from reopened r join withheld w
        on w.conversation_id = r.conversation_id and w.sequence > r.through and w.answered_before < r.through
    ), ${withholdTurns(ctx)}, conversation as (
      ${reopenQuestions(ctx)}
    )
    select id as "turnId" from withheld`.execute(ctx.db)
  return withheld.rows.map(({ turnId }) => turnId)
}
