// Subjects of chats, for channels whose chats have one, such as an ad: requested from the provider with the first message of a chat, and
// stored as that message's quote. A message never waits long for it, and is never lost when the request fails.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { isKnownChat } from './chat-subjects.store.ts'

/** Kept short: the provider waits for the response to its delivery. */
const ASKED_FOR_MS = 3000
/** Characters. */
const SUBJECT_LENGTH = 500

/** The notification with its chat's subject, if it is the first message of the chat; unchanged when the subject is not available. */
export async function withSubject(
  ctx: PipelineContext,
  connection: StoredConnection,
  inbound: Inbound,
): Promise<Inbound> {
  const adapter: ChannelAdapter = ctx.services.channels[connection.channel]
  if (!adapter.profiles?.chatSubject || inbound.kind !== 'message') return inbound
  if (inbound.quoted !== undefined || inbound.repliesTo !== undefined) return inbound
  const { chatId } = inbound
  if (await ctx.read(connection.organizationId, (store) => isKnownChat(store, connection.id, chatId))) return inbound
  const credentials = credentialsOf(ctx.services.secrets, connection)
  try {
    const subject = await adapter.profiles.chatSubject(credentials, chatId, AbortSignal.timeout(ASKED_FOR_MS))
    return subject ? { ...inbound, quoted: subject.slice(0, SUBJECT_LENGTH) } : inbound
  } catch (error) {
    ctx.logger.warn({ err: error, connectionId: connection.id }, 'the subject of a chat was not fetched')
    return inbound
  }
}
