// SQL that requests and ends turns. Claiming them is in runner.store.ts.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { TestOverrides } from '#shared/messaging/test-chat.ts'

/**
 * Requests an answer in each of these conversations. One pending turn per conversation: a second request joins it.
 * @param overrides a tester's changes for the answer; those of the last request apply
 */
export async function requestTurns(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
  overrides?: TestOverrides,
): Promise<void> {
  if (conversationIds.length === 0) return
  await ctx.db
    .insertInto('turns')
    .values(
      conversationIds.map((id) => ({
        id: newId('turns'),
        organization_id: ctx.organizationId,
        conversation_id: id,
        status: 'pending' as const,
        owner: null,
        lease_until: null,
        outcome: null,
        attempts: '[]',
        overrides: overrides ? JSON.stringify(overrides) : null,
        started_at: null,
        finished_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('conversation_id')
        .where('status', '=', sql.lit('pending')) // as a parameter it would name no index once the plan is generic
        .doUpdateSet((eb) => ({
          kind: 'reply',
          overrides: eb.ref('excluded.overrides'),
          not_before: eb.fn('least', ['turns.not_before', 'excluded.not_before']),
        })),
    )
    .execute()
}

/** A conversation, of any organization. */
type Asked = { id: Id<'conversations'>; organizationId: Id<'organizations'> }

/** Requests an answer in each of these conversations that has an open question. */
export async function requestOpenTurns(ctx: StoreContext, asked: Asked[]): Promise<void> {
  await sql`insert into turns (id, organization_id, conversation_id, status)
    select new.id, c.organization_id, c.id, 'pending'
    from ${rowsOf(asked)}
      join conversations c on c.organization_id = new.organization_id and c.id = new.conversation_id
    where exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
      and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > c.answered_through)
    on conflict (conversation_id) where status = 'pending' do update set kind = 'reply'`.execute(ctx.db)
}

/** Requests follow-ups in these conversations, except where a reply is pending or running. @returns the number of follow-ups */
export async function requestFollowUps(ctx: StoreContext, asked: Asked[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into turns (id, organization_id, conversation_id, status, kind)
    select new.id, new.organization_id, new.conversation_id, 'pending', 'follow_up'
    from ${rowsOf(asked)}
    where not exists (select from turns t where t.conversation_id = new.conversation_id and t.status = 'running')
    on conflict (conversation_id) where status = 'pending' do nothing`.execute(ctx.db)
  return Number(numAffectedRows ?? 0)
}

function rowsOf(asked: Asked[]) {
  return sql`unnest(${asked.map(() => newId('turns'))}::text[], ${asked.map((row) => row.organizationId)}::text[],
        ${asked.map((row) => row.id)}::text[]) as new (id, organization_id, conversation_id)`
}

/** Requests another answer after the one in progress, with the same `waiting_since`. No effect when none is in progress. */
export async function requestTurnBehind(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<void> {
  await sql`
    insert into turns (id, organization_id, conversation_id, status, waiting_since)
    select ${newId('turns')}, organization_id, conversation_id, 'pending', waiting_since from turns
    where organization_id = ${ctx.organizationId} and conversation_id = ${conversationId} and status = 'running'
    on conflict (conversation_id) where status = 'pending' do update set kind = 'reply'`.execute(ctx.db)
}

/** Ends pending and running turns. @returns the turns that were ended */
export async function stopTurns(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  now: Date,
): Promise<Id<'turns'>[]> {
  const rows = await ctx.db
    .updateTable('turns')
    .set({ status: 'done', outcome: 'stopped', finished_at: now, owner: null, lease_until: null, draft: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('status', 'in', ['pending', 'running'])
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Of these conversations, those in which a reply is being prepared. */
export async function listReplying(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
): Promise<Set<Id<'conversations'>>> {
  if (conversationIds.length === 0) return new Set()
  const rows = await ctx.db
    .selectFrom('turns')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', conversationIds)
    .where('status', 'in', ['pending', 'running'])
    .select('conversation_id')
    .execute()
  return new Set(rows.map((row) => row.conversation_id))
}

/** When a pause of `ms` milliseconds ends, by the database's clock. */
export function inMilliseconds(ms: number) {
  return sql<Date>`now() + ${ms} * interval '1 millisecond'`
}
