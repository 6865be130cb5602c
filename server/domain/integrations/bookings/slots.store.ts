// SQL for the times that were offered in conversations.
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { Span } from './slots.rules.ts'

/** Where and by whom a time is offered, and who books it. */
export type Asker = {
  organizationId: Id<'organizations'>
  agentId: Id<'agents'>
  conversationId: Id<'conversations'>
}
/** A time that was offered. `timeZone`: the customer's, when they have named it. */
export type OfferedSlot = Span & { id: Id<'bookingSlots'>; timeZone: string | null; expiresAt: number }

/** Offers times in a conversation. One that was offered there before keeps its id and lives on. */
export async function offerSlots(
  ctx: OrgStoreContext,
  { agentId, conversationId }: Asker,
  { spans, timeZone, expiresAt }: { spans: Span[]; timeZone: string | null; expiresAt: Date },
): Promise<OfferedSlot[]> {
  if (spans.length === 0) return []
  const place = { organization_id: ctx.organizationId, agent_id: agentId, conversation_id: conversationId }
  const rows = await ctx.db
    .insertInto('booking_slots')
    .values(
      spans.map(({ from, to }) => ({
        ...{ id: newId('bookingSlots'), ...place, starts_at: new Date(from), ends_at: new Date(to) },
        ...{ time_zone: timeZone, expires_at: expiresAt },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['conversation_id', 'starts_at', 'ends_at']).doUpdateSet((row) => ({
        expires_at: row.ref('excluded.expires_at'),
        time_zone: row.ref('excluded.time_zone'),
      })),
    )
    .returning(['id', 'starts_at', 'ends_at', 'time_zone', 'expires_at'])
    .execute()
  return rows.map(toSlot).sort((one, other) => one.from - other.from)
}

/** A time that was offered in this conversation, by this agent; null: none of that id was. */
export async function findSlot(ctx: OrgStoreContext, asker: Asker, id: string): Promise<OfferedSlot | null> {
  const row = await slotsOf(ctx, asker)
    .where('id', '=', id as Id<'bookingSlots'>)
    .executeTakeFirst()
  return row ? toSlot(row) : null
}

/** Times that were offered in a conversation and may still be chosen, earliest first. */
export async function listOffered(ctx: OrgStoreContext, asker: Asker, now: Date, most: number): Promise<OfferedSlot[]> {
  const rows = await slotsOf(ctx, asker).where('expires_at', '>', now).orderBy('starts_at').limit(most).execute()
  return rows.map(toSlot)
}

/** Forgets times that may not be chosen any more. */
export async function deleteExpired(ctx: StoreContext, before: Date): Promise<void> {
  await ctx.db.deleteFrom('booking_slots').where('expires_at', '<', before).execute()
}

function slotsOf(ctx: OrgStoreContext, { agentId, conversationId }: Asker) {
  return ctx.db
    .selectFrom('booking_slots')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('agent_id', '=', agentId)
    .select(['id', 'starts_at', 'ends_at', 'time_zone', 'expires_at'])
}

type Row = { id: Id<'bookingSlots'>; starts_at: Date; ends_at: Date; time_zone: string | null; expires_at: Date }

function toSlot({ id, starts_at, ends_at, time_zone, expires_at }: Row): OfferedSlot {
  const span = { from: starts_at.getTime(), to: ends_at.getTime() }
  return { id, ...span, timeZone: time_zone, expiresAt: expires_at.getTime() }
}
