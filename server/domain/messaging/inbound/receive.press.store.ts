// SQL of button presses: each question is answered once.
import { sql } from 'kysely'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'

/**
 * Whether the customer has written since the message whose button they press. Locks the conversation until the transaction ends: of two
 * presses at once the first counts. False for unknown messages; ratings do not count as writing.
 */
export async function isPassed(
  ctx: OrgStoreContext,
  connectionId: StoredConnection['id'],
  { chatId, externalMessageId }: { chatId: string; externalMessageId: string },
): Promise<boolean> {
  const { organizationId } = ctx
  await sql`select id from conversations where organization_id = ${organizationId} and connection_id = ${connectionId}
    and external_chat_id = ${chatId} for update`.execute(ctx.db)
  const result = await sql<{ isPassed: boolean }>`
    select exists (select from outbox o
      join messages asked on asked.organization_id = o.organization_id and asked.id = o.message_id
      join messages written on written.organization_id = asked.organization_id and written.conversation_id = asked.conversation_id
        and written.author = 'customer' and written.reason is distinct from 'rating' and written.sequence > asked.sequence
      where o.organization_id = ${organizationId} and o.connection_id = ${connectionId} and o.external_chat_id = ${chatId}
        and o.external_message_id = ${externalMessageId}) as "isPassed"`.execute(ctx.db)
  return result.rows[0]?.isPassed ?? false
}
