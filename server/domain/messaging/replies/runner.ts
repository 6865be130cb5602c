// Claims due turns and runs them, many at a time, with a share for each organization. The rows are the source of truth: a wake-up only
// saves waiting for the next poll.
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreContext } from '#server/platform/db/database.ts'
import { isOutage } from '#server/platform/db/engine/engine.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { type AnswerBasis, basisOf } from '../turns/debounce.rules.ts'
import type { AbortReason } from '../turns/outcome.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { claimTurns, FIRST_EPOCH, SUSPECT_CRASHES, type Unwanted, type Watched } from '../turns/runner.store.ts'
import type { ReplySlot } from '../turns/slots.ts'
import type { Claim, Turn } from '../turns/turn.ts'
import { finishInterrupted } from './finish.ts'
import { reply } from './reply.ts'

/** Maximum replies in progress in this process. They mostly wait for a model. */
const REPLIES_AT_ONCE = 128
/** Maximum per organization: a dead model provider of one must not block the others. */
const PER_ORGANIZATION = 64
/** Generations younger than this are not watched: most finish before they could be aborted. */
const WATCH_AFTER_MS = 200

/** Replies start without a claim as long as fewer are in progress: then no pending turn can be waiting for a slot. */
export const BEGUN_BELOW = 32

type Working = {
  claim: Claim
  controller: AbortController
  startedAt: number
  /** Set once the turn was read; null before. */
  basis: AnswerBasis | null
  /** A member of the team had the conversation open at the last check. */
  isLookedAt: boolean
  done: Promise<void>
}

/** Runs the turns that it claims, until stopped. */
export class Runner {
  readonly #ctx: PipelineContext
  readonly #working = new Map<string, Working>()
  /** Reserved slots that are neither started nor released. */
  readonly #reserved = new Set<string>()
  /** Turns that this process gave up while the database was unreachable. */
  #unreturned: { claim: Omit<Claim, 'conversationId'>; delayMs: number | null }[] = []
  #claiming: Promise<void> | null = null
  #isWanted = false
  #isStopping = false

  constructor(ctx: PipelineContext) {
    this.#ctx = ctx
  }

  /** Claims due turns and starts them. */
  claim(): Promise<void> {
    this.#isWanted = true
    this.#claiming ??= this.#claimAll()
      .catch((error: unknown) => this.#ctx.logger.error({ err: error }, 'turns were not claimed'))
      .finally(() => {
        this.#claiming = null
      })
    return this.#claiming
  }

  /** A slot for a turn that is inserted as claimed; null when it is to be inserted as pending, and claimed later. */
  reserve(organizationId: Claim['organizationId']): ReplySlot | null {
    const owner = this.#ctx.owner()
    if (this.#isStopping || owner === 0 || this.#working.size + this.#reserved.size >= BEGUN_BELOW) return null
    const claim = { turnId: newId('turns'), epoch: FIRST_EPOCH, crashes: 0, organizationId }
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

  /** Generations to watch: in progress for some time, and not aborted. */
  watched(): Watched[] {
    const before = Date.now() - WATCH_AFTER_MS
    return [...this.#working.values()].filter((work) => work.startedAt <= before && !work.controller.signal.aborted)
  }

  /** Aborts the watched turns that are no longer wanted. */
  dropUnwanted(watched: Watched[], unwanted: Unwanted[]): void {
    for (const { id, reason } of unwanted) {
      // Only under the watched claim: by now the turn may run under a later one.
      const claim = watched.find((work) => work.claim.turnId === id)?.claim
      const work = claim && this.#working.get(claim.turnId)
      if (work?.claim === claim) work?.controller.abort(reason satisfies AbortReason)
    }
  }

  /** Records which of the watched turns belong to conversations that a member of the team has open. */
  noteLookedAt(watched: Watched[], turnIds: Id<'turns'>[]): void {
    const lookedAt = new Set<string>(turnIds)
    for (const { claim } of watched) {
      const work = this.#working.get(claim.turnId)
      if (work) work.isLookedAt = lookedAt.has(claim.turnId)
    }
  }

  /** Returns turns that could not be returned before. @returns whether there were any */
  async returnRest(): Promise<boolean> {
    const rest = this.#unreturned
    this.#unreturned = []
    await Promise.all(rest.map(({ claim, delayMs }) => this.#giveBack(claim, delayMs)))
    return rest.length > 0
  }

  /** Number of replies in progress. */
  get size(): number {
    return this.#working.size
  }

  /** Turns held by this process, and those that may be being inserted as such right now. */
  held(): Set<string> {
    return new Set([...this.#working.keys(), ...this.#reserved])
  }

  isIdle(): boolean {
    return this.#working.size === 0 && this.#reserved.size === 0 && this.#claiming === null
  }

  /** Aborts all turns and returns them to the queue. */
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

  /** Never throws: in every case the turn is ended or becomes pending again. */
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
      await this.#giveBack(claim, isOutage(error) ? 0 : null) // a database outage is not held against the turn
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

function isSuspect({ crashes }: Claim): boolean {
  return crashes >= SUSPECT_CRASHES
}
