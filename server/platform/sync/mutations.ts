// Mutations of a client session run one after another in the order in which they were sent, also when the client changes sockets in
// between: a resent request joins the one that is waiting or running, or gets its stored outcome.
import { AppError } from '#shared/errors.ts'
import { refusalOf } from './budget.ts'
import type { CommitOrder } from './commits.ts'
import type { Host, MutationCall, MutationOutcome, Outcome } from './host.ts'

/** A socket that waits for a mutation. */
export interface Requester {
  readonly isOpen: boolean
  /** `ts`: the moment from which results include the mutation; null when it failed. */
  answerMutation(requestId: number, outcome: Outcome, ts: bigint | null): void
  /** The outcome of the mutation is unknown: disconnects the client, which will ask again. */
  giveUp(error: unknown): void
}

type Job = { call: MutationCall; commits: CommitOrder; requesters: Set<Requester>; done: () => void }
/**
 * `commits`: of the lane in which the client is shown results. `mayBeRepeated`: the client may have sent it before. `done` is called when
 * nothing of the call is held any more.
 */
type Submission = { commits: CommitOrder; mayBeRepeated: boolean; done: () => void }
type Line = { jobs: Map<number, Job>; tail: Promise<void> }

const REUSED: Outcome = refusalOf(new AppError('request_id_reused'))

export class Mutations {
  readonly #host: Host
  readonly #lines = new Map<string, Line>()

  constructor(host: Host) {
    this.#host = host
  }

  /**
   * Queues a mutation. The stored outcome of one that may be repeated is looked up at once, ahead of the queue. Resolves after that
   * look-up: until then, results that include the mutation must not be shown.
   */
  async submit(requester: Requester, call: MutationCall, submission: Submission): Promise<void> {
    const { commits, mayBeRepeated, done } = submission
    const line = this.#line(call)
    const waiting = line.jobs.get(call.requestId)
    if (waiting) {
      done()
      if (isSameCall(waiting.call, call)) waiting.requesters.add(requester)
      else requester.answerMutation(call.requestId, REUSED, null)
      return
    }
    const job: Job = { call, commits, requesters: new Set([requester]), done }
    line.jobs.set(call.requestId, job)
    const lookup = mayBeRepeated ? this.#answerRecorded(line, job) : Promise.resolve(false)
    line.tail = line.tail.then(async () => {
      const isAnswered = await lookup
      if (!isAnswered && isWanted(job)) await this.#run(line, job)
      else if (!isAnswered) leaveAbandoned(line)
      this.#finish(line, job)
    })
    await lookup
  }

  /** Resolves when nothing waits or runs. */
  async settle(): Promise<void> {
    while (this.#lines.size > 0) await Promise.all([...this.#lines.values()].map(({ tail }) => tail))
  }

  #line(call: MutationCall): Line {
    // The caller is part of the key: another user's session id gives no access to their outcomes.
    const key = lineKey(call)
    let line = this.#lines.get(key)
    if (!line) {
      line = { jobs: new Map(), tail: Promise.resolve() }
      this.#lines.set(key, line)
    }
    return line
  }

  /** The job can no longer be joined: a later request gets the stored outcome. */
  #finish(line: Line, job: Job): void {
    const { call } = job
    job.done()
    if (line.jobs.get(call.requestId) === job) line.jobs.delete(call.requestId)
    if (line.jobs.size === 0 && this.#lines.get(lineKey(call)) === line) this.#lines.delete(lineKey(call))
  }

  async #answerRecorded(line: Line, job: Job): Promise<boolean> {
    try {
      const recorded = await this.#host.recorded(job.call)
      if (recorded) await this.#answer(line, job, recorded)
      return recorded !== null
    } catch (error) {
      this.#giveUp(line, job, error)
      return true
    }
  }

  async #run(line: Line, job: Job): Promise<void> {
    const commit = job.commits.begin()
    try {
      const result = await this.#host.mutate(job.call, (xid) => {
        commit.xid = xid
      })
      await this.#answer(line, job, result)
    } catch (error) {
      this.#giveUp(line, job, error)
    } finally {
      commit.close()
    }
  }

  #giveUp(line: Line, job: Job, error: unknown): void {
    this.#finish(line, job)
    for (const requester of job.requesters) requester.giveUp(error)
  }

  async #answer(line: Line, job: Job, { outcome, xid }: MutationOutcome): Promise<void> {
    const ts = outcome.ok ? await job.commits.timestamp(xid) : null
    this.#finish(line, job)
    for (const requester of job.requesters) {
      if (requester.isOpen) requester.answerMutation(job.call.requestId, outcome, ts)
    }
  }
}

function isWanted({ requesters }: Job): boolean {
  return [...requesters].some(({ isOpen }) => isOpen)
}

/**
 * One is given up because its socket has closed: so are those behind it that have none either. A request that joined one of them would run
 * ahead of the request before it, which comes again as the last of the line.
 */
function leaveAbandoned(line: Line): void {
  for (const [requestId, job] of line.jobs) if (!isWanted(job)) line.jobs.delete(requestId)
}

function lineKey({ claims, clientSession }: MutationCall): string {
  return `${claims?.userId ?? ''}|${clientSession}`
}

function isSameCall(a: MutationCall, b: MutationCall): boolean {
  return a.path === b.path && JSON.stringify(a.args) === JSON.stringify(b.args)
}
