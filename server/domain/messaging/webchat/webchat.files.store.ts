// SQL of how many files visitors of the web chat have sent in the current hour: counted before the file is stored, per visitor and in total.
import { sql } from 'kysely'
import type { Visitor } from '#server/domain/channels/webchat/webchat.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { WEBCHAT_FILE_BYTES_PER_HOUR, WEBCHAT_FILES_PER_HOUR, WEBCHAT_VISITOR_FILES_PER_HOUR } from '#shared/limits.ts'

const EVERYBODY = ''

/**
 * Counts a file of a visitor. Locks the row of the whole widget first, so that counting is serial.
 *
 * @returns null when it is counted; else milliseconds until files are accepted again, and the caller has to roll back
 */
export async function countFile(
  ctx: OrgStoreContext,
  { connectionId, visitorId }: Visitor,
  sizeBytes: number,
): Promise<number | null> {
  const all = { connectionId, visitorId: EVERYBODY }
  const isCounted =
    (await add(ctx, all, sizeBytes, WEBCHAT_FILES_PER_HOUR)) &&
    (await add(ctx, { connectionId, visitorId }, sizeBytes, WEBCHAT_VISITOR_FILES_PER_HOUR))
  if (!isCounted) return msUntilNextHour(ctx)
  await sql`delete from visitor_files where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
    and hour < now() - interval '2 hours'`.execute(ctx.db)
  return null
}

async function add(ctx: OrgStoreContext, of: Visitor, sizeBytes: number, most: number): Promise<boolean> {
  const { rows } = await sql`
    insert into visitor_files as v (organization_id, connection_id, visitor_id, hour, files, bytes)
    values (${ctx.organizationId}, ${of.connectionId}, ${of.visitorId}, date_trunc('hour', now(), 'UTC'), 1, ${sizeBytes})
    on conflict (connection_id, visitor_id, hour) do update set files = v.files + 1, bytes = v.bytes + excluded.bytes
      where v.files < ${most} and v.bytes + excluded.bytes <= ${WEBCHAT_FILE_BYTES_PER_HOUR}
    returning files`.execute(ctx.db)
  return rows.length > 0
}

async function msUntilNextHour(ctx: OrgStoreContext): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select (1000 * extract(epoch from
    date_trunc('hour', now(), 'UTC') + interval '1 hour' - now()))::float8 as ms`.execute(ctx.db)
  return Math.ceil(rows[0]?.ms ?? 0)
}

/** Removes the counts of earlier hours, in all organizations. */
export async function deleteFileCountsBefore(ctx: StoreContext, before: Date): Promise<void> {
  await ctx.db.deleteFrom('visitor_files').where('hour', '<', before).execute()
}

/** Removes the counts of these visitors. */
export async function deleteFileCountsOf(
  ctx: OrgStoreContext,
  visitors: { connectionId: Visitor['connectionId']; externalId: string }[],
): Promise<void> {
  await sql`delete from visitor_files using unnest(${visitors.map(({ connectionId }) => connectionId)}::text[],
      ${visitors.map(({ externalId }) => externalId)}::text[]) named (connection_id, external_id)
    where organization_id = ${ctx.organizationId} and visitor_files.connection_id = named.connection_id and visitor_id = named.external_id`.execute(
    ctx.db,
  )
}
