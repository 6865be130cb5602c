// SQL for channel connections.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { ChannelConnectionsTable } from '#server/platform/db/tables/channels.ts'
import {
  type AccountState,
  type Channel,
  type ChannelConnection,
  type DeliveryCheck,
  isFrozen,
} from '#shared/channels/channels.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import type { WidgetSettings } from '#shared/channels/webchat.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { requireSlot } from '../send-limits/slots.store.ts'
import { settingsOf } from './connection-settings.store.ts'

/** A connection with its secrets as they are stored. */
export type StoredConnection = {
  id: Id<'channelConnections'>
  organizationId: Id<'organizations'>
  channel: Exclude<Channel, 'test'>
  delivery: 'webhook' | 'polling'
  encryptedToken: string
  encryptedSecret: string
  /** The name of the account that is shown. */
  identifier: string
  /** The provider's id of the account; left out while the connection is being made. */
  accountId?: string
}
export type NewConnection = StoredConnection & {
  agentId: Id<'agents'>
  externalAccountId: string
  webhookPath: string
  tokenTail: string
  /** For an account that is a phone, else null. */
  state: AccountState | null
  /** The address of the organization's own program. */
  address?: string
  /** For a web chat: its appearance and where it may be embedded. */
  widget?: WidgetSettings
}

const ERROR_LENGTH = 500
/** Columns of a StoredConnection. */
export const SECRETS = [
  'id',
  'organization_id as organizationId',
  'channel',
  'delivery',
  'token as encryptedToken',
  'webhook_secret as encryptedSecret',
  'identifier',
  'external_account_id as accountId',
] as const

/** Live connections of the organization, newest first; of one agent when given. */
export async function listConnections(ctx: OrgStoreContext, agentId?: Id<'agents'>): Promise<ChannelConnection[]> {
  let query = connections(ctx).where('disconnected_at', 'is', null)
  if (agentId !== undefined) query = query.where('agent_id', '=', agentId)
  const rows = await query.selectAll().orderBy('linked_at', 'desc').orderBy('id').execute()
  return rows.map(toConnection)
}

/** One connection, a switched-off one included. @throws AppError not_found */
export async function getConnection(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<ChannelConnection> {
  const row = await connections(ctx).where('id', '=', id).selectAll().executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toConnection(row)
}

/** How a live connection receives its messages. @throws AppError not_found */
export async function getDelivery(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
): Promise<{ delivery: 'webhook' | 'polling'; webhookPath: string }> {
  const row = await connections(ctx)
    .where('id', '=', id)
    .where('disconnected_at', 'is', null)
    .select(['delivery', 'webhook_path as webhookPath'])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/**
 * Changes how a live connection receives its messages, as a person has chosen: it stays so whatever becomes of the public address.
 * @returns the previous way @throws AppError not_found
 */
export async function chooseDelivery(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  delivery: 'webhook' | 'polling',
): Promise<Awaited<ReturnType<typeof getDelivery>>> {
  const before = await getDelivery(ctx, id)
  await update(ctx, id, { delivery, delivery_chosen: true })
  return before
}

/** The stored secrets of a live connection. */
export function findSecrets(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<StoredConnection | undefined> {
  return connections(ctx).where('id', '=', id).where('disconnected_at', 'is', null).select(SECRETS).executeTakeFirst()
}

/** Whether an account has a live connection, over all organizations. */
export async function isAccountConnected(
  ctx: StoreContext,
  { channel, externalAccountId }: Pick<NewConnection, 'channel' | 'externalAccountId'>,
): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('channel_connections')
    .where('channel', '=', channel)
    .where('external_account_id', '=', externalAccountId)
    .where('disconnected_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** An HTTP connection with its secrets, a switched-off one included, over all organizations. */
export function findHttpConnection(
  ctx: StoreContext,
  id: string,
): Promise<(StoredConnection & { isOff: boolean }) | undefined> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('id', '=', id as Id<'channelConnections'>)
    .where('channel', '=', 'http')
    .select(SECRETS)
    .select((row) => row('disconnected_at', 'is not', null).$castTo<boolean>().as('isOff'))
    .executeTakeFirst()
}

/** Replaces the secrets of a live connection and what is shown of it. */
export function replaceAccess(
  ctx: OrgStoreContext,
  { id, encryptedToken, encryptedSecret }: Pick<StoredConnection, 'id' | 'encryptedToken' | 'encryptedSecret'>,
  seen: { identifier?: string; address?: string; tokenTail?: string },
): Promise<void> {
  return update(ctx, id, {
    token: encryptedToken,
    signature_rejected_at: null,
    webhook_secret: encryptedSecret,
    ...(seen.identifier !== undefined && { identifier: seen.identifier }),
    ...(seen.address !== undefined && { address: seen.address }),
    ...(seen.tokenTail !== undefined && { token_tail: seen.tokenTail }),
  })
}

/** The live connection behind a webhook path, over all organizations. */
export function findByWebhookPath(ctx: StoreContext, path: string): Promise<StoredConnection | undefined> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('webhook_path', '=', path)
    .where('disconnected_at', 'is', null)
    .select(SECRETS)
    .executeTakeFirst()
}

/** The live connection of an account, over all organizations. */
export function findByAccount(
  ctx: StoreContext,
  channel: StoredConnection['channel'],
  accountId: string,
): Promise<StoredConnection | undefined> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('channel', '=', channel)
    .where('external_account_id', '=', accountId)
    .where('disconnected_at', 'is', null)
    .select(SECRETS)
    .executeTakeFirst()
}

/**
 * Adds a connection in state pending.
 * @throws AppError telegram_token_in_use or whatsapp_instance_in_use when the external account has a live connection anywhere in the installation,
 * channel_slots_used when the plan has no slot for it
 */
export async function insertConnection(ctx: OrgStoreContext, connection: NewConnection, now: Date): Promise<void> {
  const inserted = ctx.db.insertInto('channel_connections').values(connectionRow(connection, now))
  const result = await inserted
    .onConflict((conflict) =>
      conflict.columns(['channel', 'external_account_id']).where('disconnected_at', 'is', null).doNothing(),
    )
    .executeTakeFirst()
  if (result.numInsertedOrUpdatedRows === 0n) {
    const { channel } = connection
    throw new AppError(CHANNELS[channel].inUse, await whereInUse(ctx, connection))
  }
  await requireSlot(ctx, connection.channel, 0)
}

/** The columns of a connection before it has been tested. */
export function connectionRow(connection: NewConnection, now: Date): Insertable<ChannelConnectionsTable> {
  return {
    id: connection.id,
    organization_id: connection.organizationId,
    agent_id: connection.agentId,
    channel: connection.channel,
    identifier: connection.identifier,
    external_account_id: connection.externalAccountId,
    address: connection.address ?? null,
    status: 'pending',
    delivery: connection.delivery,
    webhook_path: connection.webhookPath,
    webhook_secret: connection.encryptedSecret,
    token: connection.encryptedToken,
    token_tail: connection.tokenTail,
    poll_offset: null,
    account_state: connection.state,
    account_state_at: connection.state && now,
    account_state_since: connection.state && now,
    is_frozen: isFrozen(connection.state),
    frozen_since: isFrozen(connection.state) ? now : null,
    stand_in_id: null,
    last_error: null,
    send_error: null,
    signature_rejected_at: null,
    failing_since: null,
    judged_at: null,
    last_heartbeat_at: null,
    last_inbound_at: null,
    last_outbound_at: null,
    missed_since: null,
    missed_until: null,
    gap_since: null,
    webhook_ms: null,
    pending_updates: null,
    provider_error: null,
    widget: connection.widget ? JSON.stringify(connection.widget) : null,
    settings: null,
    caps: null,
    linked_at: now,
    disconnected_at: null,
  }
}

/** Where an account is connected, as far as this organization may know; undefined: elsewhere. */
async function whereInUse(ctx: OrgStoreContext, { channel, externalAccountId, agentId }: NewConnection) {
  const row = await connections(ctx)
    .where('channel', '=', channel)
    .where('external_account_id', '=', externalAccountId)
    .where('disconnected_at', 'is', null)
    .select('agent_id')
    .executeTakeFirst()
  return row && { context: row.agent_id === agentId ? 'same_agent' : 'other_agent' }
}

/** The provider delivers: the previous error is over. */
export function setConnected(ctx: OrgStoreContext, id: Id<'channelConnections'>, now: Date): Promise<void> {
  return update(ctx, id, {
    status: 'connected',
    last_error: null,
    send_error: null,
    provider_error: null,
    signature_rejected_at: null,
    last_heartbeat_at: now,
    judged_at: now,
  })
}

/** Records what the provider reports of its delivery. */
export function setDeliveryCheck(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  check: DeliveryCheck,
): Promise<void> {
  return update(ctx, id, { delivery_check: JSON.stringify(check) })
}

/** The stored secrets of a live connection, and the provider's id of it. */
export function findAccess(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
): Promise<(StoredConnection & { webhookPath: string; externalAccountId: string }) | undefined> {
  return connections(ctx)
    .where('id', '=', id)
    .where('disconnected_at', 'is', null)
    .select(SECRETS)
    .select(['webhook_path as webhookPath', 'external_account_id as externalAccountId'])
    .executeTakeFirst()
}

/** Changes a widget, and with it its name among the connections. */
export function setWidget(ctx: OrgStoreContext, id: Id<'channelConnections'>, widget: WidgetSettings): Promise<void> {
  const withoutRefusals = { refused_site: null, refused_site_at: null }
  return update(ctx, id, { widget: JSON.stringify(widget), identifier: widget.title, ...withoutRefusals })
}

/**
 * Records an error that only a person can resolve. Without effect when a later attempt has been judged already.
 *
 * @param begunAt when the refused attempt began; left out: now, which overrides every earlier judgement
 * @param encryptedToken the token of the attempt: one that has been replaced since is ignored. Null: the stored one
 */
export async function setConnectionError(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  error: string,
  begunAt: Date | null = null,
  encryptedToken: string | null = null,
): Promise<void> {
  await sql`
    update channel_connections set status = 'error', last_error = ${error.slice(0, ERROR_LENGTH)},
      judged_at = coalesce(${begunAt}::timestamptz, now())
    where organization_id = ${ctx.organizationId} and id = ${id} and disconnected_at is null
      and (${encryptedToken}::text is null or token = ${encryptedToken})
      and (judged_at is null or judged_at <= coalesce(${begunAt}::timestamptz, now())
        or (judged_at = 'infinity' and ${begunAt}::timestamptz is null))`.execute(ctx.db)
}

/** Switches a connection off for good. @returns its secrets, undefined when it was off already */
export async function disconnect(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  now: Date,
): Promise<(StoredConnection & { webhookPath: string }) | undefined> {
  return ctx.db
    .updateTable('channel_connections')
    .set({ status: 'disconnected', disconnected_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('disconnected_at', 'is', null)
    .returning([...SECRETS, 'webhook_path as webhookPath'])
    .executeTakeFirst()
}

function connections(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('channel_connections').where('organization_id', '=', ctx.organizationId)
}

async function update(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  changes: Updateable<ChannelConnectionsTable>,
): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set(changes)
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('disconnected_at', 'is', null)
    .execute()
}

function toConnection(row: Selectable<ChannelConnectionsTable>): ChannelConnection {
  return {
    _id: row.id,
    agentId: row.agent_id,
    channel: row.channel,
    identifier: row.identifier,
    externalAccountId: row.external_account_id,
    address: row.address,
    status: row.status,
    accountState: row.account_state,
    accountStateAt: row.account_state_at?.getTime() ?? null,
    accountStateSince: row.account_state_since?.getTime() ?? null,
    delivery: row.delivery,
    maskedToken: `••••${row.token_tail}`,
    lastError: row.last_error ?? row.provider_error ?? row.send_error,
    errors: row.errors,
    signatureRejectedAt: row.signature_rejected_at?.getTime() ?? null,
    failingSince: row.failing_since?.getTime() ?? null,
    lastHeartbeatAt: row.last_heartbeat_at?.getTime() ?? null,
    lastInboundAt: row.last_inbound_at?.getTime() ?? null,
    messagesProcessed: row.messages_processed,
    linkedAt: row.linked_at.getTime(),
    deliveryCheck: row.delivery_check,
    widget: row.widget,
    settings: settingsOf(row),
    businesses: row.businesses,
  }
}
