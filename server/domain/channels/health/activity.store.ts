// SQL of the activity of connections: what was received and sent, and what that implies for their credentials.
import { type RawBuilder, sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Activity of one connection since it was last recorded. */
export type Activity = {
  connectionId: Id<'channelConnections'>
  messages: number
  /** Notifications that were fetched late, after they had waited. */
  recovered: number
  /** When the newest attempt began that the provider accepted; null: there was none. */
  acceptedAt: Date | null
  /** The provider has accepted a message. */
  hasSent: boolean
  /** Why the last message was refused, when it is not the message's fault; null: it was accepted, or none was sent. */
  sendError: string | null
  /** The longest that the provider waited for the response to a delivery, milliseconds; null: none came. */
  webhookMs: number | null
  /** The last delivery had a signature of another sender, and was rejected. */
  hasRejectedSignature: boolean
}

/**
 * For the connection `of`. A response of the provider proves nothing about a message that it refuses: as long as a part waits that was
 * tried, sending still fails.
 */
export function nothingTriedWaits(of: string): RawBuilder<boolean> {
  const row = sql.id(of)
  return sql`not exists (select from outbox o where o.organization_id = ${row}.organization_id and o.connection_id = ${row}.id
    and o.status in ('queued', 'claimed', 'sending') and o.first_tried_at is not null)`
}

/**
 * Adds counts and times of activity, over all organizations. Credentials that were accepted after they had been refused are valid.
 */
export async function recordActivity(ctx: StoreContext, activity: Activity[]): Promise<void> {
  const isHeard = sql<boolean>`(a.send_error is null
    and (a.messages > 0 or a.recovered > 0 or a.accepted_at is not null or a.webhook_ms is not null))`
  const isOver = sql<boolean>`(c.status = 'error' and a.accepted_at > c.judged_at)`
  await sql`
    update channel_connections c set last_heartbeat_at = case when ${isHeard} then now() else c.last_heartbeat_at end,
      messages_processed = c.messages_processed + a.messages,
      recovered = c.recovered + a.recovered,
      last_inbound_at = case when a.messages > 0 then now() else c.last_inbound_at end,
      status = case when ${isOver} then 'connected' else c.status end,
      last_error = case when ${isOver} then null else c.last_error end,
      judged_at = greatest(c.judged_at, a.accepted_at),
      send_error = case when a.send_error is not null then a.send_error when a.has_sent then null
        when a.accepted_at is not null and c.send_error is not null and ${nothingTriedWaits('c')} then null else c.send_error end,
      last_outbound_at = case when a.has_sent then now() else c.last_outbound_at end,
      webhook_ms = coalesce(a.webhook_ms, c.webhook_ms),
      signature_rejected_at = case when a.is_turned_away then now() when a.webhook_ms is not null then null else c.signature_rejected_at end
    from unnest(${activity.map((each) => each.connectionId)}::text[], ${activity.map((each) => each.messages)}::int[],
      ${activity.map((each) => each.acceptedAt)}::timestamptz[], ${activity.map((each) => each.hasSent)}::boolean[],
      ${activity.map((each) => each.webhookMs)}::int[], ${activity.map((each) => each.recovered)}::int[],
      ${activity.map((each) => each.sendError)}::text[], ${activity.map((each) => each.hasRejectedSignature)}::boolean[])
      as a (id, messages, accepted_at, has_sent, webhook_ms, recovered, send_error, is_turned_away)
    where c.id = a.id`.execute(ctx.db)
}

/** The clock of the database, by which attempts are ordered. */
export async function readClock(ctx: StoreContext): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(ctx.db)
  if (!rows[0]) throw new Error('The clock answered no row')
  return rows[0].now
}
