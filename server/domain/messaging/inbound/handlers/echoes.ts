// Whether a message of a connected account was sent by us, where the provider does not distinguish: an agent's answer that is mistaken
// for a person's would pause the agent.
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import { isSentTest } from '#server/domain/channels/health/sent-tests.store.ts'
import { recordTaken } from '../../outbox/unknown-sends.store.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { type EchoTrace, type OwnMessage, traceEcho } from './echoes.store.ts'

/** Providers may report a message before they respond to its send request, and only the response has its id: wait this long for it. */
const WAIT_MS = 1000
const LOOK_EVERY_MS = 100

/** Whether `message` is our own. A part with an unknown send outcome that it matches is marked as sent. */
export async function isEcho(
  ctx: PipelineContext,
  { id: connectionId, organizationId, channel }: StoredConnection,
  message: Omit<OwnMessage, 'connectionId'>,
): Promise<boolean> {
  const { externalMessageId } = message
  const { markup } = ctx.services.channels[channel].showing
  const look = () =>
    ctx.read(organizationId, async (store): Promise<EchoTrace> => {
      const trace = await traceEcho(store, { connectionId, ...message }, markup)
      if (trace.isOurs) return trace
      const { chatId, isFile, text } = message
      const isTest = await isSentTest(store, { connectionId, chatId, externalMessageId, text: isFile ? null : text })
      return isTest ? { ...trace, isOurs: true } : trace
    })
  const until = performance.now() + WAIT_MS
  let trace: EchoTrace = await look()
  while (!trace.isOurs && trace.isUnderWay && performance.now() < until) {
    await sleep(LOOK_EVERY_MS)
    trace = await look()
  }
  const { isOurs, unknownId } = trace
  if (!isOurs && unknownId !== null) {
    await ctx.organization(organizationId, (store) => recordTaken(store, [{ id: unknownId, externalMessageId }]))
  }
  return isOurs || unknownId !== null
}
