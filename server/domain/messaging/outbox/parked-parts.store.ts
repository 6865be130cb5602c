// SQL of parts that wait because the account of their connection may not send, once it may again or their conversation leaves it.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** As long as providers keep what they cannot deliver. A customer who is answered later has gone elsewhere, or asks who that is. */
const LATE = sql.lit('24 hours')

/**
 * Fails what has waited too long for an account, so that it does not leave in a burst when the account recovers; operators can resend it.
 * The wait counts from the last change of a part: when it was parked or resent.
 */
export async function dropLate(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await endLate(
    ctx,
    id,
    sql`exists (select from channel_connections where organization_id = ${ctx.organizationId} and id = ${id} and not is_frozen)`,
  )
}

/** The same for one conversation that moved to another connection. */
export function dropLateOf(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  conversationId: Id<'conversations'>,
): Promise<void> {
  return endLate(ctx, id, sql`conversation_id = ${conversationId}`)
}

async function endLate(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  which: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    with late as (
      select distinct conversation_id from outbox
      where organization_id = ${ctx.organizationId} and connection_id = ${id} and status = 'queued' and not_before = 'infinity'
        and updated_at < now() - interval ${LATE} and ${which}
    ), first as (
      select o.message_id, min(o.part) as part from outbox o join late using (conversation_id)
      where o.organization_id = ${ctx.organizationId} and o.connection_id = ${id} and o.status = 'queued' group by o.message_id
    )
    update outbox o set status = case when o.may_have_arrived then 'unknown' else 'failed' end, updated_at = now(),
      error = case when o.part = first.part then 'too_late' else 'earlier_part' end
    from first
    where o.organization_id = ${ctx.organizationId} and o.message_id = first.message_id and o.status = 'queued'
      and o.updated_at < now() - interval ${LATE}`.execute(ctx.db)
}

/** Makes parts due that were parked while the account of a connection might not send. */
export async function releaseParked(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await sql`
    update outbox set not_before = now(), first_tried_at = null, updated_at = now()
    where organization_id = ${ctx.organizationId} and connection_id = ${id} and status = 'queued'
      and not_before = 'infinity'
      and exists (select from channel_connections where organization_id = ${ctx.organizationId} and id = ${id} and not is_frozen)`.execute(
    ctx.db,
  )
}

/** A statement: parts that wait for new credentials of connections that a CTE `recovered` names (id, organization_id) become due. */
export const makeDueAgain = sql`update outbox o set not_before = now(), first_tried_at = null, updated_at = now() from recovered r
      where o.organization_id = r.organization_id and o.connection_id = r.id and o.status = 'queued' and o.error like 'unauthorized: %'`
