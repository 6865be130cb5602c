// SQL of follow-ups. When the next one is due stands with the conversation; when that moment has come it becomes a turn, once, whichever
// server looks first. Whether it is sent is decided when the turn is worked on.
//
//   answer sent ─► follow_up_at ─► turn ─► sent: the next step
//                       ▲            ├───► night, or enough for today: later
//                       └────────────┘
//   a customer's message, a pause or the end of the conversation clears follow_up_at
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Turn } from '../turns/turn.ts'

/** Begun in one transaction; the next look takes the rest. */
const BATCH = 100

/** Makes turns of the follow-ups that are due. Nothing is due where the agent is silent or at work. @returns how many */
export async function beginFollowUps(ctx: StoreContext): Promise<number> {
  const due = await sql<{ id: string; organization_id: string; is_active: boolean }>`
    with due as (
      select id from conversations where follow_up_at <= now() order by follow_up_at limit ${BATCH}::int for update skip locked
    )
    update conversations set follow_up_at = null from due where conversations.id = due.id
    returning conversations.id, conversations.organization_id, conversations.status = 'active' as is_active`.execute(
    ctx.db,
  )
  const begun = due.rows.filter((row) => row.is_active)
  if (begun.length === 0) return 0
  const made = await sql`
    insert into turns (id, organization_id, conversation_id, status, kind)
    select new.id, new.organization_id, new.conversation_id, 'pending', 'follow_up'
    from unnest(${begun.map(() => newId('turns'))}::text[], ${begun.map((row) => row.organization_id)}::text[],
      ${begun.map((row) => row.id)}::text[]) as new (id, organization_id, conversation_id)
    where not exists (select from turns t where t.conversation_id = new.conversation_id and t.status = 'running')
    on conflict (conversation_id) where status = 'pending' do nothing`.execute(ctx.db)
  failpoint('follow-ups-beginning')
  return Number(made.numAffectedRows ?? 0)
}

/** Lets a follow-up come back at a better moment, unless the conversation has moved on meanwhile. */
export async function postponeFollowUp(ctx: OrgStoreContext, turn: Turn, at: number): Promise<void> {
  await sql`
    update conversations set follow_up_at = ${new Date(at)}
    where organization_id = ${ctx.organizationId} and id = ${turn.conversationId} and status = 'active'
      and pause_epoch = ${turn.conversation.pauseEpoch}::int
      and not exists (select from messages m where m.organization_id = conversations.organization_id
        and m.conversation_id = conversations.id and m.author = 'customer'
        and m.sequence > ${Math.max(0, ...turn.history.map((message) => message.sequence))}::bigint)`.execute(ctx.db)
}
