// Backfills messages that a provider no longer returns by polling, after a time without polls. Where they cannot be read in another way,
// or not completely, users are shown since when messages may be missing.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import { beginGap, noteMissed } from '#server/domain/channels/health/missed.store.ts'
import type { Missed } from '#server/integrations/channels/contract/capabilities.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import { sanitizePayload } from '#server/platform/lib/text/sanitize-payload.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { isEcho } from '../handlers/echoes.ts'
import { takeNotification } from './notifications.ts'

/** Errors that a retry does not change. */
const FINAL = new Set(['permanent', 'blocked', 'suspended', 'out_of_window'])
const NOTHING: Missed = { updates: [], isAll: false }

/**
 * Receives the messages of the gap. Idempotent: known messages are not received twice.
 * @param isLastTry gives up on what cannot be read, since new messages would wait for it; what was read is received
 * @throws AdapterError where a retry may help
 */
export async function backfillHistory(
  ctx: PipelineContext,
  connection: StoredConnection,
  { isLastTry, signal }: { isLastTry: boolean; signal: AbortSignal },
): Promise<void> {
  const adapter: ChannelAdapter = ctx.services.channels[connection.channel]
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const { organizationId, id } = connection
  const since = await ctx.organization(organizationId, (store) => beginGap(store, id))
  const { updates, isAll, failure } = (await adapter.polling?.readMissed?.(credentials, since, signal)) ?? NOTHING
  if (failure) {
    if (failure.kind === 'unauthorized' || !(isLastTry || FINAL.has(failure.kind))) throw failure
    ctx.logger.warn({ connectionId: id, kind: failure.kind, text: failure.message }, 'not all that was missed is read')
  }
  let taken = 0
  const isAnswered = await findAnswered(ctx, connection, updates)
  for (const [at, update] of updates.entries()) {
    const received = await takeNotification(ctx, connection, update, { isAnswered: isAnswered(at) })
    if (received.status === 'stored') taken++
  }
  ctx.connectionActivity.recovered(id, taken)
  ctx.logger.warn({ connectionId: id, taken, isAll }, 'the provider does not keep all that came in the meantime')
  if (!isAll) await ctx.organization(organizationId, (store) => noteMissed(store, id, since))
}

/**
 * Whether the customer's message at an index was followed by a person's answer in the same chat. Without this the agent might answer
 * first, since messages of other chats are received in between.
 */
async function findAnswered(
  ctx: PipelineContext,
  connection: StoredConnection,
  updates: unknown[],
): Promise<(at: number) => boolean> {
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const parsed = updates.map((update) =>
    ctx.services.channels[connection.channel].parse(sanitizePayload(update), credentials),
  )
  const lastAnswers = new Map<string, number>()
  for (const [at, inbound] of [...parsed.entries()].reverse()) {
    if (inbound.kind !== 'humanReply' || lastAnswers.has(inbound.chatId)) continue
    if (!(inbound.mayBeOurs && (await isEcho(ctx, connection, inbound)))) lastAnswers.set(inbound.chatId, at)
  }
  return (at) => {
    const inbound = parsed[at]
    return inbound?.kind === 'message' && at < (lastAnswers.get(inbound.chatId) ?? 0)
  }
}
