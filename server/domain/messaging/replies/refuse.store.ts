// SQL of what stands in a conversation where an answer would: a text that the agent's settings give.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { storeNotice } from '../conversations/writes/answers.store.ts'
import { queueTexts } from '../outbox/outbox.store.ts'
import type { Turn } from '../turns/turn.ts'

/**
 * A text of the agent's settings, with its parts for the channel. It takes the place of an answer that broke off.
 * @returns false, and does nothing, when the turn has a whole message of the agent already
 */
export async function addNotice(ctx: OrgStoreContext, turn: Turn, text: string, parts: string[]): Promise<boolean> {
  const result = await sql<{ added: boolean }>`
    with ${storeNotice(ctx, turn.conversationId, { text, turn })}, part as (${queueTexts(parts, { connectionId: turn.connection?.id ?? null, chatId: turn.conversation.chatId })})
    select exists (select from message) as added`.execute(ctx.db)
  return result.rows[0]?.added ?? false
}
