// SQL of the follow-up that a conversation waits for, in a row of its own.
//
//   answer sent ─► due_at ─► turn ─► sent: the next step
//                    ▲         ├───► night, or enough for today: later
//                    └─────────┘
//
// A customer's message, a pause or the end of the conversation does not write the row, which most conversations do not have: it no longer
// stands then (see `isStanding`).
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type ConversationId = Id<'conversations'>

/** `step`: follow-ups sent in this silence; `minutes`: until the next one is due, null when none is. */
export type PlannedFollowUp = { step: number; minutes: number | null }

/** Whether the follow-up `f` of the conversation `c` stands: nothing has silenced the agent, and the customer has not written, since. */
export const isStanding = sql<boolean>`(c.status = 'active' and c.pause_epoch = f.pause_epoch
  and not exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
    and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > f.answered_through))`

/** When the next follow-up of the conversation `c` is due; SQL null: none is. */
export const followUpDue = sql<Date | null>`(select f.due_at from conversation_follow_ups f
  where f.organization_id = c.organization_id and f.conversation_id = c.id and ${isStanding})`

/** The same for live queries, which see what a query depends on only where it is not raw. @returns milliseconds since the epoch */
export async function findFollowUpDue(ctx: OrgStoreContext, conversationId: ConversationId): Promise<number | null> {
  const row = await ctx.db
    .selectFrom('conversation_follow_ups as f')
    .innerJoin('conversations as c', (join) =>
      join
        .onRef('c.organization_id', '=', 'f.organization_id')
        .onRef('c.id', '=', 'f.conversation_id')
        .onRef('c.pause_epoch', '=', 'f.pause_epoch'),
    )
    .where('f.organization_id', '=', ctx.organizationId)
    .where('f.conversation_id', '=', conversationId)
    .where('c.status', '=', 'active')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages as m')
            .where('m.organization_id', '=', ctx.organizationId)
            .where('m.conversation_id', '=', conversationId)
            .where('m.author', '=', 'customer')
            .where('m.reason', 'is distinct from', 'rating')
            .whereRef('m.sequence', '>', 'f.answered_through')
            .select('m.id'),
        ),
      ),
    )
    .select('f.due_at')
    .executeTakeFirst()
  return row?.due_at?.getTime() ?? null
}

/**
 * A CTE `follow_up`, with a comma, behind a CTE `conversation` (id, organization_id, pause_epoch, answered_through) that an answer has
 * changed: what is due when no reply comes.
 */
export function storeFollowUp({ step, minutes }: PlannedFollowUp): RawBuilder<unknown> {
  return sql`follow_up as (
      insert into conversation_follow_ups (organization_id, conversation_id, due_at, step, pause_epoch, answered_through)
      select organization_id, id, now() + ${minutes}::int * interval '1 minute', ${step}::int, pause_epoch, answered_through from conversation
      on conflict (organization_id, conversation_id) do update set due_at = excluded.due_at, step = excluded.step,
        pause_epoch = excluded.pause_epoch, answered_through = excluded.answered_through
    ), `
}

/** `isStanding`: nothing has made it outdated. */
export type TakenFollowUp = { id: ConversationId; organizationId: Id<'organizations'>; isStanding: boolean }

/** Claims some due follow-ups by clearing their time, with their conversations; those that are being changed are left for the next look. */
export async function takeDueFollowUps(ctx: StoreContext, limit: number): Promise<TakenFollowUp[]> {
  const { rows } = await sql<TakenFollowUp>`
    with due as (
      select f.organization_id, f.conversation_id, ${isStanding} as is_standing
      from conversation_follow_ups f
      join conversations c on c.organization_id = f.organization_id and c.id = f.conversation_id
      where f.due_at <= now() order by f.due_at limit ${limit}::int for update of c, f skip locked
    )
    update conversation_follow_ups f set due_at = null from due
    where f.organization_id = due.organization_id and f.conversation_id = due.conversation_id
    returning f.conversation_id as id, f.organization_id as "organizationId", due.is_standing as "isStanding"`.execute(
    ctx.db,
  )
  return rows
}

/** Postpones a follow-up to a better moment, unless the conversation has moved on meanwhile. The caller holds the conversation. */
export async function postponeFollowUp(
  ctx: OrgStoreContext,
  conversationId: ConversationId,
  at: number,
): Promise<void> {
  await sql`
    update conversation_follow_ups f set due_at = ${new Date(at)} from conversations c
    where f.organization_id = ${ctx.organizationId} and f.conversation_id = ${conversationId}
      and c.organization_id = f.organization_id and c.id = f.conversation_id and ${isStanding}`.execute(ctx.db)
}

/**
 * Lets the follow-ups of conversations stand again, or ends them, where a pause or an end was undone. `dueAt`: as PostgreSQL writes it;
 * null: none is due. The caller holds the conversations.
 */
export async function restoreFollowUps(
  ctx: OrgStoreContext,
  steps: { id: ConversationId; dueAt: string | null }[],
): Promise<void> {
  await sql`
    update conversation_follow_ups f set due_at = given.due_at, pause_epoch = c.pause_epoch
    from unnest(${steps.map(({ id }) => id)}::text[], ${steps.map(({ dueAt }) => dueAt)}::timestamptz[]) as given (id, due_at)
    join conversations c on c.organization_id = ${ctx.organizationId} and c.id = given.id
    where f.organization_id = c.organization_id and f.conversation_id = c.id and c.status = 'active' and c.folder <> 'deleted'`.execute(
    ctx.db,
  )
}
