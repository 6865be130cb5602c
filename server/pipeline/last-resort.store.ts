// SQL of the last resort.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Turn } from './turn.store.ts'

/**
 * Holds the conversation's row until the transaction ends, so that no pause comes between what is decided and what is said.
 * @returns whether it still is as it was when the turn was read: neither paused nor ended since
 */
export async function holdConversation(ctx: OrgStoreContext, turn: Turn): Promise<boolean> {
  const held = await sql`select id from conversations
    where organization_id = ${ctx.organizationId} and id = ${turn.conversationId}
      and status = 'active' and pause_epoch = ${turn.conversation.pauseEpoch}::int
    for update`.execute(ctx.db)
  return held.rows.length > 0
}
