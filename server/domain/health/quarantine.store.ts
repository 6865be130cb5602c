// SQL of notifications that are put aside, over all organizations. What they say is not read: a customer may have written it.
import { sql } from 'kysely'
import { isReplayable } from '#server/domain/messaging/inbound-events/replays.store.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { HEALTH_ROWS, type QuarantineConnection, type QuarantinedEvent } from '#shared/organizations/health.ts'

type Row = Omit<QuarantineConnection, 'organization' | 'latestAt'> & {
  organizationId: Id<'organizations'>
  organization: string
  latestAt: Date
  all: number
}

/** How many can be taken in again, and the connections with the most. */
export async function readQuarantine({
  db,
}: StoreContext): Promise<{ count: number; connections: QuarantineConnection[] }> {
  const { rows } = await sql<Row>`
    select c.id as _id, c.channel, c.identifier, o.id as "organizationId", coalesce(nullif(o.display_name, ''), o.name) as organization,
      count(*)::int as count, count(i.replay_requested_at)::int as requested, max(i.received_at) as "latestAt",
      (sum(count(*)) over ())::int as all
    from inbound_events i
    join channel_connections c on c.id = i.connection_id
    join organizations o on o.id = c.organization_id
    where ${isReplayable} group by c.id, o.id order by count(*) desc, c.id limit ${HEALTH_ROWS}::int`.execute(db)
  const connections = rows.map(({ organizationId, organization, latestAt, all: _, ...connection }) => ({
    ...connection,
    organization: { _id: organizationId, name: organization },
    latestAt: latestAt.getTime(),
  }))
  return { count: rows[0]?.all ?? 0, connections }
}

/** The newest that can be taken in again. */
export async function listLatestQuarantined({ db }: StoreContext): Promise<QuarantinedEvent[]> {
  const { rows } = await sql<Omit<QuarantinedEvent, 'at'> & { at: Date }>`
    select i.id as "eventId", i.connection_id as "connectionId", i.received_at as at, octet_length(i.payload::text) as "sizeBytes",
      i.replay_requested_at is not null as "isRequested"
    from inbound_events i join channel_connections c on c.id = i.connection_id
    where ${isReplayable} order by i.received_at desc, i.id limit ${HEALTH_ROWS}::int`.execute(db)
  return rows.map(({ at, ...event }) => ({ ...event, at: at.getTime() }))
}
