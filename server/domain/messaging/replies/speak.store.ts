// SQL of spoken answers: how a customer wants to be answered, and the recording that accompanies the text of an answer.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { countAttachments } from '../conversations/writes/answers.store.ts'
import { setAnswersBy } from '../customers/customer-changes.store.ts'
import { storeRecording } from '../files/received.store.ts'
import { queueFile } from '../outbox/outbox.store.ts'
import type { Turn } from '../turns/turn.ts'
import type { AnswersBy } from './speak.rules.ts'

/** A recording of an answer, in the file store. */
export type Spoken = { fileKey: string; sizeBytes: number }

/** How the customer asked to be answered; null when they never did. A new wish is stored. */
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
  await setAnswersBy(ctx, conversationId, wish)
  return wish
}

/** Appends the recording to the parts of its message, as a part of its own. */
export async function addSpoken(
  ctx: OrgStoreContext,
  turn: Turn,
  { messageId, part, spoken }: { messageId: Id<'messages'>; part: number; spoken: Spoken },
): Promise<void> {
  const attachmentId = newId('attachments')
  await sql`
    with message as (
      ${countAttachments(ctx, messageId, 1)}
    ), attachment as (
      ${storeRecording(attachmentId, spoken)}
    )
    ${queueFile({ part, attachmentId }, { connectionId: turn.connection?.id ?? null, chatId: turn.conversation.chatId })}`.execute(
    ctx.db,
  )
}
