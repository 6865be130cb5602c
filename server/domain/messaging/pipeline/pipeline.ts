// The reply pipeline as one part: made in app.ts, started after the database is ready, stopped before it is closed.
//
//   webhooks.http.ts · http-channel.http.ts · webchat.http.ts · poll.ts ─► receive.ts ─► runner.ts ─► reply.ts ─► deliver.ts
import { type Context, Hono } from 'hono'
import { createConnectionActivity } from '#server/domain/channels/health/connection-activity.ts'
import type { Services } from '#server/functions/services.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { isOutage } from '#server/platform/db/engine/engine.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { Deliverer } from '../delivery/deliver.ts'
import { httpChannelRoutes } from '../inbound/sources/http-channel.http.ts'
import { type Poller, startPoller } from '../inbound/sources/poll.ts'
import { webhookRoutes } from '../inbound/sources/webhooks.http.ts'
import { sharedChatRoutes } from '../playground/test-chat.http.ts'
import { Runner } from '../replies/runner.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { hasWork } from '../turns/runner.store.ts'
import { webchatRoutes } from '../webchat/webchat.http.ts'
import { VisitorLimits } from '../webchat/webchat.limits.ts'
import { VisitorStreams } from '../webchat/webchat.streams.ts'
import { Housekeeping } from './housekeeping.ts'
import { type Liveness, startLiveness } from './liveness.ts'
import { metricsRoutes } from './metrics.http.ts'
import { Orphans } from './orphans.ts'

export interface Pipeline {
  /** The webhooks of channels, the doors for programs and for the web chat's visitors, and the metrics, with whole paths. */
  routes: Hono
  /** Starts receiving, answering and sending. */
  start(): Promise<void>
  /** Resolves when nothing is due, being answered or being sent. */
  settle(): Promise<void>
  /** Aborts generations, waits for sends in progress, and releases the rest. Idempotent, also before `start`. */
  stop(): Promise<void>
}

const STOP_SENDS_MS = 3000
const SETTLE_PAUSE_MS = 10

type Parts = { liveness: Liveness; housekeeping: Housekeeping; poller: Poller }

export type PipelineParts = {
  services: Services
  logger: Logger
  /** The client address of a request, by which rate limits are counted. */
  addressOf(c: Context): string
  /** Bearer token for the metrics; without one they cannot be read. */
  metricsToken?: string | undefined
  /** How long to wait for sends in progress when the server stops, milliseconds. */
  stopSendsMs?: number
  /** As of `PipelineContext`. */
  waitShare?: number | undefined
}

/** A pipeline over the services of this process. */
export function createPipeline({
  services,
  logger,
  addressOf,
  metricsToken,
  stopSendsMs = STOP_SENDS_MS,
  waitShare = 1,
}: PipelineParts): Pipeline {
  let parts: Parts | undefined
  const orphans = new Orphans()
  const ctx = createContext(services, logger, {
    waitShare,
    owner: () => parts?.liveness.owner ?? 0,
    runner: () => runner,
    deliverer: () => deliverer,
    failed: (error) => {
      if (isOutage(error)) orphans.suspect()
    },
  })
  const runner = new Runner(ctx)
  const deliverer = new Deliverer(ctx)
  const streams = new VisitorStreams(services.database, logger)
  const visitors = webchatRoutes({ ctx, streams, limits: new VisitorLimits(), addressOf })
  const metrics = metricsRoutes(ctx, { sent: () => deliverer.sentParts, token: metricsToken })
  const unsubscribe: (() => void)[] = []
  return {
    routes: new Hono()
      .route('/', webhookRoutes(ctx))
      .route('/', httpChannelRoutes(ctx))
      .route('/', visitors)
      .route('/', sharedChatRoutes(services))
      .route('/', metrics),

    async start() {
      const liveness = await startLiveness(services.database)
      const poller = startPoller(ctx)
      unsubscribe.push(services.database.onCommit(poller.wake))
      parts = {
        liveness,
        poller,
        housekeeping: new Housekeeping(ctx, { runner, deliverer, liveness, streams, orphans }),
      }
    },

    async settle() {
      for (;;) {
        await parts?.housekeeping.look()
        while (!runner.isIdle() || !deliverer.isIdle()) await pause()
        if (!(await ctx.look('pipeline: is anything due', hasWork))) return
        await pause()
      }
    },

    async stop() {
      await streams.close()
      const stopped = parts
      if (!stopped) return
      for (const end of unsubscribe) end()
      await stopped.poller.stop()
      await runner.stop()
      await deliverer.stop(stopSendsMs)
      await stopped.housekeeping.stop()
      await stopped.liveness.close()
      parts = undefined
    },
  }
}

type Late = {
  waitShare: number
  owner(): number
  runner(): Runner
  deliverer(): Deliverer
  failed(error: unknown): void
}

function createContext(services: Services, logger: Logger, late: Late): PipelineContext {
  const { database } = services
  const write = { isolation: 'read committed' } as const
  const read = { readOnly: true } as const
  const noted = <T>(transaction: Promise<T>): Promise<T> => {
    transaction.catch(late.failed)
    return transaction
  }
  return {
    services,
    logger,
    waitShare: late.waitShare,
    owner: late.owner,
    organization: (id, run, options) =>
      noted(database.organization(id, (db) => run({ db, organizationId: id }), { ...write, ...options })),
    together: (id, first, others, options) => {
      const all = { ...write, ...options, statements: 1 + others.length }
      return noted(database.organization(id, (db) => sendTogether({ db, organizationId: id }, first, others), all))
    },
    read: (id, run, options) =>
      noted(database.organization(id, (db) => run({ db, organizationId: id }), { ...read, ...options })),
    system: (purpose, run, options) => noted(database.system(purpose, (db) => run({ db }), { ...write, ...options })),
    look: (purpose, run, options) =>
      noted(database.system(purpose, (db) => run({ db }), { ...read, statements: 1, ...options })),
    connectionActivity: createConnectionActivity(),
    reserveReply: (organizationId) => late.runner().reserve(organizationId),
    reserveSend: (connectionId, id) => late.deliverer().reserve(connectionId, id),
    wake: {
      turns() {
        failpoint('turns-woken')
        void late.runner().claim()
      },
      parts: (parts) => late.deliverer().take(parts),
      outbox: () => void late.deliverer().claim(),
    },
  }
}

async function sendTogether<T>(
  store: OrgStoreContext,
  first: (store: OrgStoreContext) => Promise<T>,
  others: ((store: OrgStoreContext) => Promise<unknown>)[],
): Promise<T> {
  const [answer] = await Promise.all([first(store), ...others.map((send) => send(store))])
  return answer
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS))
}
