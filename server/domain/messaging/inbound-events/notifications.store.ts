// SQL of notifications of providers: each is kept by its key, which makes a copy of it known, and lets what it holds be removed.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'

type ConnectionId = Id<'channelConnections'>

/** A statement: keeps a notification that became a message. Returns the id; no row for a copy. @param from where the statement reads; one row keeps it */
export function keepStored(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  { externalKey, payload, messageId }: { externalKey: string; payload: unknown; messageId: Id<'messages'> },
  from: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`insert into inbound_events (id, organization_id, connection_id, external_key, status, payload, message_id)
      select ${newId()}, ${ctx.organizationId}, ${connectionId}, ${externalKey}, 'stored', ${JSON.stringify(payload)}::jsonb, ${messageId} ${from}
      on conflict (connection_id, external_key) do nothing
      returning id`
}

/** Keeps a notification that changes something without becoming a message. @returns false when it is there already */
export async function insertNotification(
  ctx: OrgStoreContext,
  {
    connectionId,
    inbound,
    payload,
  }: { connectionId: Id<'channelConnections'>; inbound: { externalKey: string }; payload: unknown },
): Promise<boolean> {
  const inserted = await ctx.db
    .insertInto('inbound_events')
    .values({
      id: newId(),
      organization_id: ctx.organizationId,
      connection_id: connectionId,
      external_key: inbound.externalKey,
      status: 'stored',
      payload: JSON.stringify(payload),
      message_id: null,
    })
    .onConflict((conflict) => conflict.columns(['connection_id', 'external_key']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** Keeps a notification that is not answered: nothing to answer, or not understood. The same again changes nothing. @returns whether it is new */
export async function keepNotification(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  notification: { externalKey: string; status: 'ignored' | 'quarantined'; payload: unknown; editOf?: string },
): Promise<boolean> {
  const kept = await ctx.db
    .insertInto('inbound_events')
    .values({
      id: newId(),
      organization_id: ctx.organizationId,
      connection_id: connectionId,
      external_key: notification.externalKey,
      status: notification.status,
      payload: JSON.stringify(notification.payload),
      message_id: null,
      edit_of: notification.editOf ?? null,
    })
    .onConflict((conflict) => conflict.columns(['connection_id', 'external_key']).doNothing())
    .executeTakeFirst()
  return kept.numInsertedOrUpdatedRows === 1n
}

/** Keeps a key that is no notification's and holds nothing; once more, it was kept just now. */
export async function keepKey(ctx: OrgStoreContext, connectionId: ConnectionId, externalKey: string): Promise<void> {
  await sql`
    insert into inbound_events (id, organization_id, connection_id, external_key, status, payload)
    values (${newId()}, ${ctx.organizationId}, ${connectionId}, ${externalKey}, 'ignored', '{}')
    on conflict (connection_id, external_key) do update set received_at = now()`.execute(ctx.db)
}

export async function forgetKey(ctx: OrgStoreContext, connectionId: ConnectionId, externalKey: string): Promise<void> {
  await ctx.db
    .deleteFrom('inbound_events')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', connectionId)
    .where('external_key', '=', externalKey)
    .execute()
}

/** Takes the content off the notifications that carried the messages of these conversations; their copies are still known. */
export async function emptyCarriers(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<void> {
  const { organizationId } = ctx
  await sql`update inbound_events set payload = '{}'::jsonb where organization_id = ${organizationId} and message_id in (
    select id from messages where organization_id = ${organizationId} and conversation_id = any (${conversationIds}::text[]))`.execute(
    ctx.db,
  )
}

/** The same of notifications of connections whose content has a pattern. `unless`: a condition on the notification `i`, which stays then. */
export async function emptyMatching(
  ctx: OrgStoreContext,
  named: { connectionId: ConnectionId; pattern: string }[],
  unless: RawBuilder<boolean>,
): Promise<void> {
  await sql`update inbound_events i set payload = '{}'::jsonb, edit_of = null
    from unnest(${named.map(({ connectionId }) => connectionId)}::text[], ${named.map(({ pattern }) => pattern)}::text[]) named (connection_id, pattern)
    where i.organization_id = ${ctx.organizationId} and i.connection_id = named.connection_id and i.payload::text ~ named.pattern
      and not ${unless}`.execute(ctx.db)
}

/** The same of some old ones, the oldest first. `mayGo`: a condition on the notification `i`. @returns how many */
export async function emptyOld(
  ctx: OrgStoreContext,
  { cutoff, limit, mayGo }: { cutoff: Date; limit: number; mayGo: RawBuilder<boolean> },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update inbound_events set payload = '{}'::jsonb, edit_of = null where organization_id = ${ctx.organizationId} and id in (
      select i.id from inbound_events i where i.organization_id = ${ctx.organizationId} and i.received_at < ${cutoff} and i.payload <> '{}'::jsonb
        and ${mayGo}
      order by i.received_at limit ${limit})`.execute(ctx.db)
  return Number(numAffectedRows ?? 0n)
}
