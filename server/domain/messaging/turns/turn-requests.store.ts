// SQL by which people make or end turns. Claiming them is in runner.store.ts.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { TestOverrides } from '#shared/messaging/test-chat.ts'

/**
 * Lets what the customer said in each of these conversations be answered. One pending turn per conversation: a second request joins it.
 * @param overrides what a tester has changed for the answer; those of the last request hold
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

/** Ends whatever is pending or being generated. @returns the turns that were ended */
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

/** Conversations, of these, in which a reply is being prepared. */
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

/** The moment that a pause set for `ms` milliseconds ends, by the database's clock. */
export function inMilliseconds(ms: number) {
  return sql<Date>`now() + ${ms} * interval '1 millisecond'`
}
