// SQL of spoken answers: how a customer wants to be answered, and the recording beside the text of an answer.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { Turn } from '../turn.ts'
import type { AnswersBy } from './speak.rules.ts'

/** A recording of an answer, in the file store. */
export type Spoken = { fileKey: string; sizeBytes: number }

/** How the customer has asked to be answered; null: they never did. A new wish is kept. */
export async function rememberWish(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  wish: AnswersBy | null,
): Promise<AnswersBy | null> {
  const customer = sql`select customer_id from conversations
    where organization_id = ${ctx.organizationId} and id = ${conversationId}`
  const result = await sql<{ answersBy: AnswersBy | null }>`
    select answers_by as "answersBy" from customers
    where organization_id = ${ctx.organizationId} and id = (${customer})`.execute(ctx.db)
  const stored = result.rows[0]?.answersBy ?? null
  if (wish === null || wish === stored) return stored
  await sql`update customers set answers_by = ${wish}
    where organization_id = ${ctx.organizationId} and id = (${customer})`.execute(ctx.db)
  return wish
}

/** Puts the recording behind the parts of its message: it is sent after them, in a part of its own. */
export async function addSpoken(
  ctx: OrgStoreContext,
  turn: Turn,
  { messageId, part, spoken }: { messageId: Id<'messages'>; part: number; spoken: Spoken },
): Promise<void> {
  const attachmentId = newId('attachments')
  await sql`
    with message as (
      update messages set attachment_count = 1 where organization_id = ${ctx.organizationId} and id = ${messageId}
      returning organization_id, conversation_id, id
    ), attachment as (
      insert into attachments (id, organization_id, conversation_id, message_id, position, kind, mime_type, size_bytes, file_key, status)
      select ${attachmentId}, organization_id, conversation_id, id, 0, 'voice', 'audio/ogg', ${spoken.sizeBytes}::bigint,
        ${spoken.fileKey}, 'ready'
      from message
    )
    insert into outbox (id, organization_id, connection_id, conversation_id, message_id, part, external_chat_id, text, status, attachment_id)
    select ${newId('outbox')}, organization_id, ${turn.connection?.id ?? null}, conversation_id, id, ${part}::int,
      ${turn.conversation.chatId}, '', 'queued', ${attachmentId}
    from message`.execute(ctx.db)
}
