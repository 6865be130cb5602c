// SQL of where the conversation of a chat is found. A customer of WhatsApp may have been written to by another number than their own while
// that could not send (see reroute.ts): the conversation is one, whichever of the two they write to, and they are answered by that one.
import { sql } from 'kysely'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { REACHABLE_CHAT } from '#shared/channels/stand-ins.ts'
import type { Id } from '#shared/ids.ts'
import { adopt, setConversationConnection } from '../conversations/writes/chat-moves.store.ts'
import { dropLateOf } from '../delivery/parked-parts.store.ts'
import { holdParts, parkParts, reassignParts } from '../delivery/reroute.store.ts'
import { isTaken } from './handlers/identities.store.ts'
import type { InboundMessage } from './receive.store.ts'

type ConnectionId = Id<'channelConnections'>
type Home = { id: Id<'conversations'>; connectionId: ConnectionId }

/**
 * The connection by which the conversation of a chat is found, which is another one after it was rerouted. The conversation is held, so that
 * it is not rerouted before the caller has found it: each look sees what was committed while the one before waited.
 */
export async function lockConversationConnection(
  ctx: OrgStoreContext,
  { id, channel }: Pick<StoredConnection, 'id' | 'channel'>,
  chatId: string,
): Promise<ConnectionId> {
  if (channel !== 'whatsapp' || (await holdsOwn(ctx, id, chatId))) return id
  return (await findRerouted(ctx, id, chatId))?.connectionId ?? id
}

/**
 * The same for a message of the customer, which takes the conversation along with what still waits in it: it stays where they are. Not to
 * a number that may not send, because the answer could not leave, nor from one that can and has a word of it in hand: the answer follows
 * that. The conversation is held, so that it is not rerouted between this look and what is written. A copy of what was taken moves nothing.
 */
export async function resolveConversationConnection(
  ctx: OrgStoreContext,
  { id, channel }: Pick<StoredConnection, 'id' | 'channel'>,
  { chatId, externalKey }: Pick<InboundMessage, 'chatId' | 'externalKey'>,
): Promise<ConnectionId> {
  if (channel !== 'whatsapp') return id
  const own = await holdOwn(ctx, id, chatId)
  if (own?.isOrphan) await adopt(ctx, own.id, id)
  const home = own
    ? own.elsewhereId && { id: own.id, connectionId: own.elsewhereId }
    : await findRerouted(ctx, id, chatId)
  if (!home) return id
  const stayId = own ? id : home.connectionId
  if (await isTaken(ctx, id, externalKey)) return stayId
  const { isFrozen, isLeft, canLeftSend } = await readPair(ctx, id, home.connectionId)
  if (isFrozen && !isLeft) return stayId
  const isWhole = !isFrozen && (await bringParts(ctx, home, id))
  if (!isWhole && canLeftSend) return stayId
  if (!isWhole && !isLeft) await parkParts(ctx, home.id, home.connectionId)
  if (!own) await setConversationConnection(ctx, home.id, id)
  return id
}

async function holdsOwn(ctx: OrgStoreContext, connectionId: ConnectionId, chatId: string): Promise<boolean> {
  const { rows } = await sql`
    select id from conversations where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and external_chat_id = ${chatId} for no key update`.execute(ctx.db)
  return rows.length > 0
}

/** `elsewhereId`: another number by which it has still something to say. `isOrphan`: its agent is removed, the one of the number is not. */
type Own = { id: Id<'conversations'>; elsewhereId: ConnectionId | null; isOrphan: boolean }

async function holdOwn(ctx: OrgStoreContext, connectionId: ConnectionId, chatId: string): Promise<Own | undefined> {
  const { rows } = await sql<Own>`
    select c.id, a.deleted_at is not null and heir.id is not null as "isOrphan",
      (select o.connection_id from outbox o where o.conversation_id = c.id and o.connection_id <> c.connection_id
        and o.status in ('queued', 'claimed', 'sending') order by o.sequence limit 1) as "elsewhereId"
    from conversations c join agents a on a.organization_id = c.organization_id and a.id = c.agent_id
    join channel_connections n on n.organization_id = c.organization_id and n.id = c.connection_id
    left join agents heir on heir.organization_id = n.organization_id and heir.id = n.agent_id and heir.deleted_at is null
    where c.organization_id = ${ctx.organizationId} and c.connection_id = ${connectionId} and c.external_chat_id = ${chatId}
    for no key update of c`.execute(ctx.db)
  return rows[0]
}

/**
 * What a conversation still has to say by the number that it leaves goes by this one, all of it or nothing: what that number has in hand
 * may not be overtaken. @returns whether nothing is left behind
 */
async function bringParts(ctx: OrgStoreContext, { id, connectionId }: Home, toId: ConnectionId): Promise<boolean> {
  await dropLateOf(ctx, connectionId, id)
  const parts = await holdParts(ctx, { conversationId: id, connectionId })
  if (!parts.every(({ mayMove, chatId }) => mayMove && REACHABLE_CHAT.test(chatId))) return false
  await reassignParts(
    ctx,
    parts.map((part) => part.id),
    toId,
  )
  return true
}

/** Holds the conversation that was last rerouted from or to this connection; one whose agent is gone would be answered by nobody. */
async function findRerouted(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  chatId: string,
): Promise<Home | undefined> {
  const { rows } = await sql<Home>`
    select c.id, c.connection_id as "connectionId" from reroutes r
    join conversations c on c.organization_id = r.organization_id and c.id = r.conversation_id and c.external_chat_id = r.external_chat_id
    join agents a on a.organization_id = c.organization_id and a.id = c.agent_id and a.deleted_at is null
    where r.organization_id = ${ctx.organizationId} and r.external_chat_id = ${chatId}
      and ${connectionId} in (r.connection_id, r.to_connection_id)
    order by r.created_at desc limit 1 for no key update of c`.execute(ctx.db)
  return rows[0]
}

/** The number that was written to, and the one by which the conversation goes on, or has something to say: that stays as it is meanwhile. */
async function readPair(ctx: OrgStoreContext, id: ConnectionId, leftId: ConnectionId) {
  const { rows } = await sql<{ isFrozen: boolean; isLeft: boolean; canLeftSend: boolean }>`
    select n.is_frozen or n.disconnected_at is not null as "isFrozen", o.disconnected_at is not null as "isLeft",
      o.disconnected_at is null and not o.is_frozen as "canLeftSend"
    from channel_connections n join channel_connections o on o.organization_id = n.organization_id and o.id = ${leftId}
    where n.organization_id = ${ctx.organizationId} and n.id = ${id}
    for share of o`.execute(ctx.db)
  return rows[0] ?? { isFrozen: false, isLeft: false, canLeftSend: true }
}
