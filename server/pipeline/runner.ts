// Claims turns that are due and has them answered, many at a time, each organization getting its share. Rows are the truth:
// a wake-up only saves waiting for the clock.
import { finishInterrupted, type TurnOutcome } from './finish.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { reply } from './reply.ts'
import { type Claim, claimTurns, listUnwanted } from './runner.store.ts'

/** Replies under way in this process. They mostly wait for a model. */
const REPLIES_AT_ONCE = 128
/** Of one organization: a dead model provider of one must not stop the others. */
const PER_ORGANIZATION = 64
/** Generations younger than this are not looked after: most are over before anybody could stop them. */
const WATCH_AFTER_MS = 200
/** Waits after something unexpected, such as a database that is gone. */
const ACCIDENT_DELAY_MS = 1000

/** Why a generation is broken off. */
export type AbortReason = 'unwanted' | 'stopping'

type Working = { claim: Claim; controller: AbortController; startedAt: number; pauseEpoch: number | null }

export interface Runner {
  /** Claims what is due and starts on it. */
  claim(): Promise<void>
  /** Breaks off generations that nobody wants any more. */
  dropUnwanted(): Promise<void>
  /** Turns in the hands of this process. */
  held(): string[]
  isIdle(): boolean
  /** Breaks everything off and gives it back. */
  stop(): Promise<void>
}

/** A runner that works on what it claims until stopped. */
export function createRunner(ctx: PipelineContext): Runner {
  const working = new Map<string, Working & { done: Promise<void> }>()
  let claiming: Promise<void> | null = null
  let isWanted = false
  let isStopping = false

  async function claimAll(): Promise<void> {
    while (isWanted && !isStopping) {
      isWanted = false
      const room = REPLIES_AT_ONCE - working.size
      if (room <= 0) return
      const claims = await ctx.system('pipeline: claim turns', (store) =>
        claimTurns(store, {
          owner: ctx.owner(),
          limit: room,
          perOrganization: PER_ORGANIZATION,
          fullOrganizations: fullOrganizations(),
        }),
      )
      for (const claim of claims) start(claim)
    }
  }

  function fullOrganizations(): string[] {
    if (working.size < PER_ORGANIZATION) return []
    const counts = new Map<string, number>()
    for (const { claim } of working.values()) {
      counts.set(claim.organizationId, (counts.get(claim.organizationId) ?? 0) + 1)
    }
    return [...counts].filter(([, count]) => count >= PER_ORGANIZATION).map(([id]) => id)
  }

  function start(claim: Claim): void {
    const work: Working = { claim, controller: new AbortController(), startedAt: Date.now(), pauseEpoch: null }
    const wasFull = working.size + 1 >= PER_ORGANIZATION
    const done = answer(work).finally(() => {
      working.delete(claim.turnId)
      if (wasFull) void runner.claim()
    })
    working.set(claim.turnId, { ...work, done })
    if (isStopping) work.controller.abort('stopping' satisfies AbortReason)
  }

  /** Never throws: whatever happens, the turn is ended or goes back among the pending ones. */
  async function answer(work: Working): Promise<void> {
    const { claim, controller } = work
    try {
      const outcome = await reply(ctx, {
        claim,
        signal: controller.signal,
        onRead: (turn) => {
          const mine = working.get(claim.turnId)
          if (mine) mine.pauseEpoch = turn.conversation.pauseEpoch
        },
      })
      logOutcome(claim, outcome)
    } catch (error) {
      ctx.logger.error({ err: error, turnId: claim.turnId }, 'a turn was broken off')
      await finishInterrupted(ctx, claim, ACCIDENT_DELAY_MS).catch((again: unknown) =>
        ctx.logger.error({ err: again, turnId: claim.turnId }, 'a turn waits for its lease to run out'),
      )
    }
  }

  function logOutcome(claim: Claim, outcome: TurnOutcome): void {
    if (outcome.status === 'failed') ctx.logger.error({ turnId: claim.turnId, ...outcome }, 'a turn failed')
    else ctx.logger.debug({ turnId: claim.turnId, ...outcome }, 'a turn ended')
  }

  const runner: Runner = {
    claim() {
      isWanted = true
      claiming ??= claimAll()
        .catch((error: unknown) => ctx.logger.error({ err: error }, 'turns were not claimed'))
        .finally(() => {
          claiming = null
        })
      return claiming
    },

    async dropUnwanted() {
      const before = Date.now() - WATCH_AFTER_MS
      const watched = [...working.values()].filter(
        (work) => work.startedAt <= before && !work.controller.signal.aborted,
      )
      if (watched.length === 0) return
      const unwanted = await ctx.look('pipeline: look after generations', (store) =>
        listUnwanted(
          store,
          watched.map((work) => work.claim),
          watched.map((work) => work.pauseEpoch),
        ),
      )
      for (const id of unwanted) working.get(id)?.controller.abort('unwanted' satisfies AbortReason)
    },

    held: () => [...working.keys()],
    isIdle: () => working.size === 0 && claiming === null,

    async stop() {
      isStopping = true
      for (const { controller } of working.values()) controller.abort('stopping' satisfies AbortReason)
      await claiming
      await Promise.all([...working.values()].map((work) => work.done))
    },
  }
  return runner
}
