// SQL of what waits to be sent and what has not arrived, over all organizations.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { DELIVERIES_HOURS, type DeliveryHealth, HEALTH_ROWS } from '#shared/organizations/health.ts'

const SINCE = sql.lit(`${DELIVERIES_HOURS} hours`)

/**
 * Not a failure of the installation: withheld by a pause or behind a broken part, of a connection that was switched off, or to a customer
 * who may not be written to.
 */
const isExpected = sql<boolean>`(coalesce(error, '') in ('paused', 'earlier_part', 'connection_off', 'rating_taken_back')
  or coalesce(error, '') ~ '^(blocked|out_of_window):')`

type Row = {
  _id: Id<'organizations'>
  name: string
  waiting: number
  failed: number
  unknown: number
  allWaiting: number
  allFailed: number
  allUnknown: number
  allOldestAt: Date | null
}

/** The counts, and the organizations that are concerned most. */
export async function readDeliveries({ db }: StoreContext): Promise<DeliveryHealth> {
  const { rows } = await sql<Row>`
    with part as (
      select organization_id, count(*)::int as waiting, 0 as failed, 0 as unknown,
        min(not_before) filter (where status = 'queued' and not_before <= now()) as oldest
      from outbox where status in ('queued', 'claimed', 'sending') group by organization_id
      union all
      select organization_id, 0, count(*) filter (where status = 'failed')::int, count(*) filter (where status = 'unknown')::int, null
      from outbox where status in ('failed', 'unknown') and updated_at > now() - interval ${SINCE} and not ${isExpected}
      group by organization_id
    ), organization as (
      select organization_id, sum(waiting)::int as waiting, sum(failed)::int as failed, sum(unknown)::int as unknown, min(oldest) as oldest
      from part group by organization_id
    )
    select o.id as _id, coalesce(nullif(o.display_name, ''), o.name) as name, c.waiting, c.failed, c.unknown,
      (sum(c.waiting) over ())::int as "allWaiting", (sum(c.failed) over ())::int as "allFailed",
      (sum(c.unknown) over ())::int as "allUnknown", min(c.oldest) over () as "allOldestAt"
    from organization c join organizations o on o.id = c.organization_id
    order by c.failed + c.unknown desc, c.waiting desc, o.id limit ${HEALTH_ROWS}::int`.execute(db)
  const [first] = rows
  return {
    waiting: first?.allWaiting ?? 0,
    failed: first?.allFailed ?? 0,
    unknown: first?.allUnknown ?? 0,
    oldestAt: first?.allOldestAt?.getTime() ?? null,
    organizations: rows.map(({ _id, name, waiting, failed, unknown }) => ({ _id, name, waiting, failed, unknown })),
  }
}
