// SQL of moving conversations to another chat, another connection or another agent.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type ConversationId = Id<'conversations'>
type ConnectionId = Id<'channelConnections'>

/** Moves a conversation to another number: the customer is written to by it, and found by it when they write. The caller holds the row. */
export async function setConversationConnection(
  ctx: OrgStoreContext,
  id: ConversationId,
  connectionId: ConnectionId,
): Promise<void> {
  await sql`update conversations set connection_id = ${connectionId}
    where organization_id = ${ctx.organizationId} and id = ${id}`.execute(ctx.db)
}

/** A conversation came here with an agent of another number that is removed since: the agent of this number takes it over, as no other would. */
export async function adopt(ctx: OrgStoreContext, id: ConversationId, connectionId: ConnectionId): Promise<void> {
  await sql`
    update conversations c set agent_id = n.agent_id from channel_connections n
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and n.organization_id = c.organization_id
      and n.id = ${connectionId}`.execute(ctx.db)
}

/** Moves a conversation to another chat of its connection. @returns false when that is another conversation's */
export async function moveChatTo(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  { id, chatId }: { id: ConversationId; chatId: string },
): Promise<boolean> {
  const { rows } = await sql`
    update conversations set external_chat_id = ${chatId}
    where organization_id = ${ctx.organizationId} and id = ${id} and not exists (select from conversations other
      where other.organization_id = ${ctx.organizationId} and other.connection_id = ${connectionId} and other.external_chat_id = ${chatId})
    returning id`.execute(ctx.db)
  return rows.length > 0
}

/** Moves the conversation of a chat to another one, unless that has a conversation of its own. */
export async function moveChat(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const of = sql`organization_id = ${ctx.organizationId} and connection_id = ${connectionId}`
  await sql`
    update conversations set external_chat_id = ${to} where ${of} and external_chat_id = ${from}
      and not exists (select from conversations where ${of} and external_chat_id = ${to})`.execute(ctx.db)
}

/** The same for all chats with this ending. */
export async function moveChatsEnding(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`
    update conversations c set external_chat_id = left(external_chat_id, -length(${from}::text)) || ${to}::text
    where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and right(external_chat_id, length(${from}::text)) = ${from}
      and not exists (select from conversations other where other.organization_id = c.organization_id
        and other.connection_id = c.connection_id
        and other.external_chat_id = left(c.external_chat_id, -length(${from}::text)) || ${to}::text)`.execute(ctx.db)
}
