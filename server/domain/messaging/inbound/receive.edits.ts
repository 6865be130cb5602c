// Picks the edit of a message that counts: the latest one. It may arrive before the message, or before an earlier edit.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { InboundMessage } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { listEdits, type Named } from '../inbound-events/edits.store.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { changeStored, type InboundEdit } from './receive.edit.store.ts'

/** The latest edit of a message, by the provider's clock or else by arrival; undefined when none has arrived. */
export async function findNewestEdit(
  ctx: PipelineContext,
  store: OrgStoreContext,
  connection: StoredConnection,
  message: Named,
): Promise<InboundEdit | undefined> {
  const adapter = ctx.services.channels[connection.channel]
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const payloads = await listEdits(store, connection.id, message)
  let newest: InboundEdit | undefined
  for (const inbound of payloads.map((payload) => adapter.parse(payload, credentials))) {
    if (inbound.kind === 'edit' && !isOlder(inbound, newest)) newest = inbound
  }
  // The edit may name the chat by a former id of its customer.
  return newest && { ...newest, chatId: message.chatId }
}

/**
 * Applies edits that arrived before their message, in the transaction that stores the message, so that its original text is never
 * answered. `homeId`: the connection under which its conversation is stored. @returns the text that counts
 */
export async function applyEarlyEdits(
  ctx: PipelineContext,
  store: OrgStoreContext,
  connection: StoredConnection,
  { inbound, homeId }: { inbound: InboundMessage; homeId: StoredConnection['id'] },
): Promise<string> {
  const { externalMessageId, text } = inbound
  if (externalMessageId === undefined) return text
  const newest = await findNewestEdit(ctx, store, connection, { ...inbound, externalMessageId })
  if (newest) await changeStored(store, homeId, newest)
  return newest?.text ?? text
}

function isOlder({ editedAt: at }: InboundEdit, than: InboundEdit | undefined): boolean {
  return at !== undefined && than?.editedAt !== undefined && at < than.editedAt
}
