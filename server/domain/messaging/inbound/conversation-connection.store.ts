// SQL that resolves the connection of a chat's conversation. A WhatsApp conversation may have been rerouted to another number while its
// own could not send (see reroute.ts): it stays one conversation, and the customer is answered by the number that they write to.
import { sql } from 'kysely'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { InboundMessage } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { REACHABLE_CHAT } from '#shared/channels/stand-ins.ts'
import type { Id } from '#shared/ids.ts'
import { adopt, setConversationConnection } from '../conversations/writes/chat-moves.store.ts'
import { dropLateOf } from '../outbox/parked-parts.store.ts'
import { holdParts, parkParts, reassignParts } from '../outbox/reroute.store.ts'
import { isTaken } from './handlers/identities.store.ts'

type ConnectionId = Id<'channelConnections'>
type Home = { id: Id<'conversations'>; connectionId: ConnectionId }

/**
 * The connection under which the conversation of a chat is stored, which differs from its own after a reroute. Locks the conversation, so
 * that it is not rerouted before the caller reads it: each statement sees what was committed while the one before waited.
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
 * The same for a message of the customer, which moves the conversation and its unsent parts to the number that they wrote to. It does not
 * move to a number that cannot send, because the answer could not leave, nor from a number that can send and is sending a part already:
 * the answer follows that part. Locks the conversation, so that it is not rerouted between this read and the write. A duplicate
 * notification moves nothing.
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

/** `elsewhereId`: another number with unsent parts of the conversation. `isOrphan`: its agent is removed, that of the number is not. */
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
 * Moves the unsent parts from the number that the conversation leaves to this one, all or none: a part that is being sent must not be
 * overtaken. @returns whether no part is left behind
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

/** Locks the conversation last rerouted from or to this connection; skips those whose agent was removed, which would get no answer. */
async function findRerouted(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  chatId: string,
): Promise<Home | undefined> {
  const { rows } = await sql<Home>`
    select c.id, c.connection_id as "connectionId" from failover_notices r
    join conversations c on c.organization_id = r.organization_id and c.id = r.conversation_id and c.external_chat_id = r.external_chat_id
    join agents a on a.organization_id = c.organization_id and a.id = c.agent_id and a.deleted_at is null
    where r.organization_id = ${ctx.organizationId} and r.external_chat_id = ${chatId}
      and ${connectionId} in (r.connection_id, r.to_connection_id)
    order by r.created_at desc limit 1 for no key update of c`.execute(ctx.db)
  return rows[0]
}

/** State of the number that was written to, and of the conversation's present number, which is locked against changes meanwhile. */
async function readPair(ctx: OrgStoreContext, id: ConnectionId, leftId: ConnectionId) {
  const { rows } = await sql<{ isFrozen: boolean; isLeft: boolean; canLeftSend: boolean }>`
    select n.is_frozen or n.disconnected_at is not null as "isFrozen", o.disconnected_at is not null as "isLeft",
      o.disconnected_at is null and not o.is_frozen as "canLeftSend"
    from channel_connections n join channel_connections o on o.organization_id = n.organization_id and o.id = ${leftId}
    where n.organization_id = ${ctx.organizationId} and n.id = ${id}
    for share of o`.execute(ctx.db)
  return rows[0] ?? { isFrozen: false, isLeft: false, canLeftSend: true }
}
