// SQL of follow-ups whose moment has come: each becomes a turn, once, whichever server looks first. Whether it is sent is decided when the
// turn is worked on. When the next one is due stands in a row of its conversation, see conversations/writes/follow-ups.store.ts.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import type { Id } from '#shared/ids.ts'
import { takeDueFollowUps } from '../conversations/writes/follow-ups.store.ts'
import { requestFollowUps } from '../turns/turn-requests.store.ts'

/** Begun in one transaction; the next look takes the rest. */
const BATCH = 100

/** Makes turns of the follow-ups that are due. Nothing is due where the agent is silent or at work. @returns how many */
export async function beginFollowUps(ctx: StoreContext): Promise<number> {
  const due = await takeDueFollowUps(ctx, BATCH)
  const begun = due.filter((each) => each.isStanding)
  if (begun.length === 0) return 0
  const made = await requestFollowUps(ctx, begun)
  failpoint('follow-ups-beginning')
  return made
}

/** Where a conversation is, locked until the transaction ends; null: it is gone, or no channel leads to the customer. */
export async function lockChat(ctx: OrgStoreContext, id: Id<'conversations'>) {
  const row = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select(['agent_id', 'channel', 'connection_id', 'external_chat_id'])
    .forUpdate()
    .executeTakeFirst()
  if (!row?.connection_id || row.external_chat_id === null || row.channel === 'test') return null
  const { agent_id: agentId, channel, connection_id: connectionId, external_chat_id: chatId } = row
  return { agentId, channel, connectionId, chatId }
}

/**
 * Whether a customer may be reminded: neither was the conversation deleted or its agent removed, nor have they blocked us, as the last part
 * that was to reach them says.
 */
export async function isWantedBy(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<boolean> {
  const { rows } = await sql`
    select from conversations c join agents a on a.organization_id = c.organization_id and a.id = c.agent_id
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and c.folder <> 'deleted' and a.deleted_at is null
      and not coalesce((select o.status = 'failed' and o.error like 'blocked:%' from outbox o
        where o.organization_id = c.organization_id and o.conversation_id = c.id order by o.sequence desc limit 1), false)`.execute(
    ctx.db,
  )
  return rows.length > 0
}
