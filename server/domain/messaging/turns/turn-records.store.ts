// SQL of what others change of turns that stand: what is reserved for one, that its answer was withheld, and what is removed for its age.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** A statement: one answer of these periods is reserved for a turn; null: none of that kind. */
export function reserveForTurn(
  ctx: OrgStoreContext,
  turnId: Id<'turns'>,
  { month, day }: { month: string | null; day: string | null },
): RawBuilder<unknown> {
  return sql`update turns set reserved_period = coalesce(${month}, reserved_period), reserved_day = coalesce(${day}, reserved_day)
      where id = ${turnId} and organization_id = ${ctx.organizationId}`
}

/** CTEs `turn` and `record`, behind one named `withheld` with the ids of turns: their answers were withheld, and their records say so. */
export function withholdTurns(ctx: OrgStoreContext): RawBuilder<unknown> {
  return sql`turn as (
      update turns set outcome = 'withheld' from withheld
      where turns.organization_id = ${ctx.organizationId} and turns.id = withheld.id
    ), record as (
      update turn_traces set trace = jsonb_set(trace, '{outcome}', '"withheld"') from withheld
      where turn_traces.organization_id = ${ctx.organizationId} and turn_traces.turn_id = withheld.id
    )`
}

/** Removes old turns of a conversation that have no message any more and are done, and all its old records. */
export async function deleteTurnsBefore(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  cutoff: Date,
): Promise<void> {
  await sql`delete from turns where organization_id = ${ctx.organizationId} and conversation_id = ${conversationId}
    and created_at < ${cutoff} and status not in ('pending', 'running')
    and not exists (select from messages m where m.organization_id = turns.organization_id
      and m.conversation_id = turns.conversation_id and m.turn_id = turns.id)`.execute(ctx.db)
  await sql`delete from turn_traces where organization_id = ${ctx.organizationId} and conversation_id = ${conversationId}
    and created_at < ${cutoff}`.execute(ctx.db)
}

/** Removes some old records, the oldest first. `isCalm`: a condition on their conversation `c`. @returns how many */
export async function deleteTraces(
  ctx: OrgStoreContext,
  { cutoff, limit, isCalm }: { cutoff: Date; limit: number; isCalm: RawBuilder<boolean> },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from turn_traces where organization_id = ${ctx.organizationId} and turn_id in (
      select r.turn_id from turn_traces r
      join conversations c on c.organization_id = r.organization_id and c.id = r.conversation_id
      where r.organization_id = ${ctx.organizationId} and r.created_at < ${cutoff} and ${isCalm}
      order by r.created_at limit ${limit})`.execute(ctx.db)
  return Number(numAffectedRows ?? 0n)
}
