// SQL of messages that a person writes in a conversation, one at a time.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { MessageAuthor } from '#shared/messaging/conversations.ts'
import { pauseSnapshotOf } from '../pause-snapshot.store.ts'

/** Characters of a message that the conversation list shows. */
const PREVIEW_LENGTH = 200

/** Adds a message of a person and moves the conversation on. `isAnswered`: nothing before it waits for the agent any more. */
export async function appendMessage(
  ctx: OrgStoreContext,
  message: {
    conversationId: Id<'conversations'>
    author: Exclude<MessageAuthor, 'agent'>
    userId: Id<'users'> | null
    text: string
    /** The preview in lists; the text when left out. */
    preview?: string
    isAnswered: boolean
  },
): Promise<Id<'messages'>> {
  const id = newId('messages')
  const { sequence } = await ctx.db
    .insertInto('messages')
    .values({
      id,
      organization_id: ctx.organizationId,
      conversation_id: message.conversationId,
      author: message.author,
      user_id: message.userId,
      text: message.text,
      status: 'complete',
      reason: null,
      turn_id: null,
      sources: '[]',
      model: null,
      input_tokens: null,
      output_tokens: null,
      cost_micro_usd: null,
      price_version: null,
      latency_ms: null,
      first_token_ms: null,
      ...(message.author === 'customer' ? { held: pauseSnapshotOf(ctx, message.conversationId) } : {}),
    })
    .returning('sequence')
    .executeTakeFirstOrThrow()
  await ctx.db
    .updateTable('conversations')
    .set((eb) => ({
      message_count: eb('message_count', '+', 1),
      last_message_author: message.author,
      last_message_text: (message.preview ?? message.text).slice(0, PREVIEW_LENGTH),
      last_message_at: sql<Date>`now()`,
      ...(message.isAnswered ? { answered_through: sequence } : {}),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', message.conversationId)
    .execute()
  return id
}
