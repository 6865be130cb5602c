// Resolves the customer and the chat of a notification, where customers are known by several ids. The connection of the conversation is
// resolved in conversation-connection.store.ts.
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { Inbound, InboundMessage } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { findQuoted } from '../delivery/last-customer-message.store.ts'
import { lockEdits } from '../inbound-events/edits.store.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { placeChat, placeSender } from './handlers/identities.store.ts'

/** Characters of what is replied to. */
const QUOTED_LENGTH = 500

/** Whether customers of the connection are known by several ids. */
export function hasAliases(ctx: PipelineContext, { channel }: StoredConnection): boolean {
  return ctx.services.channels[channel].traits.hasAliases ?? false
}

/** The message with the id by which its customer is known. Locks its edits first, then the customer, like every other writer. */
export async function resolveSender(
  ctx: PipelineContext,
  store: OrgStoreContext,
  connection: StoredConnection,
  inbound: InboundMessage,
): Promise<InboundMessage> {
  if (!hasAliases(ctx, connection)) return inbound
  const { externalMessageId } = inbound
  const named = { ...inbound, isGlobalId: true } as const
  if (externalMessageId !== undefined) await lockEdits(store, connection.id, { ...named, externalMessageId })
  return placeSender(store, connection.id, named)
}

/** The notification with the id by which its chat is known. */
export async function resolveChat<Event extends Extract<Inbound, { chatId: string }>>(
  ctx: PipelineContext,
  store: OrgStoreContext,
  connection: StoredConnection,
  inbound: Event,
): Promise<Event> {
  return hasAliases(ctx, connection) ? placeChat(store, connection.id, inbound) : inbound
}

/** The message with the text it replies to, which some providers name by its id alone. */
export async function resolveQuoted(
  store: OrgStoreContext,
  { id: connectionId }: StoredConnection,
  inbound: InboundMessage,
): Promise<InboundMessage> {
  const { chatId, quoted: given, repliesTo: externalMessageId } = inbound
  if (given !== undefined || externalMessageId === undefined) return inbound
  const quoted = await findQuoted(store, { connectionId, chatId, externalMessageId })
  return quoted === null ? inbound : { ...inbound, quoted: quoted.slice(0, QUOTED_LENGTH) }
}
