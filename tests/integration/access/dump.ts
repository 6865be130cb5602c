// Everything that is stored of an organization, to be compared before and after a call that must change nothing.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { TENANT_TABLES } from '#server/platform/db/keys.ts'
import type { Id } from '#shared/ids.ts'

/** What the server does by itself: it looks at connections once a minute, and at alerts soon after they were raised. */
const FOUND_OUT: Record<string, string[]> = {
  channel_connections: [
    'status',
    'last_error',
    'errors',
    'send_error',
    'failing_since',
    'is_down',
    'last_heartbeat_at',
    'judged_at',
    // As it starts it has connections follow its public address, and asks how deliveries go.
    ...['delivery', 'poll_offset', 'gap_since', 'delivery_check', 'pending_updates', 'provider_error'],
  ],
  alerts: ['planned_at'],
}
/** What it raises by itself when a connection has been broken for a while, and tells people. */
const RAISED: Record<string, RawBuilder<unknown>> = {
  alerts: sql`r.kind = 'connection'`,
  alert_sends: sql`exists (select from alerts a where a.id = r.alert_id and a.kind = 'connection')`,
}
/** Counts of servers, which forget those of servers that are gone. */
const NOT_STORED = 'visitor_streams'

/** All rows of an organization as JSON by table, read at one moment. */
export async function dumpOrganization(database: Database, organizationId: Id<'organizations'>): Promise<string> {
  const owned = [...TENANT_TABLES, 'members']
    .filter((table) => table !== NOT_STORED)
    .sort()
    .map((table) => rowsOf(table, sql`organization_id = ${organizationId}`))
  const all = [...owned, rowsOf('organizations', sql`id = ${organizationId}`)]
  const { rows } = await sql<{ table: string; rows: unknown[] }>`${sql.join(all, sql` union all `)}`.execute(
    database.root,
  )
  return JSON.stringify(Object.fromEntries(rows.map((each) => [each.table, each.rows])), null, 1)
}

function rowsOf(table: string, condition: ReturnType<typeof sql>) {
  const row = sql`to_jsonb(r) - ${FOUND_OUT[table] ?? []}::text[]`
  return sql`select ${table}::text as "table", coalesce(jsonb_agg(${row} order by (${row})::text), '[]') as rows
    from ${sql.table(table)} r where ${condition} and not ${RAISED[table] ?? sql`false`}`
}
