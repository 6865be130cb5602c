// What customers are called, for channels whose messages do not say: the provider is asked before a message is stored, and only until it
// has answered once. A message never waits long for a name, and is never lost for want of one.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { findSenderName } from './sender-names.store.ts'

/** The provider waits for an answer to its delivery meanwhile. */
const ASKED_FOR_MS = 3000

/** Questions that are under way: who writes twice meanwhile is asked for once, and their messages go on in their order. */
const asked = new Map<string, Promise<Told>>()
type Told = { name: string; username: string | null } | null

/** The notification with the name of whoever wrote it; as it was, with their id for a name, where nobody can tell it now. */
export async function withSenderName(
  ctx: PipelineContext,
  connection: StoredConnection,
  inbound: Inbound,
): Promise<Inbound> {
  const adapter: ChannelAdapter = ctx.services.channels[connection.channel]
  if (!adapter.profiles || inbound.kind !== 'message') return inbound
  const { chatId, sender } = inbound
  const known = await ctx.organization(connection.organizationId, (store) =>
    findSenderName(store, connection.id, sender.externalId),
  )
  if (known && known.name !== sender.externalId) return { ...inbound, sender: { ...sender, ...known } }
  const told = await ask(ctx, connection, { chatId, externalId: sender.externalId })
  return told ? { ...inbound, sender: { ...sender, ...told } } : inbound
}

function ask(ctx: PipelineContext, connection: StoredConnection, who: { chatId: string; externalId: string }) {
  const key = `${connection.id} ${who.externalId}`
  const underWay = asked.get(key)
  if (underWay) return underWay
  const adapter: ChannelAdapter = ctx.services.channels[connection.channel]
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const telling = Promise.resolve(
    adapter.profiles?.nameSender(credentials, who, AbortSignal.timeout(ASKED_FOR_MS)) ?? null,
  )
    .catch((error: unknown) => {
      ctx.logger.warn({ err: error, connectionId: connection.id }, 'the name of a customer was not told')
      return null
    })
    .finally(() => asked.delete(key))
  asked.set(key, telling)
  return telling
}
