// Which change of a message counts: the one that was made last. It may have come before the message, or before an earlier change.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { listEdits, type Named } from './handlers/edits.store.ts'
import { changeStored, type InboundEdit } from './receive.edit.store.ts'
import type { InboundMessage } from './receive.store.ts'

/** The change of a message that was made last, by the provider's clock or else as they came; undefined: none has come. */
export async function findNewestEdit(
  ctx: PipelineContext,
  store: OrgStoreContext,
  connection: StoredConnection,
  said: Named,
): Promise<InboundEdit | undefined> {
  const adapter = ctx.services.channels[connection.channel]
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const told = (await listEdits(store, connection.id, said)).map((payload) => adapter.parse(payload, credentials))
  let newest: InboundEdit | undefined
  for (const inbound of told) {
    if (inbound.kind === 'edit' && !isOlder(inbound, newest)) newest = inbound
  }
  // Its chat may have been known by another id than its customer is now.
  return newest && { ...newest, chatId: said.chatId }
}

/**
 * Makes a message that was just stored say what its customer had made of it before it came. In the transaction that has stored it:
 * nobody answers what it said at first. `homeId`: the connection by which its conversation is found. @returns what it says
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
