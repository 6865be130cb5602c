// SQL of a customer's message and what it changes in its conversation. Parts of the one statement that receives it.
import { type RawBuilder, sql } from 'kysely'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { pauseSnapshot } from '../pause-snapshot.store.ts'

/** Characters of a message that the conversation list shows. */
const PREVIEW_LENGTH = 200

type Edit = { externalMessageId: string; text: string }

/**
 * CTEs `conversation` and `message`, behind CTEs `connection` (organization_id, agent_id) and `customer` (id): the conversation is made where
 * there is none, begins again where it was ended, and comes back to the inbox. `conversation` returns id, organization_id, status,
 * pause_reason, paused_at and paused_by.
 */
export function storeReceived(
  channel: Channel,
  inbound: Extract<Inbound, { kind: 'message' }>,
  { messageId, homeId, preview }: { messageId: Id<'messages'>; homeId: Id<'channelConnections'>; preview: string },
): RawBuilder<unknown> {
  return sql`conversation as (
      insert into conversations (id, organization_id, agent_id, channel, connection_id, customer_id, external_chat_id,
        message_count, unread_count, last_message_author, last_message_text, waiting_since)
      select ${newId('conversations')}, c.organization_id, c.agent_id, ${channel}, ${homeId}, customer.id, ${inbound.chatId},
        1, 1, 'customer', ${preview.slice(0, PREVIEW_LENGTH)}, now()
      from connection c, customer
      on conflict (connection_id, external_chat_id) where connection_id is not null do update set
        message_count = conversations.message_count + 1,
        unread_count = conversations.unread_count + 1,
        status = case when conversations.status = 'ended' then 'active' else conversations.status end,
        last_message_author = excluded.last_message_author,
        last_message_text = excluded.last_message_text,
        last_message_at = excluded.last_message_at,
        waiting_since = coalesce(conversations.waiting_since, excluded.waiting_since),
        folder = 'inbox',
        moved_at = case when conversations.folder = 'inbox' then conversations.moved_at else excluded.last_message_at end
      returning id, organization_id, status, pause_reason, paused_at, paused_by
    ), message as (
      insert into messages (id, organization_id, conversation_id, author, text, attachment_count, external_id, speaker, quoted, forwarded, held)
      select ${messageId}, organization_id, id, 'customer', ${inbound.text}, ${inbound.attachments?.length ?? 0}::int,
        ${inbound.externalMessageId ?? null}, ${inbound.speaker ?? null}, ${inbound.quoted ?? null}, ${inbound.forwarded ? JSON.stringify(inbound.forwarded) : null}::jsonb, ${pauseSnapshot} from conversation
    )`
}

/** A statement: replaces the text of a message. Returns id, sequence and reason; no row for one that does not exist, or has this text already. */
export function changeText(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  { externalMessageId, text }: Edit,
): RawBuilder<unknown> {
  return sql`update messages set text = ${text}, edited_at = now()
      where organization_id = ${ctx.organizationId} and conversation_id = ${conversationId} and author = 'customer'
        and external_id = ${externalMessageId} and text is distinct from ${text}
      returning id, sequence, reason`
}

/** The conversation list shows that message only if it is the last one. */
export async function changePreview(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  inbound: Edit,
): Promise<void> {
  await sql`
    update conversations c set last_message_text = ${inbound.text.slice(0, PREVIEW_LENGTH)}
    where c.organization_id = ${ctx.organizationId} and c.id = ${conversationId}
      and (select m.external_id from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
        and m.author <> 'system' order by m.sequence desc limit 1) = ${inbound.externalMessageId}`.execute(ctx.db)
}

/** Moves a message behind all others of its conversation, as if it had just been sent. */
export async function moveToEnd(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  externalMessageId: string,
): Promise<void> {
  await sql`
    update messages set sequence = default, created_at = now()
    where organization_id = ${ctx.organizationId} and conversation_id = ${conversationId} and author = 'customer'
      and external_id = ${externalMessageId}`.execute(ctx.db)
}
