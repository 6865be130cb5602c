// SQL of signs of life: what came in through connections and went out, and what that says of their credentials.
import { type RawBuilder, sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Signs of life of one connection since they were last written down. */
export type Activity = {
  connectionId: Id<'channelConnections'>
  messages: number
  /** Notifications that were fetched after they had waited. */
  recovered: number
  /** When the newest attempt began that the provider accepted; null: none was. */
  acceptedAt: Date | null
  /** The provider took a message. */
  hasSent: boolean
  /** Why the last message was not taken, when it is not the message's fault; null: it was, or none was sent. */
  sendError: string | null
  /** The longest that the provider waited for the answer to a delivery, milliseconds; null: none came. */
  webhookMs: number | null
  /** The last delivery was signed by somebody else, and turned away. */
  isTurnedAway: boolean
}

/**
 * Of the connection `of`. That a provider answers says nothing of a message that it does not take: as long as one waits that was tried, it
 * still fails to send.
 */
export function nothingTriedWaits(of: string): RawBuilder<boolean> {
  const row = sql.id(of)
  return sql`not exists (select from outbox o where o.organization_id = ${row}.organization_id and o.connection_id = ${row}.id
    and o.status in ('queued', 'claimed', 'sending') and o.first_tried_at is not null)`
}

/**
 * Adds up what came in and when anything was heard, over all organizations. Credentials that were accepted after they had been refused
 * are good.
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
      turned_away_at = case when a.is_turned_away then now() when a.webhook_ms is not null then null else c.turned_away_at end
    from unnest(${activity.map((each) => each.connectionId)}::text[], ${activity.map((each) => each.messages)}::int[],
      ${activity.map((each) => each.acceptedAt)}::timestamptz[], ${activity.map((each) => each.hasSent)}::boolean[],
      ${activity.map((each) => each.webhookMs)}::int[], ${activity.map((each) => each.recovered)}::int[],
      ${activity.map((each) => each.sendError)}::text[], ${activity.map((each) => each.isTurnedAway)}::boolean[])
      as a (id, messages, accepted_at, has_sent, webhook_ms, recovered, send_error, is_turned_away)
    where c.id = a.id`.execute(ctx.db)
}

/** The clock of the database, by which attempts are told apart. */
export async function readClock(ctx: StoreContext): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(ctx.db)
  if (!rows[0]) throw new Error('The clock answered no row')
  return rows[0].now
}
