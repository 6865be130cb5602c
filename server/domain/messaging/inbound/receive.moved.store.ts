// SQL of a chat that goes by another id from now on: its conversation goes on there, with whoever has taken it over.
import { sql } from 'kysely'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { keepNotification } from './receive.store.ts'

/** Without effect for a copy, and where somebody has been answered by the new id before this was told: both conversations stay. */
export async function storeChatMoved(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  { inbound, payload }: { inbound: Extract<Inbound, { kind: 'chatMoved' }>; payload: unknown },
): Promise<void> {
  const { externalKey, chatId, toChatId } = inbound
  if (!(await keepNotification(ctx, connectionId, { externalKey, status: 'ignored', payload }))) return
  const of = sql`organization_id = ${ctx.organizationId} and connection_id = ${connectionId}`
  await sql`
    update customers set external_id = ${toChatId} where ${of} and external_id = ${chatId}
      and not exists (select from customers where ${of} and external_id = ${toChatId})`.execute(ctx.db)
  await sql`
    update conversations set external_chat_id = ${toChatId} where ${of} and external_chat_id = ${chatId}
      and not exists (select from conversations where ${of} and external_chat_id = ${toChatId})`.execute(ctx.db)
}
