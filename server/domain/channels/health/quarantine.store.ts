// SQL of notifications that could not be parsed: counted with their connection, kept, and shown to a person.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { QuarantinedNotification } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { QUARANTINE_SHOWN, QUARANTINE_TEXT_MAX } from '#shared/limits.ts'

/** Counts one more, which has just been stored. */
export async function countQuarantined(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({ quarantined: sql`quarantined + 1`, quarantined_at: sql`now()` })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** Counts one less, which has been taken in after all. */
export async function uncountQuarantined(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({
      quarantined: sql`greatest(quarantined - 1, 0)`,
      quarantined_at: sql`case when quarantined > 1 then quarantined_at end`,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** The latest, newest first. */
export async function listQuarantined(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
): Promise<QuarantinedNotification[]> {
  const rows = await ctx.db
    .selectFrom('inbound_events')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', connectionId)
    .where('status', '=', sql.lit('quarantined'))
    .select(['id', 'received_at'])
    .select(sql<string | null>`nullif(left(payload::text, ${QUARANTINE_TEXT_MAX}::int), '{}')`.as('text'))
    .select(sql<boolean>`length(payload::text) > ${QUARANTINE_TEXT_MAX}::int`.as('isCut'))
    .orderBy('received_at', 'desc')
    .limit(QUARANTINE_SHOWN)
    .execute()
  return rows.map(({ id, received_at, text, isCut }) => ({
    _id: id,
    at: received_at.getTime(),
    text: isCut ? `${text}…` : text,
  }))
}
