// SQL of where the conversation of a chat is found. A customer of WhatsApp may have been written to by another number than their own while
// that could not send (see reroute.ts): the conversation is one, whichever of the two they write to, and they are answered by that one.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { StoredConnection } from '#server/features/channels/connections.store.ts'
import type { Id } from '#shared/ids.ts'
import { moveHome } from './reroute.store.ts'

type ConnectionId = Id<'channelConnections'>
type Home = { id: Id<'conversations'>; connectionId: ConnectionId }

/** The connection by which the conversation of a chat is found, which is another one after it was rerouted. */
export async function findHome(
  ctx: OrgStoreContext,
  { id, channel }: Pick<StoredConnection, 'id' | 'channel'>,
  chatId: string,
): Promise<ConnectionId> {
  if (channel !== 'whatsapp' || (await hasOwn(ctx, id, chatId, sql``))) return id
  return (await findRerouted(ctx, id, chatId, sql``))?.connectionId ?? id
}

/**
 * The same for a message of the customer, which takes the conversation along: it stays where they are. Not to a number that may not send,
 * because the answer could not leave. The conversation is held, so that it is not rerouted between this look and what is written.
 */
export async function followHome(
  ctx: OrgStoreContext,
  { id, channel }: Pick<StoredConnection, 'id' | 'channel'>,
  chatId: string,
): Promise<ConnectionId> {
  if (channel !== 'whatsapp') return id
  if (await hasOwn(ctx, id, chatId, sql`for no key update`)) return id
  const rerouted = await findRerouted(ctx, id, chatId, sql`for no key update of c`)
  if (!rerouted) return id
  if (await staysAway(ctx, id, rerouted.connectionId)) return rerouted.connectionId
  await moveHome(ctx, rerouted.id, id)
  return id
}

async function hasOwn(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  chatId: string,
  lock: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql`
    select id from conversations where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and external_chat_id = ${chatId} ${lock}`.execute(ctx.db)
  return rows.length > 0
}

/** The conversation that was last rerouted from or to this connection; one whose agent is gone would be answered by nobody. */
async function findRerouted(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  chatId: string,
  lock: RawBuilder<unknown>,
): Promise<Home | undefined> {
  const { rows } = await sql<Home>`
    select c.id, c.connection_id as "connectionId" from reroutes r
    join conversations c on c.organization_id = r.organization_id and c.id = r.conversation_id and c.external_chat_id = r.external_chat_id
    join agents a on a.organization_id = c.organization_id and a.id = c.agent_id and a.deleted_at is null
    where r.organization_id = ${ctx.organizationId} and r.external_chat_id = ${chatId}
      and ${connectionId} in (r.connection_id, r.to_connection_id)
    order by r.created_at desc limit 1 ${lock}`.execute(ctx.db)
  return rows[0]
}

/** The customer has written to a number that may not send, and the conversation goes on by one that is connected. */
async function staysAway(ctx: OrgStoreContext, id: ConnectionId, homeId: ConnectionId): Promise<boolean> {
  const { rows } = await sql`
    select from channel_connections n join channel_connections home on home.organization_id = n.organization_id and home.id = ${homeId}
    where n.organization_id = ${ctx.organizationId} and n.id = ${id} and n.is_frozen and home.disconnected_at is null`.execute(
    ctx.db,
  )
  return rows.length > 0
}
