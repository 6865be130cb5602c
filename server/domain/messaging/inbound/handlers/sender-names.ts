// Names of customers, for channels whose messages do not include them: requested from the provider before a message is stored, until one
// request succeeds. A message never waits long for a name, and is never lost when the request fails.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { findSenderName } from './sender-names.store.ts'

/** Kept short: the provider waits for the response to its delivery. */
const ASKED_FOR_MS = 3000

/** Requests in flight: messages of one sender share a request, and keep their order. */
const asked = new Map<string, Promise<SenderName>>()
type SenderName = { name: string; username: string | null } | null

/** The notification with the name of its sender; unchanged, with their id as the name, when the name is not available. */
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
  const named = await ask(ctx, connection, { chatId, externalId: sender.externalId })
  return named ? { ...inbound, sender: { ...sender, ...named } } : inbound
}

function ask(ctx: PipelineContext, connection: StoredConnection, who: { chatId: string; externalId: string }) {
  const key = `${connection.id} ${who.externalId}`
  const underWay = asked.get(key)
  if (underWay) return underWay
  const adapter: ChannelAdapter = ctx.services.channels[connection.channel]
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const request = Promise.resolve(
    adapter.profiles?.nameSender(credentials, who, AbortSignal.timeout(ASKED_FOR_MS)) ?? null,
  )
    .catch((error: unknown) => {
      ctx.logger.warn({ err: error, connectionId: connection.id }, 'the name of a customer was not fetched')
      return null
    })
    .finally(() => asked.delete(key))
  asked.set(key, request)
  return request
}
