// Sends alerts: polls every few seconds for alerts to plan and send. The pipeline never waits for it.
import type { Services } from '#server/functions/services.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { AdaptiveTimer } from '#server/platform/lib/scheduling/adaptive-timer.ts'
import { outsideWays, undisturbedFrom } from './alerts.rules.ts'
import * as store from './sends.store.ts'
import { sendOut } from './ways.ts'

/** When idle, only postponed alerts can become due. */
const LOOK_EVERY = { busyMs: 2000, idleMs: 30_000 }
/** Looks between two in which alerts whose cause is over are ended. */
const LOOKS_BETWEEN = 3
const READ = { isolation: 'read committed', readOnly: true } as const
const WRITE = { isolation: 'read committed' } as const

type Parts = Pick<Services, 'database' | 'mailer' | 'alertBot' | 'webPush' | 'publicUrl'>

export interface AlertRunner {
  /** Resolves when nothing is left to plan or due. For tests. */
  settle(): Promise<void>
  /** Stops taking work; resolves when sends in progress are done. Safe to repeat. */
  stop(): Promise<void>
}

/** Looks around from its making until it is stopped. */
export function startAlerts(parts: Parts, log: Logger): AlertRunner {
  let looking: Promise<void> | null = null
  let looks = 0
  const look = () => {
    looking ??= lookAround(parts, looks++ % LOOKS_BETWEEN === 0)
      .catch((error: unknown) => log.warn({ err: error }, 'alerts were not looked after'))
      .finally(() => {
        looking = null
      })
    return looking
  }
  const timer = new AdaptiveTimer(LOOK_EVERY, look)
  const unsubscribe = parts.database.onCommit(() => timer.active())
  return {
    async settle() {
      await looking
      looks = 0
      await look()
    },
    async stop() {
      unsubscribe()
      timer.stop()
      await looking
    },
  }
}

async function lookAround(parts: Parts, endsOver: boolean): Promise<void> {
  const { database } = parts
  if (endsOver) await database.system('alerts: end what is over', (db) => store.endOver({ db }), WRITE)
  while (await database.system('alerts: look around', (db) => store.hasWork({ db }), READ)) {
    // One process plans at a time: two could alert a person of the same conversation twice.
    await database.withLock('alerts', () => database.system('alerts: decide', (db) => plan({ db }), WRITE))
    const sends = await database.system('alerts: take', (db) => store.takeSends({ db }), WRITE)
    await Promise.all(sends.map((send) => carryOut(parts, send)))
  }
}

async function plan(ctx: Parameters<typeof store.takeUnplanned>[0]): Promise<void> {
  const now = Date.now()
  const sends = (await store.takeUnplanned(ctx)).flatMap(({ id: alertId, kind, settings }) => {
    const at = new Date(undisturbedFrom(settings, now))
    return outsideWays(settings, kind).map((way) => ({ alertId, way, at }))
  })
  if (sends.length > 0) await store.insertSends(ctx, sends)
}

async function carryOut(parts: Parts, send: store.Send): Promise<void> {
  const outcome = await sendOut(parts, send, Date.now())
  await parts.database.system('alerts: outcome', (db) => store.setOutcome({ db }, send, outcome), WRITE)
}
