// Background jobs on pg-boss, in the same database as everything else: queued with the transaction, at least once, on both engines.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job as BossJob, fromKysely, PgBoss, type QueueResult, type Schedule } from 'pg-boss'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { AdaptiveTimer } from '#server/platform/lib/scheduling/adaptive-timer.ts'
import { withBriefGroups } from './brief-jobs.ts'
import type { Job, JobSender } from './jobs.ts'
import { bossDatabase, countWaiting, grantSending, JOBS_SCHEMA, listDue } from './pg-boss.database.ts'

/** A job of any data. */
type AnyJob<Context> = Job<never, Context>

export interface Jobs extends JobSender<Db> {
  /** Makes the queues of these jobs and begins to run what is in them. Before it nothing can be sent. */
  start<Context>(jobs: readonly AnyJob<Context>[], ctx: Context): Promise<void>
  /** Resolves when no job is running and none is due. For tests. */
  settle(): Promise<void>
  /** Takes no more jobs; those that do not end soon are aborted and returned to the queue. Safe to repeat. */
  stop(): Promise<void>
}

export type JobsOptions = {
  database: Database
  /** Names the file store of this process: local jobs run only in processes that share it. */
  fileStoreId: string
  /** By default `LIFE`. */
  life?: Life | undefined
  log: Logger
}
/** A running job without a heartbeat for `heartbeatSeconds`, at least 10, is given to another process, within `lookSeconds`. */
export type Life = { heartbeatSeconds: number; lookSeconds: number }

/**
 * One poll of all queues finds jobs that are scheduled or were queued by another process. `idleMs`: after a while without commits and
 * finished jobs; jobs due within it are known.
 */
const LOOK_EVERY = { busyMs: 2000, idleMs: 15_000 }
/** How far ahead a poll looks for due jobs. */
const LOOK_AHEAD_MS = LOOK_EVERY.idleMs + 1000
/** Workers ask for themselves only as a backstop: each would be a statement that writes. */
const POLL_SECONDS = 600
/** How often what the schedules have begun is passed on to its queue. */
const SCHEDULED_SECONDS = 15
/** How often jobs that wait for other jobs are looked for. There are none. */
const FLOW_SECONDS = 3600
/** A job that fails is tried again so often, after 1, 2, 4, … seconds. */
const RETRIES = 5
const RETRY_SECONDS = 1
const LIFE: Life = { heartbeatSeconds: 30, lookSeconds: 30 }
/** How long running jobs may take after a stop, milliseconds. */
const STOP_MS = 1000
const SETTLE_PAUSE_MS = 10
/** Any id: looking it up brings a queue into pg-boss's cache. */
const NO_JOB = '00000000-0000-0000-0000-000000000000'

export function createJobs({ database, fileStoreId, life = LIFE, log }: JobsOptions): Jobs {
  const boss = new PgBoss({
    db: bossDatabase(database.silentRoot),
    backend: 'postgres',
    schema: JOBS_SCHEMA,
    superviseIntervalSeconds: life.lookSeconds,
    monitorIntervalSeconds: life.lookSeconds,
    cronWorkerIntervalSeconds: SCHEDULED_SECONDS,
    flowIntervalSeconds: FLOW_SECONDS,
    monitorVacuum: false,
    reindex: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'jobs'))
  const queueOf = (job: AnyJob<never>) => (job.isLocal ? `${job.name}.${fileStoreId}` : job.name)
  const wakes = createWakes(boss, database, log)
  let stopping: Promise<void> | undefined
  return {
    async start(jobs, ctx) {
      const known = await readKnown(boss)
      await boss.start()
      for (const job of withBriefGroups(jobs, log)) {
        await registerQueue(boss, queueOf(job), optionsOf(job, life), known)
        await registerSchedule(boss, queueOf(job), job.schedule, known)
        await startWorkers(boss, queueOf(job), job, ctx, { wakes, log })
      }
      const [first] = jobs
      if (first) await boss.findJobs(queueOf(first), { id: NO_JOB }) // fails where the cache of queues could not be filled
      wakes.start()
      await grantSending(database.root)
    },
    async send(db, job, data, { at, merged } = {}) {
      const queue = queueOf(job)
      await boss.send(queue, data, {
        db: fromKysely(db),
        ...(at && { startAfter: at }),
        ...(merged && {
          ...{ singletonKey: merged.key, singletonSeconds: merged.everySeconds, singletonNextSlot: true },
        }),
      })
      wakes.expect(queue)
    },
    async sendAll(db, job, all) {
      if (all.length === 0) return
      const queue = queueOf(job)
      await boss.insert(
        queue,
        all.map((data) => ({ data })),
        { db: fromKysely(db) },
      )
      wakes.expect(queue)
    },
    async settle() {
      while ((await countWaiting(database.root)) > 0) {
        await wakes.due() // not all: each worker would make a statement that writes
        await sleep(SETTLE_PAUSE_MS)
      }
    },
    stop() {
      wakes.close()
      stopping ??= boss.stop({ graceful: true, timeout: STOP_MS, close: false })
      return stopping
    },
  }
}

/** Queues and schedules of the database by name, read at once: most starts find nothing to change. */
type Known = { queues: Map<string, QueueResult>; schedules: Map<string, Schedule> }

/** Before pg-boss starts: what is known here is then in its cache too. Of an older schema nothing is known. */
async function readKnown(boss: PgBoss): Promise<Known> {
  const byName = <Each extends { name: string }>(all: Each[]) => new Map(all.map((each) => [each.name, each]))
  const nothing: Known = { queues: new Map(), schedules: new Map() }
  if (!(await boss.isInstalled())) return nothing
  try {
    return { queues: byName(await boss.getQueues()), schedules: byName(await boss.getSchedules()) }
  } catch {
    return nothing
  }
}

function optionsOf(job: AnyJob<never>, { heartbeatSeconds }: Life) {
  return {
    ...{ retryLimit: RETRIES, retryDelay: RETRY_SECONDS, retryBackoff: true },
    expireInSeconds: job.limitSeconds,
    heartbeatSeconds,
  }
}
type QueueOptions = ReturnType<typeof optionsOf>

/** Makes or changes the queue where the database has it otherwise. */
async function registerQueue(boss: PgBoss, queue: string, options: QueueOptions, { queues }: Known): Promise<void> {
  const found = queues.get(queue)
  const names = Object.keys(options) as (keyof QueueOptions)[]
  if (found && names.every((name) => found[name] === options[name])) return
  await boss.createQueue(queue, options)
  await boss.updateQueue(queue, options)
  // In a transaction, the first look at an unknown queue would wait for a second connection for ever.
  await boss.findJobs(queue, { id: NO_JOB })
}

async function registerSchedule(boss: PgBoss, queue: string, cron: string | undefined, known: Known): Promise<void> {
  const found = known.schedules.get(queue)
  if (!cron && found) await boss.unschedule(queue)
  if (cron && found?.cron !== cron) await boss.schedule(queue, cron, {}, { tz: 'UTC' })
}

type Wakes = ReturnType<typeof createWakes>

async function startWorkers<Context>(
  boss: PgBoss,
  queue: string,
  job: AnyJob<Context>,
  ctx: Context,
  { wakes, log }: { wakes: Wakes; log: Logger },
): Promise<void> {
  for (let number = 0; number < job.concurrency; number++) {
    const worker = await boss.work<object>(queue, { pollingIntervalSeconds: POLL_SECONDS }, async ([taken]) => {
      if (taken) await runJob(job, ctx, taken, log)
      wakes.noteActivity() // a job that failed is due again in a moment
      boss.notifyWorker(worker) // there may be more; without it the next waits for the poll
    })
    wakes.add(queue, worker)
  }
}

async function runJob<Context>(job: AnyJob<Context>, ctx: Context, taken: BossJob<object>, log: Logger): Promise<void> {
  try {
    await job.run(ctx, taken.data as never, taken.signal)
  } catch (error) {
    log.warn({ err: error, job: job.name, id: taken.id }, 'a job failed')
    throw error
  }
}

/** Wakes workers when a transaction that queued a job for them has been committed by this process, and when a look finds one that is due. */
function createWakes(boss: PgBoss, database: Database, log: Logger) {
  const workers = new Map<string, string[]>()
  const expected = new Set<string>()
  let timer: AdaptiveTimer | undefined
  let alarm: NodeJS.Timeout | undefined
  const wake = (queue: string) => {
    for (const worker of workers.get(queue) ?? []) boss.notifyWorker(worker)
  }
  const forget = database.onCommit(() => {
    for (const queue of expected) wake(queue)
    expected.clear()
    timer?.active()
  })
  const due = async () => {
    const found = await listDue(database.root, [...workers.keys()], LOOK_AHEAD_MS)
    for (const { name, inMs } of found) if (inMs <= 0) wake(name)
    return found
  }
  const look = async () => {
    try {
      const laterMs = (await due()).flatMap(({ inMs }) => (inMs > 0 ? [inMs] : []))
      clearTimeout(alarm)
      if (laterMs.length > 0 && timer) alarm = setTimeout(() => void look(), Math.min(...laterMs))
    } catch (error) {
      log.warn({ err: error }, 'due jobs were not looked for')
    }
  }
  return {
    start: () => {
      timer = new AdaptiveTimer(LOOK_EVERY, look)
    },
    add: (queue: string, worker: string) => workers.set(queue, [...(workers.get(queue) ?? []), worker]),
    expect: (queue: string) => expected.add(queue),
    noteActivity: () => timer?.active(),
    due,
    close: () => {
      forget()
      timer?.stop()
      clearTimeout(alarm)
      timer = undefined
    },
  }
}
