// SQL of a customer's last message and its time: some channels accept free-form text only for a time after it.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Whether the customer of a conversation has written in the last `windowMs` milliseconds, by the clock of the database. */
export async function hasWrittenWithin(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  windowMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select coalesce((select m.created_at > now() - ${windowMs}::float8 * interval '1 millisecond' from messages m
      where m.organization_id = ${ctx.organizationId} and m.conversation_id = ${conversationId} and m.author = 'customer'
      order by m.sequence desc limit 1), false) as "isOpen"`.execute(ctx.db)
  return rows[0]?.isOpen ?? false
}

/** The provider's id of the customer's last message; null: unknown. */
export async function findLastCustomerText(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
): Promise<string | null> {
  const last = await ctx.db
    .selectFrom('messages')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('author', '=', 'customer')
    .orderBy('sequence', 'desc')
    .select('external_id')
    .executeTakeFirst()
  return last?.external_id ?? null
}

/**
 * Text of the message with this provider id in this chat, sent by the customer or by us. In other chats the id may be another message's. Of one
 * without text, what is known of its files, behind a sign for them.
 */
export async function findQuoted(
  ctx: OrgStoreContext,
  {
    connectionId,
    chatId,
    externalMessageId,
  }: { connectionId: Id<'channelConnections'>; chatId: string; externalMessageId: string },
): Promise<string | null> {
  const { rows } = await sql<{ text: string | null }>`
    select case when text <> '' then text else '📎 ' || (select string_agg(coalesce(a.text, a.name, ''), ', ' order by a.position)
      from attachments a where a.organization_id = ${ctx.organizationId} and a.message_id = texts.message_id
        and (texts.attachment_id is null or a.id = texts.attachment_id)) end as text
    from (
      select o.text, o.message_id, o.attachment_id from outbox o where o.organization_id = ${ctx.organizationId} and o.connection_id = ${connectionId}
        and o.external_message_id = ${externalMessageId} and (o.external_chat_id = ${chatId} or exists (select from conversations c
          where c.organization_id = o.organization_id and c.id = o.conversation_id and c.external_chat_id = ${chatId}))
      union all
      select m.text, m.id, null from messages m join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id
      where m.organization_id = ${ctx.organizationId} and c.connection_id = ${connectionId} and c.external_chat_id = ${chatId}
        and m.external_id = ${externalMessageId}) texts
    order by text = '' limit 1`.execute(ctx.db)
  return rows[0]?.text?.trim() || null
}
