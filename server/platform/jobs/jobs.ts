// The contract of background jobs: defined next to the code that does them, listed in server/work.ts.

/** A kind of background work. Runs at least once: `run` must be idempotent. */
export interface Job<Data extends object, Context> {
  name: string
  /** A run that takes longer is aborted and retried. */
  limitSeconds: number
  /** Jobs of this kind that one process runs at a time. */
  concurrency: number
  /** The work needs files of this machine: it runs only in processes that share the file store of the sender. */
  isLocal?: boolean
  /** Standard cron expression, UTC; the job then also runs on this schedule with empty data. */
  schedule?: string
  /**
   * Scheduled runs are short: they run together with the other brief jobs of the same schedule, as one queued job, and a failure waits for
   * the next time. Jobs that are sent are not affected.
   */
  isBrief?: true
  run(ctx: Context, data: Data, signal: AbortSignal): Promise<void>
}

/** Declares a job. */
export function defineJob<Data extends object, Context>(job: Job<Data, Context>): Job<Data, Context> {
  return job
}

export type SendOptions = {
  /** The earliest time of the run. */
  at?: Date
  /**
   * Coalesces requests for the same work: of jobs with this key one runs at once, and one more in the next of these intervals for requests
   * that came later. Must be the last statement of a transaction: a concurrent sender of the same key waits for its end.
   */
  merged?: { key: string; everySeconds: number }
}

export interface JobSender<Db> {
  /** Queues a job inside the caller's transaction: it runs if, and only if, that commits. */
  send<Data extends object>(db: Db, job: Job<Data, never>, data: Data, options?: SendOptions): Promise<void>
  /** Queues a job for each of these, in one statement. */
  sendAll<Data extends object>(db: Db, job: Job<Data, never>, data: Data[]): Promise<void>
}
