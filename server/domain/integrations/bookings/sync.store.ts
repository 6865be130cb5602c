// SQL for reading what was changed in calendars themselves: which of them have visits ahead, and how far each has been read.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { SealedConnection } from '../calendar/connections.store.ts'

/** A calendar with visits ahead, and the access to it. `syncToken`: null to begin with. */
export type SyncedCalendar = { connection: SealedConnection; calendarId: string; syncToken: string | null }

type Row = {
  id: Id<'calendarConnections'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  account: string
  refresh_token: string
  calendar_id: string
  sync_token: string | null
}

/** Calendars over all organizations that have visits ahead and accept our access, those read longest ago first. */
export async function listSynced(ctx: StoreContext, most: number): Promise<SyncedCalendar[]> {
  const { rows } = await sql<Row>`
    select n.id, n.organization_id, n.agent_id, n.account, n.refresh_token, b.calendar_id,
      case when s.connection_id = n.id then s.sync_token end as sync_token
    from (select distinct organization_id, agent_id, calendar_id from bookings where status = 'booked' and ends_at > now()) b
    join calendar_connections n on n.organization_id = b.organization_id and n.agent_id = b.agent_id and n.status = 'connected'
    left join booking_syncs s on s.agent_id = b.agent_id and s.calendar_id = b.calendar_id
    order by s.synced_at nulls first limit ${most}::int`.execute(ctx.db)
  return rows.map((row) => {
    const { id, organization_id: organizationId, agent_id: agentId, account, refresh_token: refreshToken } = row
    const connection = { id, organizationId, agentId, account, refreshToken }
    return { connection, calendarId: row.calendar_id, syncToken: row.sync_token }
  })
}

/** Notes how far a calendar has been read, or with the token that it had that it could not be. */
export async function saveSync(
  ctx: OrgStoreContext,
  { connection, calendarId, syncToken }: SyncedCalendar,
): Promise<void> {
  const read = { connection_id: connection.id, sync_token: syncToken, synced_at: new Date() }
  await ctx.db
    .insertInto('booking_syncs')
    .values({
      ...{ organization_id: ctx.organizationId, agent_id: connection.agentId, calendar_id: calendarId },
      ...read,
    })
    .onConflict((conflict) => conflict.columns(['agent_id', 'calendar_id']).doUpdateSet(read))
    .execute()
}
