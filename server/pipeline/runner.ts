// Claims turns that are due and has them answered, many at a time, each organization getting its share. Rows are the truth:
// a wake-up only saves waiting for the clock.
import type { StoreContext } from '#server/db/database.ts'
import { finishInterrupted } from './finish.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { reply } from './reply.ts'
import { type AnswerBasis, basisOf } from './rhythm.rules.ts'
import { type Claim, claimTurns, listUnwanted } from './runner.store.ts'
import type { Turn } from './turn.store.ts'

/** Replies under way in this process. They mostly wait for a model. */
const REPLIES_AT_ONCE = 128
/** Of one organization: a dead model provider of one must not stop the others. */
const PER_ORGANIZATION = 64
/** Generations younger than this are not looked after: most are over before anybody could stop them. */
const WATCH_AFTER_MS = 200
/** Waits after something unexpected, such as a database that is gone. */
const ACCIDENT_DELAY_MS = 1000

/** Why a generation is broken off. `superseded`: the customer has said more. */
export type AbortReason = 'unwanted' | 'superseded' | 'stopping'

type Working = {
  claim: Claim
  controller: AbortController
  startedAt: number
  /** As the turn was read; null before that. */
  basis: AnswerBasis | null
  done: Promise<void>
}

/** Works on what it claims until stopped. */
export class Runner {
  readonly #ctx: PipelineContext
  readonly #working = new Map<string, Working>()
  #claiming: Promise<void> | null = null
  #isWanted = false
  #isStopping = false

  constructor(ctx: PipelineContext) {
    this.#ctx = ctx
  }

  /** Claims what is due and starts on it. */
  claim(): Promise<void> {
    this.#isWanted = true
    this.#claiming ??= this.#claimAll()
      .catch((error: unknown) => this.#ctx.logger.error({ err: error }, 'turns were not claimed'))
      .finally(() => {
        this.#claiming = null
      })
    return this.#claiming
  }

  /** Breaks off generations that nobody wants any more. */
  async dropUnwanted(): Promise<void> {
    const before = Date.now() - WATCH_AFTER_MS
    const watched = [...this.#working.values()].filter(
      (work) => work.startedAt <= before && !work.controller.signal.aborted,
    )
    if (watched.length === 0) return
    const unwanted = await this.#ctx.look('pipeline: look after generations', (store) => listUnwanted(store, watched))
    for (const { id, reason } of unwanted) {
      // Not whoever works on the turn by now: that may be a later claim.
      const work = watched.find(({ claim }) => claim.turnId === id)
      work?.controller.abort(reason satisfies AbortReason)
    }
  }

  /** Turns in the hands of this process. */
  held(): string[] {
    return [...this.#working.keys()]
  }

  isIdle(): boolean {
    return this.#working.size === 0 && this.#claiming === null
  }

  /** Breaks everything off and gives it back. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const { controller } of this.#working.values()) controller.abort('stopping' satisfies AbortReason)
    await this.#claiming
    await Promise.all([...this.#working.values()].map((work) => work.done))
  }

  async #claimAll(): Promise<void> {
    while (this.#isWanted && !this.#isStopping) {
      this.#isWanted = false
      const room = REPLIES_AT_ONCE - this.#working.size
      if (room <= 0) return
      const wanted = {
        owner: this.#ctx.owner(),
        limit: room,
        perOrganization: PER_ORGANIZATION,
        fullOrganizations: this.#fullOrganizations(),
      }
      const claiming = (store: StoreContext) => claimTurns(store, wanted)
      const claims = await this.#ctx.system('pipeline: claim turns', claiming, { statements: 1 })
      for (const claim of claims) this.#start(claim)
    }
  }

  #fullOrganizations(): string[] {
    if (this.#working.size < PER_ORGANIZATION) return []
    const counts = new Map<string, number>()
    for (const { claim } of this.#working.values()) {
      counts.set(claim.organizationId, (counts.get(claim.organizationId) ?? 0) + 1)
    }
    return [...counts].filter(([, count]) => count >= PER_ORGANIZATION).map(([id]) => id)
  }

  #start(claim: Claim): void {
    const controller = new AbortController()
    const work: Working = { claim, controller, startedAt: Date.now(), basis: null, done: Promise.resolve() }
    this.#working.set(claim.turnId, work)
    work.done = this.#answer(work).finally(() => {
      const mayHaveKeptOthersWaiting = this.#working.size >= PER_ORGANIZATION
      if (this.#working.get(claim.turnId) === work) this.#working.delete(claim.turnId)
      if (mayHaveKeptOthersWaiting) void this.claim()
    })
    if (this.#isStopping) controller.abort('stopping' satisfies AbortReason)
  }

  /** Never throws: whatever happens, the turn is ended or goes back among the pending ones. */
  async #answer(work: Working): Promise<void> {
    const { logger } = this.#ctx
    const { claim } = work
    const { turnId } = claim
    const { signal } = work.controller
    const onRead = (turn: Turn) => {
      work.basis = basisOf(turn)
    }
    try {
      const outcome = await reply(this.#ctx, { claim, signal, onRead })
      logger[outcome.status === 'failed' ? 'error' : 'debug']({ turnId, ...outcome }, 'a turn ended')
    } catch (error) {
      logger.error({ err: error, turnId }, 'a turn was broken off')
      await finishInterrupted(this.#ctx, claim, ACCIDENT_DELAY_MS).catch((again: unknown) =>
        logger.error({ err: again, turnId }, 'a turn waits for its lease to run out'),
      )
    }
  }
}
