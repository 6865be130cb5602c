// Delivers events: looks for what is due, posts it, and records what came of it. Whatever a server that died had under way is delivered by
// another one under the same id. The pipeline never waits for it.
import type { Services } from '#server/functions/services.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { AdaptiveTimer } from '#server/platform/lib/scheduling/adaptive-timer.ts'
import { attemptDelivery } from './deliver.ts'
import { announceDisabled } from './disabled.ts'
import { type Leased, leaseQueues, nextDue, recordAttempt, releaseQueue } from './queues.store.ts'
import { type Attempt, judge, restAskedMs } from './webhooks.rules.ts'

/** Without activity an event can become due only by time, and then an alarm is set for it. */
const BUSY_MS = 1000
const IDLE_MS = 30_000
const SOONEST_MS = 100
/** Attempts under way in one process; those of one organization and of one endpoint are fewer. */
const AT_ONCE = 100
const READ = { isolation: 'read committed', readOnly: true } as const
const WRITE = { isolation: 'read committed' } as const

type Parts = Pick<Services, 'database' | 'outbound' | 'secrets' | 'jobs'>

export interface WebhookRunner {
  /** Resolves when nothing is due or under way. For tests. */
  settle(): Promise<void>
  /** Takes no more work; resolves when attempts under way are recorded. Safe to repeat. */
  stop(): Promise<void>
}

/** Delivers from its making until it is stopped. */
export function startWebhooks(parts: Parts, log: Logger): WebhookRunner {
  const runner = new Runner(parts, log)
  return { settle: () => runner.settle(), stop: () => runner.stop() }
}

class Runner {
  readonly #parts: Parts
  readonly #log: Logger
  readonly #timer: AdaptiveTimer
  readonly #unsubscribe: () => void
  readonly #underWay = new Set<Promise<void>>()
  #looking: Promise<void> | null = null
  #isLookWanted = false
  #dueInMs: number | null = null
  #isStopping = false

  constructor(parts: Parts, log: Logger) {
    this.#parts = parts
    this.#log = log
    const idleMs = () => Math.min(Math.max(this.#dueInMs ?? IDLE_MS, SOONEST_MS), IDLE_MS)
    this.#timer = new AdaptiveTimer({ busyMs: BUSY_MS, idleMs }, () => this.#look())
    this.#unsubscribe = parts.database.onCommit(() => this.#timer.active())
  }

  async settle(): Promise<void> {
    for (;;) {
      await this.#look()
      if (this.#underWay.size === 0) return
      await Promise.all(this.#underWay)
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#unsubscribe()
    this.#timer.stop()
    await this.#looking
    await Promise.all(this.#underWay)
  }

  #look(): Promise<void> {
    this.#isLookWanted = true
    this.#looking ??= this.#lookAround()
      .catch((error: unknown) => this.#log.warn({ err: error }, 'webhooks were not looked after'))
      .finally(() => {
        this.#looking = null
      })
    return this.#looking
  }

  async #lookAround(): Promise<void> {
    const { database } = this.#parts
    while (this.#isLookWanted && !this.#isStopping) {
      this.#isLookWanted = false
      this.#dueInMs = await database.system('webhooks: look around', (db) => nextDue({ db }), READ)
      const room = AT_ONCE - this.#underWay.size
      // Wanted again while this was read: what has become due since is not in it.
      if (this.#dueInMs === null || this.#dueInMs > 0 || room <= 0) continue
      const lease = newId()
      const leased = await database.system('webhooks: lease', (db) => leaseQueues({ db }, lease, room), WRITE)
      for (const queue of leased) this.#begin(queue, lease)
      this.#isLookWanted ||= leased.length > 0
    }
  }

  #begin(leased: Leased, lease: string): void {
    const work = this.#deliver(leased, lease)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a webhook attempt was not recorded'))
      .finally(() => {
        this.#underWay.delete(work)
        if (!this.#isStopping) void this.#look()
      })
    this.#underWay.add(work)
  }

  async #deliver(leased: Leased, lease: string): Promise<void> {
    const { database } = this.#parts
    const { delivery } = leased
    if (!delivery) return database.system('webhooks: release', (db) => releaseQueue({ db }, { leased, lease }), WRITE)
    const attempt = await attemptDelivery(this.#parts, leased, delivery)
    await this.#record(leased, lease, { attempt, tried: delivery })
  }

  async #record(
    leased: Leased,
    lease: string,
    { attempt, tried }: { attempt: Attempt; tried: { tries: number; firstAgoMs: number } },
  ): Promise<void> {
    const { database, jobs, secrets } = this.#parts
    const verdict = judge(attempt, tried, Math.random())
    const ended = { leased, lease, attempt, verdict, restMs: restAskedMs(attempt, Date.now()) }
    await database.system(
      'webhooks: outcome',
      async (db) => {
        if (await recordAttempt({ db }, ended)) await announceDisabled({ db, jobs, secrets }, leased.endpointId)
      },
      WRITE,
    )
  }
}
