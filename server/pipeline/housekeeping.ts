// What happens by the clock and on wake-ups: looking for due work, timers of paused conversations, taking over from dead
// servers, renewing leases, writing signs of life down.
import { recordActivity } from '#server/features/channels/connections.store.ts'
import { releaseParts } from './deliver.store.ts'
import type { Deliverer } from './deliver.ts'
import type { Liveness } from './liveness.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { type Due, lookAround, renewLeases, resumeDue, returnTurns } from './runner.store.ts'
import type { Runner } from './runner.ts'

/** Longest time that anything due waits when every wake-up is lost. */
const LOOK_EVERY_MS = 500
/** Least time between two looks: under load commits come all the time. */
const LOOK_PAUSE_MS = 100
const ACTIVITY_EVERY_MS = 2000
const RENEW_EVERY_MS = 10_000

export interface Housekeeping {
  /** Looks around soon: at once, unless it was done a moment ago. */
  wake(): void
  /** Looks around now and acts on what is found. */
  look(): Promise<void>
  stop(): Promise<void>
}

/** Begins to look around. */
export function startHousekeeping(
  ctx: PipelineContext,
  parts: { runner: Runner; deliverer: Deliverer; liveness: Liveness },
): Housekeeping {
  const { runner, deliverer, liveness } = parts
  let isStopped = false
  let lastLook = 0
  let pending: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null

  const guard = (what: string, run: () => Promise<unknown>) =>
    run().then(
      () => undefined,
      (error: unknown) => ctx.logger.warn({ err: error }, what),
    )

  async function lookOnce(): Promise<void> {
    lastLook = Date.now()
    const due = await ctx.look('pipeline: look around', (store) => lookAround(store, liveness.owner))
    if (due.timers) await ctx.system('pipeline: resume conversations', resumeDue)
    if (due.otherOwners.length > 0 || due.expired) await takeOver(due)
    if (due.turns || due.timers || due.expired || due.otherOwners.length > 0) void runner.claim()
    if (due.parts || due.expired || due.otherOwners.length > 0) void guard('parts were not claimed', deliverer.claim)
    await runner.dropUnwanted()
  }

  async function takeOver(due: Due): Promise<void> {
    const dead = await liveness.deadAmong(due.otherOwners)
    if (dead.length === 0 && !due.expired) return
    const turns = await ctx.system('pipeline: take turns over', (store) => returnTurns(store, { deadOwners: dead }))
    const unknown = await ctx.system('pipeline: take parts over', (store) => releaseParts(store, dead))
    if (turns > 0 || unknown > 0) ctx.logger.warn({ dead, turns, unknown }, 'took over from a server that died')
  }

  const look = () => {
    looking ??= guard('looking around failed', lookOnce).finally(() => {
      looking = null
    })
    return looking
  }
  const wake = () => {
    if (isStopped || pending) return
    const waitMs = Math.max(0, lastLook + LOOK_PAUSE_MS - Date.now())
    pending = setTimeout(() => {
      pending = undefined
      void look()
    }, waitMs)
  }
  const writeActivity = () =>
    guard('signs of life were not written', async () => {
      const activity = ctx.connectionActivity.take()
      if (activity.length > 0) await ctx.system('pipeline: signs of life', (store) => recordActivity(store, activity))
    })
  const renew = () =>
    guard('leases were not renewed', async () => {
      await liveness.refresh()
      const held = { turns: runner.held(), parts: deliverer.held() }
      if (held.turns.length + held.parts.length === 0) return
      await ctx.system('pipeline: renew leases', (store) => renewLeases(store, liveness.owner, held))
    })

  // The listener is called inside another caller's commit: a timer starts the look outside of it.
  const unsubscribe = ctx.services.database.onCommit(wake)
  const timers = [
    setInterval(wake, LOOK_EVERY_MS),
    setInterval(() => void writeActivity(), ACTIVITY_EVERY_MS),
    setInterval(() => void renew(), RENEW_EVERY_MS),
  ]
  wake()
  return {
    wake,
    look,
    async stop() {
      isStopped = true
      unsubscribe()
      clearTimeout(pending)
      for (const timer of timers) clearInterval(timer)
      await looking
      await writeActivity()
    },
  }
}
