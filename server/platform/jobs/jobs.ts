// The contract of background jobs: declared beside the code that does them, listed in server/work.ts.

/** A kind of background work. At least once: `run` must be safe to repeat. */
export interface Job<Data extends object, Context> {
  name: string
  /** A run that takes longer is given up and tried again. */
  limitSeconds: number
  /** Jobs of this kind that one process runs at a time. */
  concurrency: number
  /** The work needs files of this machine: it runs only in processes that share the file store of the one that sent it. */
  isLocal?: boolean
  /** Standard cron expression, UTC; the job then also runs on this schedule with empty data. */
  schedule?: string
  /**
   * What the schedule begins is short: it runs together with the other brief jobs of the same schedule, as one queued job, and a failure
   * is left to the next time. Jobs that are sent are not concerned.
   */
  isBrief?: true
  run(ctx: Context, data: Data, signal: AbortSignal): Promise<void>
}

/** Declares a job. */
export function defineJob<Data extends object, Context>(job: Job<Data, Context>): Job<Data, Context> {
  return job
}

export type SendOptions = {
  /** Not before. */
  at?: Date
  /**
   * Work that several may ask for and that is done for all of them: of jobs with this key one runs at once, and one more in the
   * next of these intervals for whatever came later. To be the last that a transaction does: whoever sends the same waits for its end.
   */
  merged?: { key: string; everySeconds: number }
}

export interface JobSender<Db> {
  /** Queues a job inside the caller's transaction: it runs if, and only if, that commits. */
  send<Data extends object>(db: Db, job: Job<Data, never>, data: Data, options?: SendOptions): Promise<void>
  /** Queues a job for each of these, in one statement. */
  sendAll<Data extends object>(db: Db, job: Job<Data, never>, data: Data[]): Promise<void>
}
