// SQL of how answers of a test chat are shown: each as the channel would that was simulated for it.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ConnectedChannel } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import type { Message } from '#shared/messaging/conversations.ts'

/** The messages with the channel of each answer; those without a simulated channel stay as they are. */
export async function withChannels(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  messages: Message[],
): Promise<Message[]> {
  const turnIds = messages.flatMap(({ author, turnId }) => (author === 'agent' && turnId ? [turnId] : []))
  if (turnIds.length === 0) return messages
  const rows = await ctx.db
    .selectFrom('turns')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('id', 'in', [...new Set(turnIds)])
    .select(['id', sql<ConnectedChannel | null>`overrides #>> '{simulate,channel}'`.as('channel')])
    .execute()
  const channels = new Map(rows.map(({ id, channel }) => [id, channel]))
  return messages.map((message) => {
    const shownAs = message.author === 'agent' && message.turnId ? channels.get(message.turnId) : null
    return shownAs ? { ...message, shownAs } : message
  })
}
