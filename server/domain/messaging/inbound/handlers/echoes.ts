// Whether what an account has said itself was sent by us, where the provider makes no difference: taken for a person's answer, an answer of
// the agent would silence the agent.
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import { isSentTest } from '#server/domain/channels/health/sent-tests.store.ts'
import { recordTaken } from '../../delivery/unknown-sends.store.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { type EchoTrace, type OwnMessage, traceEcho } from './echoes.store.ts'

/** Providers tell of a message before they have answered its sending: its id is known as soon as they have. They wait for us meanwhile. */
const WAIT_MS = 1000
const LOOK_EVERY_MS = 100

/** One that was sent and not known to have arrived is written down as arrived. */
export async function isEcho(
  ctx: PipelineContext,
  { id: connectionId, organizationId, channel }: StoredConnection,
  said: Omit<OwnMessage, 'connectionId'>,
): Promise<boolean> {
  const { externalMessageId } = said
  const { markup } = ctx.services.channels[channel].showing
  const look = () =>
    ctx.read(organizationId, async (store): Promise<EchoTrace> => {
      const trace = await traceEcho(store, { connectionId, ...said }, markup)
      if (trace.isOurs) return trace
      const { chatId, isFile, text } = said
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
