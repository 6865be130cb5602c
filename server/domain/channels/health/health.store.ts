// SQL of the health of connections: what their providers report of deliveries, and the outcomes of sends.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Channel, ConnectionHealth, DeliveryCheck } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { SECRETS, type StoredConnection } from '../connections/connections.store.ts'
import { MISSED_SHOWN } from './missed.store.ts'

/** A connection with the secret part of its delivery address. */
export type DeliveredConnection = StoredConnection & { webhookPath: string }

/** `heardAt`: when a message was last delivered to us; the time of connecting if there was none since. */
export type HeardConnection = DeliveredConnection & { heardAt: Date }

/** Reasons for not sending a part that are no fault of its connection. */
const NOT_A_FAULT = ['paused', 'earlier_part', 'connection_off', 'rating_taken_back']
const ERROR_LENGTH = 500
/** A poll lasts up to half a minute, and activity is recorded every two seconds. */
const HEARD = sql.lit('2 minutes')

const heardAt = sql<Date>`greatest(last_inbound_at, linked_at)`.as('heardAt')

/** Live connections of these channels with a webhook, over all organizations. */
export function listDelivered(ctx: StoreContext, channels: Exclude<Channel, 'test'>[]): Promise<HeardConnection[]> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('delivery', '=', 'webhook')
    .where('channel', 'in', channels)
    .where('disconnected_at', 'is', null)
    .where('status', '<>', 'error')
    .select([...SECRETS, 'webhook_path as webhookPath'])
    .select(heardAt)
    .execute()
}

/** Live connections whose provider has a backlog that it cannot deliver, over all organizations. */
export function listStuck(ctx: StoreContext): Promise<DeliveredConnection[]> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('delivery', '=', 'webhook')
    .where('pending_updates', '>', 0)
    .where('provider_error', 'is not', null)
    .where('disconnected_at', 'is', null)
    .where('status', '<>', 'error')
    .select([...SECRETS, 'webhook_path as webhookPath'])
    .execute()
}

/** A live connection with what is needed to test it. `isHeard`: its provider has been active lately. */
export function findForCheck(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
): Promise<(HeardConnection & { isHeard: boolean }) | undefined> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('disconnected_at', 'is', null)
    .select([...SECRETS, 'webhook_path as webhookPath'])
    .select(heardAt)
    .select(sql<boolean>`coalesce(last_heartbeat_at > now() - interval ${HEARD}, false)`.as('isHeard'))
    .executeTakeFirst()
}

/** Records a provider's report of its deliveries. `error`: why they fail now; null: they do not. `check`: as it is shown. */
export async function saveReport(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  { pending, check, ...report }: { pending: number | null; error: string | null; check: DeliveryCheck | null },
): Promise<void> {
  const error = report.error?.slice(0, ERROR_LENGTH) ?? null
  await sql`
    update channel_connections set pending_updates = ${pending}::int, provider_error = ${error}::text,
      delivery_check = coalesce(${check && JSON.stringify(check)}::jsonb, delivery_check)
    where organization_id = ${ctx.organizationId} and id = ${id}
      and (${check !== null}::boolean or (pending_updates, provider_error) is distinct from (${pending}::int, ${error}::text))`.execute(
    ctx.db,
  )
}

/** Marks connections that have been failing for so long as down, over all organizations: a trigger raises the alert. */
export async function callForFailing(ctx: StoreContext, patienceMs: number): Promise<void> {
  await sql`
    update channel_connections set is_down = true
    where failing_since <= now() - ${patienceMs}::int * interval '1 millisecond' and not is_down`.execute(ctx.db)
}

/** The health of a connection of the organization. */
export async function readHealth(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<ConnectionHealth> {
  const connection = await ctx.db
    .selectFrom('channel_connections')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select(['channel', 'last_outbound_at', 'recovered', 'webhook_ms', 'pending_updates', 'provider_error'])
    .select(['quarantined', 'quarantined_at', 'missed_since', 'missed_until', 'refused_site', 'refused_site_at'])
    .select(sql<boolean>`coalesce(missed_until > now() - interval ${MISSED_SHOWN}, false)`.as('isMissedShown'))
    .executeTakeFirstOrThrow()
  const openStreams = connection.channel === 'webchat' ? await countStreams(ctx, id) : null
  const parts = await ctx.db
    .selectFrom('outbox')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', id)
    .where('status', 'in', ['failed', 'unknown', 'queued', 'claimed'])
    .where((part) => part.or([part('error', 'is', null), part('error', 'not in', NOT_A_FAULT)]))
    .select(['status', (row) => row.fn.countAll<string>().as('count')])
    .groupBy('status')
    .execute()
  const count = (...of: string[]) =>
    parts.filter(({ status }) => of.includes(status)).reduce((sum, row) => sum + Number(row.count), 0)
  return {
    lastOutboundAt: connection.last_outbound_at?.getTime() ?? null,
    undelivered: count('failed', 'unknown'),
    waiting: count('queued', 'claimed'),
    recovered: connection.recovered,
    missed: connection.isMissedShown ? missedOf(connection) : null,
    quarantined: connection.quarantined,
    quarantinedAt: connection.quarantined_at?.getTime() ?? null,
    webhookMs: connection.webhook_ms,
    pendingUpdates: connection.pending_updates,
    providerError: connection.provider_error,
    openStreams,
    refusedSite: refusedOf(connection),
  }
}

function missedOf({
  missed_since: since,
  missed_until: until,
}: {
  missed_since: Date | null
  missed_until: Date | null
}) {
  return since && until && { since: since.getTime(), until: until.getTime() }
}

function refusedOf({
  refused_site: site,
  refused_site_at: at,
}: {
  refused_site: string | null
  refused_site_at: Date | null
}) {
  return site !== null && at !== null ? { site, at: at.getTime() } : null
}

async function countStreams(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<number> {
  const row = await ctx.db
    .selectFrom('visitor_streams')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', id)
    .select((rows) => rows.fn.sum<string | null>('open').as('open'))
    .executeTakeFirst()
  return Number(row?.open ?? 0)
}

/** Whether a notification was stored. */
export async function wasReceived(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  externalKey: string,
): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('inbound_events')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', connectionId)
    .where('external_key', '=', externalKey)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The provider was asked to deliver to a connection that had never worked, and has called it: it works now. One in error stays so, and
 * gets its deliveries when that is over.
 */
export async function setDelivered(ctx: OrgStoreContext, id: Id<'channelConnections'>, now: Date): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({
      last_heartbeat_at: now,
      status: sql`case when status = 'pending' then 'connected' else status end`,
      judged_at: sql`case when status = 'pending' then ${now}::timestamptz else judged_at end`,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'error'])
    .execute()
}

/**
 * The provider refuses to deliver: it is asked again until it agrees. A message that was accepted meanwhile proves nothing, so no attempt
 * counts as later than this judgement.
 *
 * @param encryptedToken as in `setConnectionError`
 */
export async function setDeliveryRefused(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  reason: string,
  encryptedToken: string | null = null,
): Promise<void> {
  await sql`
    update channel_connections set status = 'error', last_error = ${reason.slice(0, ERROR_LENGTH)}, judged_at = 'infinity'
    where organization_id = ${ctx.organizationId} and id = ${id} and disconnected_at is null
      and (${encryptedToken}::text is null or token = ${encryptedToken})`.execute(ctx.db)
}

/** Live connections of these channels that work, wait for their first delivery, or whose deliveries are refused, over all organizations. */
export function listSubscribed(
  ctx: StoreContext,
  channels: Exclude<Channel, 'test'>[],
): Promise<(DeliveredConnection & { isRefused: boolean })[]> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('delivery', '=', 'webhook')
    .where('channel', 'in', channels)
    .where('disconnected_at', 'is', null)
    .where((row) => row.or([row('status', '<>', 'error'), row('judged_at', '=', sql<Date>`'infinity'`)]))
    .select([...SECRETS, 'webhook_path as webhookPath'])
    .select((row) => row('status', '=', 'error').$castTo<boolean>().as('isRefused'))
    .execute()
}

/** The credentials for its deliveries are refused now: a person has to enter others. */
export async function setRefusedError(
  ctx: OrgStoreContext,
  known: Pick<StoredConnection, 'id' | 'encryptedToken'>,
  error: string,
): Promise<void> {
  await sql`
    update channel_connections set status = 'error', last_error = ${error.slice(0, ERROR_LENGTH)}, judged_at = now()
    where organization_id = ${ctx.organizationId} and id = ${known.id} and disconnected_at is null
      and token = ${known.encryptedToken} and status = 'error' and judged_at = 'infinity'`.execute(ctx.db)
}

/**
 * The credentials are valid again: the connection returns to its state before they were refused, delivered to or not yet.
 *
 * @param encryptedToken as in `setConnectionError`
 */
export async function setAccepted(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  now: Date,
  encryptedToken: string | null = null,
): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({
      status: sql`case when last_heartbeat_at is null then 'pending' else 'connected' end`,
      ...{ last_error: null, send_error: null, provider_error: null, signature_rejected_at: null, judged_at: now },
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'error')
    .where(sql<boolean>`(${encryptedToken}::text is null or token = ${encryptedToken})`)
    .execute()
}
