// Polls the channels that do not deliver by webhook: one long poll per connection, in one process of all.
// A batch is acknowledged to the provider only after everything in it is stored.
import { setTimeout as sleep } from 'node:timers/promises'
import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { setConnected, setConnectionError } from '#server/domain/channels/connections/connections.store.ts'
import { listStuck } from '#server/domain/channels/health/health.store.ts'
import { listPolling, type PollingConnection, savePollOffset } from '#server/domain/channels/health/polling.store.ts'
import { noteProblem } from '#server/domain/channels/health/problems.store.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import { runInOneProcess } from '#server/platform/db/acquire-lock.ts'
import { listReplays } from '../../inbound-events/replays.store.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { backfillHistory } from './backfill-history.ts'
import { mayMoveToWebhook, moveToPolling, moveToWebhook } from './delivery-moves.ts'
import { drainUndeliveredWebhooks } from './drain-undelivered-webhooks.ts'
import { takeNotification } from './notifications.ts'
import { replayRequested } from './replay.ts'

/** How long a provider holds a poll open when there are no updates. */
const WAIT_SECONDS = 25
/** How often connections are read again when no commit wakes the poller. */
const REFRESH_EVERY_MS = 30_000
/** Minimum time between two reads: under load commits come all the time. */
const REFRESH_PAUSE_MS = 500
/** Backfill attempts before new messages are received without the missed ones. */
const MISSED_TRIES = 3
/** Attempts to move a connection to its webhook before it is only polled until the next start. */
const MOVE_TRIES = 3
/** Minimum time between polls when a provider answers a long poll at once without updates. */
const AT_ONCE_PAUSE_MS = 500
/** Notifications that were put aside and are taken in again before connections are read again. */
const REPLAYS_AT_ONCE = 50
const BACKOFF_MS = [1000, 2000, 5000, 10_000, 30_000]

export interface Poller {
  /** Looks for connections that came or went. */
  wake(): void
  stop(): Promise<void>
}

/** Polls every polling connection, as soon as this process holds the poller's lock. */
export function startPoller(ctx: PipelineContext): Poller {
  const loops = new Map<string, { token: string; controller: AbortController; done: Promise<void> }>()
  const stopping = new AbortController()
  let woken = Promise.withResolvers<void>()

  async function lead(signal: AbortSignal): Promise<void> {
    await moveToPolling(ctx, signal)
    while (!signal.aborted) {
      const found = await readPolled(ctx).catch(
        (error: unknown) => void ctx.logger.warn({ err: error }, 'polling connections were not read'),
      )
      if (found) update(found.connections)
      if (found) await drainUndeliveredWebhooks(ctx, found.stuck, signal)
      if (found) await replayRequested(ctx, found.replays, signal)
      await sleep(REFRESH_PAUSE_MS * ctx.waitShare, undefined, { signal }).catch(() => undefined)
      await Promise.race([woken.promise, sleep(REFRESH_EVERY_MS * ctx.waitShare, undefined, { signal })]).catch(
        () => undefined,
      )
      woken = Promise.withResolvers()
    }
    for (const { controller } of loops.values()) controller.abort()
    await Promise.all([...loops.values()].map(({ done }) => done))
  }

  function update(connections: PollingConnection[]): void {
    const wanted = new Map(connections.map((connection) => [connection.id as string, connection.encryptedToken]))
    // A connection whose token changed is polled again from scratch, with the new one.
    for (const [id, loop] of loops) if (wanted.get(id) !== loop.token) loop.controller.abort()
    for (const connection of connections) {
      if (loops.has(connection.id)) continue
      const controller = new AbortController()
      const done = pollConnection(ctx, connection, controller.signal)
        .catch((error: unknown) => ctx.logger.error({ err: error, connectionId: connection.id }, 'polling ended'))
        .finally(() => loops.delete(connection.id))
      loops.set(connection.id, { token: connection.encryptedToken, controller, done })
    }
  }

  const { database } = ctx.services
  const onError = (error: unknown) => ctx.logger.error({ err: error }, 'polling was broken off')
  const running = runInOneProcess({ database, name: 'poller', signal: stopping.signal, onError }, lead)
  return {
    wake: () => woken.resolve(),
    async stop() {
      stopping.abort()
      woken.resolve()
      await running
    },
  }
}

/** The connections to poll, those with failing deliveries, and notifications to be taken in again, in one round trip. */
function readPolled(ctx: PipelineContext) {
  return ctx.look(
    'pipeline: polling connections',
    async (store) => {
      const [connections, stuck, replays] = await Promise.all([
        listPolling(store, beginningOf(ctx)),
        listStuck(store),
        listReplays(store, REPLAYS_AT_ONCE),
      ])
      return { connections, stuck, replays }
    },
    { statements: 3 },
  )
}

/** Polls one connection until aborted or refused for good. */
async function pollConnection(ctx: PipelineContext, connection: PollingConnection, signal: AbortSignal): Promise<void> {
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const adapter: ChannelAdapter = ctx.services.channels[connection.channel]
  if (!adapter.polling) throw new Error(`the channel ${connection.channel} cannot be polled`)
  let offset = connection.pollOffset
  let failures = 0
  // Updates that arrived before a poll waited for them: at the beginning, and after every failure.
  let isCatchingUp = true
  // The previous process may have noted a problem.
  let mayBeNoted = true
  // Another consumer takes updates as well; over once a long poll completes without a conflict.
  let isDisputed = false
  let { isLeft } = connection
  // Set once the provider reports a gap, until it is backfilled: later polls, also after a restart, need not report it again.
  let hasGap = connection.hasGap
  // Counts only failures of the backfill itself, not of the poll before it.
  let missedTries = 0
  let movesLeft = mayMoveToWebhook(ctx, connection) ? MOVE_TRIES : 0
  while (!signal.aborted) {
    const begunAt = new Date()
    const hasWaited = !isCatchingUp
    try {
      const polled = await adapter.polling.poll(credentials, offset, isCatchingUp ? 0 : WAIT_SECONDS, signal)
      const { updates, nextOffset } = polled
      hasGap ||= polled.isGap ?? false
      if (hasGap) {
        const isLastTry = missedTries++ >= MISSED_TRIES
        await backfillHistory(ctx, connection, { isLastTry, signal })
        missedTries = 0
      }
      for (const update of updates) await takeNotification(ctx, connection, update)
      ctx.connectionActivity.accepted(connection.id, begunAt)
      if (isCatchingUp) ctx.connectionActivity.recovered(connection.id, updates.length)
      isCatchingUp = isCatchingUp && updates.length > 0
      // The offset only acknowledges: after a quiet week the numbers restart anywhere, and a stale offset would hide updates.
      if (nextOffset !== offset || hasGap) {
        await ctx.organization(connection.organizationId, (store) => savePollOffset(store, connection.id, nextOffset))
      }
      hasGap = false
      offset = nextOffset
      if (isLeft)
        await ctx.organization(connection.organizationId, (store) => setConnected(store, connection.id, begunAt))
      isLeft = false
      isDisputed &&= !hasWaited
      if (mayBeNoted && !isDisputed) await note(ctx, connection, null)
      mayBeNoted &&= isDisputed
      failures = 0
      if (hasWaited && updates.length === 0) await waitOut(AT_ONCE_PAUSE_MS, begunAt, signal)
      if (!isCatchingUp && !isLeft && movesLeft-- > 0 && (await isMoved(ctx, connection, offset))) return
    } catch (error) {
      if (signal.aborted) return
      if (await giveUp(ctx, connection, { error, begunAt })) return
      const waitMs =
        error instanceof AdapterError && error.retryAfterMs !== null
          ? error.retryAfterMs
          : backoff(failures) * ctx.waitShare
      failures++
      isCatchingUp = true
      mayBeNoted = true
      isDisputed = isConflict(error)
      await note(ctx, connection, error instanceof AdapterError ? error.message : 'internal')
      if (isConflict(error) && (await isPolled(ctx, connection))) {
        await adapter.connect(credentials, null).catch(() => undefined)
      }
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
}

/** Waits until `ms` have passed since `since`. */
async function waitOut(ms: number, since: Date, signal: AbortSignal): Promise<void> {
  const left = ms - (Date.now() - since.getTime())
  if (left > 0) await sleep(left, undefined, { signal, ref: false }).catch(() => undefined)
}

/** Moves a connection to its webhook, after all waiting updates are received. If the provider refuses, polling continues. */
async function isMoved(ctx: PipelineContext, connection: PollingConnection, offset: number | null): Promise<boolean> {
  try {
    await moveToWebhook(ctx, connection, offset)
    return true
  } catch (error) {
    ctx.logger.warn({ err: error, connectionId: connection.id }, 'a connection was not moved to its webhook')
    return false
  }
}

/** Whether to stop polling: a revoked token stays invalid until a user connects the account again. */
async function giveUp(
  ctx: PipelineContext,
  connection: PollingConnection,
  { error, begunAt }: { error: unknown; begunAt: Date },
): Promise<boolean> {
  if (!(error instanceof AdapterError)) {
    ctx.logger.error({ err: error, connectionId: connection.id }, 'polling failed')
    return false
  }
  ctx.logger.warn({ connectionId: connection.id, kind: error.kind, text: error.message }, 'polling was refused')
  if (error.kind !== 'unauthorized') return false
  await ctx.organization(connection.organizationId, (store) =>
    setConnectionError(store, connection.id, error.message, begunAt, connection.encryptedToken),
  )
  return true
}

/** Channels whose polling begins at an offset that is stored when the connection is made. */
function beginningOf({ services }: PipelineContext): string[] {
  const all: [string, ChannelAdapter][] = Object.entries(services.channels)
  return all.flatMap(([channel, { polling }]) => (polling?.beginPolling ? [channel] : []))
}

/** False once a user has switched the connection to its webhook: then the conflicting webhook is our own. */
async function isPolled(ctx: PipelineContext, { id }: PollingConnection): Promise<boolean> {
  const connections = await ctx.look('pipeline: polling connections', (store) => listPolling(store, beginningOf(ctx)))
  return connections.some((connection) => connection.id === id)
}

/** A webhook is set, or another program polls the same account. */
function isConflict(error: unknown): boolean {
  return error instanceof AdapterError && error.kind === 'conflict'
}

async function note(ctx: PipelineContext, connection: PollingConnection, problem: string | null): Promise<void> {
  await ctx
    .organization(connection.organizationId, (store) => noteProblem(store, connection.id, problem))
    .catch((error: unknown) => ctx.logger.warn({ err: error }, 'a problem was not noted'))
}

function backoff(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 1000
}
