// SQL of notices that the pipeline sends to a customer: messages of the agent without a turn.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { storeNotice } from '../conversations/writes/answers.store.ts'
import { queueTexts } from './outbox.store.ts'

/** The address of a customer. */
export type Chat = { connectionId: Id<'channelConnections'>; chatId: string }

/** Adds a notice with its parts for the channel. The conversation is locked by the caller. @returns the message's id */
export async function addNotice(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  { connectionId, chatId }: Chat,
  {
    text,
    parts,
    reason = null,
    choices = [],
  }: { text: string; parts: string[]; reason?: string | null; choices?: string[] },
): Promise<Id<'messages'>> {
  const messageId = newId('messages')
  await sql`
    with ${storeNotice(ctx, id, { id: messageId, text, reason, choices })} ${queueTexts(parts, { connectionId, chatId })}`.execute(
    ctx.db,
  )
  return messageId
}
