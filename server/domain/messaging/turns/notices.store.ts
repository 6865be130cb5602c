// SQL of what the pipeline tells a customer by itself: a message of the agent that no turn has made.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { storeNotice } from '../conversations/writes/answers.store.ts'
import { queueTexts } from '../delivery/outbox.store.ts'

/** By which a customer is reached. */
export type Chat = { connectionId: Id<'channelConnections'>; chatId: string }

/** Adds what the customer is told, with its parts for the channel. The conversation is held by the caller. @returns its id */
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
