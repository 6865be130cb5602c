// Claims turns that are due and has them answered, many at a time, each organization getting its share. Rows are the truth:
// a wake-up only saves waiting for the clock.
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreContext } from '#server/platform/db/database.ts'
import { isOutage } from '#server/platform/db/engine/engine.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { type AnswerBasis, basisOf } from './debounce.rules.ts'
import { finishInterrupted } from './finish.ts'
import type { AbortReason } from './outcome.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { reply } from './reply/reply.ts'
import { claimTurns, FIRST_EPOCH, SUSPECT_SETBACKS, type Unwanted, type Watched } from './runner.store.ts'
import type { ReplySlot } from './slots.ts'
import type { Claim, Turn } from './turn.ts'

/** Replies under way in this process. They mostly wait for a model. */
const REPLIES_AT_ONCE = 128
/** Of one organization: a dead model provider of one must not stop the others. */
const PER_ORGANIZATION = 64
/** Generations younger than this are not looked after: most are over before anybody could stop them. */
const WATCH_AFTER_MS = 200

/** Replies are begun without a claim as long as fewer are under way: then no turn can be waiting for its place. */
export const BEGUN_BELOW = 32

type Working = {
  claim: Claim
  controller: AbortController
  startedAt: number
  /** As the turn was read; null before that. */
  basis: AnswerBasis | null
  /** Somebody of the team had the conversation open when that was last looked for. */
  isLookedAt: boolean
  done: Promise<void>
}

/** Works on what it claims until stopped. */
export class Runner {
  readonly #ctx: PipelineContext
  readonly #working = new Map<string, Working>()
  /** Slots that are neither begun nor released. */
  readonly #reserved = new Set<string>()
  /** Given up by this process while the database was away. */
  #unreturned: { claim: Omit<Claim, 'conversationId'>; delayMs: number | null }[] = []
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

  /** Room for a turn that is written as being answered; null: it is written as pending, and claimed. */
  reserve(organizationId: Claim['organizationId']): ReplySlot | null {
    const owner = this.#ctx.owner()
    if (this.#isStopping || owner === 0 || this.#working.size + this.#reserved.size >= BEGUN_BELOW) return null
    const claim = { turnId: newId('turns'), epoch: FIRST_EPOCH, setbacks: 0, organizationId }
    this.#reserved.add(claim.turnId)
    const release = () => void this.#reserved.delete(claim.turnId)
    return {
      turnId: claim.turnId,
      owner,
      claimOf: (conversationId) => ({ ...claim, conversationId }),
      begin: (begun, read) => {
        failpoint('turn-begun')
        release()
        this.#start(begun, read)
      },
      release,
      giveBack: () => void this.#giveBack(claim, 0).finally(release),
    }
  }

  /** Generations to be looked after: some time under way, and not broken off. */
  watched(): Watched[] {
    const before = Date.now() - WATCH_AFTER_MS
    return [...this.#working.values()].filter((work) => work.startedAt <= before && !work.controller.signal.aborted)
  }

  /** Breaks off those of the watched that nobody wants any more. */
  dropUnwanted(watched: Watched[], unwanted: Unwanted[]): void {
    for (const { id, reason } of unwanted) {
      // Not whoever works on the turn by now: that may be a later claim.
      const claim = watched.find((work) => work.claim.turnId === id)?.claim
      const work = claim && this.#working.get(claim.turnId)
      if (work?.claim === claim) work?.controller.abort(reason satisfies AbortReason)
    }
  }

  /** Of the watched, these are of conversations that somebody has open. */
  noteLookedAt(watched: Watched[], turnIds: Id<'turns'>[]): void {
    const lookedAt = new Set<string>(turnIds)
    for (const { claim } of watched) {
      const work = this.#working.get(claim.turnId)
      if (work) work.isLookedAt = lookedAt.has(claim.turnId)
    }
  }

  /** Gives back what could not be given back before. @returns whether there was anything */
  async returnRest(): Promise<boolean> {
    const rest = this.#unreturned
    this.#unreturned = []
    await Promise.all(rest.map(({ claim, delayMs }) => this.#giveBack(claim, delayMs)))
    return rest.length > 0
  }

  /** Replies under way. */
  get size(): number {
    return this.#working.size
  }

  /** Turns in the hands of this process, and those that may be written as such at this moment. */
  held(): Set<string> {
    return new Set([...this.#working.keys(), ...this.#reserved])
  }

  isIdle(): boolean {
    return this.#working.size === 0 && this.#reserved.size === 0 && this.#claiming === null
  }

  /** Breaks everything off and gives it back. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const { controller } of this.#working.values()) controller.abort('stopping' satisfies AbortReason)
    await this.#claiming
    while (this.#reserved.size > 0) await sleep(10)
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
        maySuspect: !this.#hasSuspect(),
      }
      const claiming = (store: StoreContext) => claimTurns(store, wanted)
      const claims = await this.#ctx.system('pipeline: claim turns', claiming, { statements: 1 })
      if (claims.length > 0) failpoint('turn-claimed')
      for (const claim of claims) this.#start(claim)
    }
  }

  #hasSuspect(): boolean {
    return [...this.#working.values()].some(({ claim }) => isSuspect(claim))
  }

  #fullOrganizations(): string[] {
    if (this.#working.size < PER_ORGANIZATION) return []
    const counts = new Map<string, number>()
    for (const { claim } of this.#working.values()) {
      counts.set(claim.organizationId, (counts.get(claim.organizationId) ?? 0) + 1)
    }
    return [...counts].filter(([, count]) => count >= PER_ORGANIZATION).map(([id]) => id)
  }

  #start(claim: Claim, read?: Promise<Turn | undefined>): void {
    const controller = new AbortController()
    const work: Working = {
      claim,
      controller,
      startedAt: Date.now(),
      basis: null,
      isLookedAt: false,
      done: Promise.resolve(),
    }
    this.#working.set(claim.turnId, work)
    work.done = this.#answer(work, read).finally(() => {
      const mayHaveKeptOthersWaiting = this.#working.size >= PER_ORGANIZATION || isSuspect(claim)
      if (this.#working.get(claim.turnId) === work) this.#working.delete(claim.turnId)
      if (mayHaveKeptOthersWaiting) void this.claim()
    })
    if (this.#isStopping) controller.abort('stopping' satisfies AbortReason)
  }

  /** Never throws: whatever happens, the turn is ended or goes back among the pending ones. */
  async #answer(work: Working, read?: Promise<Turn | undefined>): Promise<void> {
    const { logger } = this.#ctx
    const { claim } = work
    const { turnId } = claim
    const { signal } = work.controller
    const onRead = (turn: Turn) => {
      work.basis = basisOf(turn)
    }
    try {
      const outcome = await reply(this.#ctx, { claim, read, signal, isLookedAt: () => work.isLookedAt, onRead })
      logger[outcome.status === 'failed' ? 'error' : 'debug']({ turnId, ...outcome }, 'a turn ended')
    } catch (error) {
      logger.error({ err: error, turnId }, 'a turn was broken off')
      await this.#giveBack(claim, isOutage(error) ? 0 : null) // a database that was away says nothing of the turn
    }
  }

  /** `delayMs`: as of `returnTurns`. */
  async #giveBack(claim: Omit<Claim, 'conversationId'>, delayMs: number | null): Promise<void> {
    await finishInterrupted(this.#ctx, claim, delayMs).catch((error: unknown) => {
      this.#ctx.logger.error({ err: error, turnId: claim.turnId }, 'a turn was not given back')
      this.#unreturned.push({ claim, delayMs })
    })
  }
}

function isSuspect({ setbacks }: Claim): boolean {
  return setbacks >= SUSPECT_SETBACKS
}
