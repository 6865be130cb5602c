// The dispatcher, run by the clock and on wake-ups: finds due work, ends pauses, sends follow-ups and rating questions, assigns operators,
// takes over from dead servers, renews leases, and records signs of life.

import { recordActivity } from '#server/domain/channels/health/activity.store.ts'
import { followHours } from '#server/domain/organizations/operators.store.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { AdaptiveTimer } from '#server/platform/lib/scheduling/adaptive-timer.ts'
import type { Id } from '#shared/ids.ts'
import type { Deliverer } from '../delivery/deliver.ts'
import { answerOwed } from '../delivery/recover.store.ts'
import { beginFollowUps } from '../follow-ups/follow-up.store.ts'
import { sendNoOperatorNotices } from '../handoff/no-operator-notice.ts'
import { resumeDue } from '../handoff/resume.store.ts'
import { routeWaiting } from '../handoff/routing.ts'
import { releaseParts } from '../outbox/deliver.store.ts'
import { askForRatings } from '../ratings/ratings.ts'
import type { Runner } from '../replies/runner.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import {
  type Due,
  hasLapsed,
  listUnwanted,
  lookAround,
  renewLeases,
  returnTurns,
  type Unwanted,
  type Watched,
} from '../turns/runner.store.ts'
import { forgetStreamsOf, listStreamOwners, saveOpenStreams } from '../webchat/webchat.streams.store.ts'
import type { VisitorStreams } from '../webchat/webchat.streams.ts'
import type { Liveness } from './liveness.ts'
import type { Holding, Orphans } from './orphans.ts'
import { listWatchedTurns } from './watched-turns.store.ts'

/**
 * Longest time that due work waits when every wake-up is lost. `idleMs`: when nothing was committed for a while, here or by another
 * server, and no work is held; work that becomes due by the clock within it is known beforehand (`LOOK_AHEAD`).
 */
const LOOK_EVERY = { busyMs: 500, idleMs: 10_000 }
/** Delay between a commit and the check for work that it made due: the commit may be an answer, which is sent first. */
const LOOK_AFTER_MS = 5
/** Minimum time between two checks: short, so that actions in the interface take effect at once … */
const LOOK_PAUSE_MS = 15
/** … and longer under load, when commits come all the time and new turns announce themselves anyway. */
const BUSY_LOOK_PAUSE_MS = 100
const BUSY_TURNS = 4
const ACTIVITY_EVERY_MS = 2000
const RENEW_EVERY_MS = 10_000
/** The streams of a dead server are only shown: a minute late is soon enough. */
const FORGET_STREAMS_EVERY_MS = 60_000
const LAPSED_EVERY = { busyMs: 2000, idleMs: 20_000 }
/** After an outage every server renews its own leases first: only then does an expired lease belong to a dead server. */
const RENEWED_WITHIN_MS = 2000
/** Minimum time between two checks of who has a conversation open in which an answer is being generated. */
const ONLOOKERS_PAUSE_MS = 300

type Parts = { runner: Runner; deliverer: Deliverer; liveness: Liveness; streams: VisitorStreams; orphans: Orphans }

/** Checks for due work from its construction until it is stopped. */
export class Housekeeping {
  readonly #ctx: PipelineContext
  readonly #parts: Parts
  readonly #timers: NodeJS.Timeout[]
  readonly #looks: AdaptiveTimer
  readonly #lapses: AdaptiveTimer
  readonly #unsubscribe: () => void
  #pending: NodeJS.Timeout | undefined
  /** Fires when work becomes due before the next regular check. */
  #alarm: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  /** By the monotonic clock. */
  #lastLook = 0
  #onlookersAt = 0
  /** When the database was last found unreachable. */
  #awayAt = Number.NEGATIVE_INFINITY
  #isAway = false
  #isStopped = false

  constructor(ctx: PipelineContext, parts: Parts) {
    this.#ctx = ctx
    this.#parts = parts
    this.#looks = new AdaptiveTimer(LOOK_EVERY, () => this.wake())
    this.#lapses = new AdaptiveTimer(LAPSED_EVERY, () =>
      this.#guard('lapsed leases were not seen', () => this.#takeBack()),
    )
    this.#unsubscribe = ctx.services.database.onCommit(({ skipsDispatch }) => {
      this.#keepBusy()
      if (!skipsDispatch) this.wake(LOOK_AFTER_MS)
    })
    this.#timers = [
      setInterval(
        () => void this.#guard('signs of life were not written', () => this.#writeActivity()),
        ACTIVITY_EVERY_MS,
      ),
      setInterval(() => void this.#guard('leases were not renewed', () => this.#renew()), RENEW_EVERY_MS),
      setInterval(
        () => void this.#guard('streams of dead servers were not removed', () => this.#forgetStreams()),
        FORGET_STREAMS_EVERY_MS,
      ),
    ]
    this.wake()
  }

  /** Schedules a check in `afterMs`, unless one just ran. Always by a timer: commits announce themselves inside a transaction. */
  wake(afterMs = 0): void {
    if (this.#isStopped || this.#pending) return
    const pauseMs = this.#parts.runner.size >= BUSY_TURNS ? BUSY_LOOK_PAUSE_MS : LOOK_PAUSE_MS
    const waitMs = Math.max(afterMs, this.#lastLook + pauseMs - performance.now())
    this.#pending = setTimeout(() => {
      this.#pending = undefined
      void this.look()
    }, waitMs)
  }

  /** Checks for due work now and acts on it. Never throws. */
  look(): Promise<void> {
    this.#looking ??= this.#guard('looking around failed', () => this.#lookOnce()).finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unsubscribe()
    clearTimeout(this.#pending)
    clearTimeout(this.#alarm)
    for (const timer of this.#timers) clearInterval(timer)
    this.#looks.stop()
    this.#lapses.stop()
    await this.#looking
    await this.#guard('signs of life were not written', () => this.#writeActivity())
  }

  async #lookOnce(): Promise<void> {
    this.#lastLook = performance.now()
    const { runner, deliverer } = this.#parts
    const watched = runner.watched()
    const { due, unwanted, lookedAt } = await this.#see(watched).catch((error: unknown) => {
      this.#awayAt = performance.now()
      this.#isAway = true
      this.#keepBusy()
      throw error
    })
    if (!this.#isQuiet(due)) this.#keepBusy()
    if (this.#isAway) await this.#renew()
    this.#isAway = false
    runner.dropUnwanted(watched, unwanted)
    if (lookedAt) runner.noteLookedAt(watched, lookedAt)
    if (due.timers) {
      await this.#ctx.system('pipeline: resume conversations', resumeDue)
      failpoint('pauses-ended')
    }
    if (due.owed) await this.#ctx.system('pipeline: answer through recovered connections', answerOwed)
    if (due.followUps) {
      await this.#ctx.system('pipeline: begin follow-ups', beginFollowUps)
      failpoint('follow-ups-begun')
    }
    await this.#findPeople(due)
    const holder = { holding: () => this.#holding(), forgo: (ids: Id<'outbox'>[]) => deliverer.forgo(ids) }
    const hasReturned = (await runner.returnRest()) || (await this.#parts.orphans.giveBack(this.#ctx, holder))
    const hasTaken = (due.otherOwners.length > 0 && (await this.#takeOver(due))) || hasReturned
    if (due.turns || due.timers || due.followUps || due.owed || hasTaken) void runner.claim()
    if (due.parts || hasTaken) void deliverer.claim()
    this.#setAlarm(due.nextInMs)
  }

  /** All in one round trip: with many answers in progress, it runs ten times a second. `lookedAt` is null when it was not queried. */
  #see(watched: Watched[]): Promise<{ due: Due; unwanted: Unwanted[]; lookedAt: Id<'turns'>[] | null }> {
    const { owner } = this.#parts.liveness
    const isWatching = watched.length > 0
    const isSeeking = isWatching && this.#lastLook - this.#onlookersAt >= ONLOOKERS_PAUSE_MS
    if (isSeeking) this.#onlookersAt = this.#lastLook
    const all = async (store: StoreContext) => {
      const [due, unwanted, lookedAt] = await Promise.all([
        lookAround(store, owner),
        isWatching ? listUnwanted(store, watched) : [],
        isSeeking ? listWatchedTurns(store, watched) : null,
      ])
      return { due, unwanted, lookedAt }
    }
    return this.#ctx.look('pipeline: look around', all, { statements: 1 + Number(isWatching) + Number(isSeeking) })
  }

  /** Work that an earlier step makes due is seen by the next check. */
  async #findPeople(due: Due): Promise<void> {
    if (due.hours) await this.#ctx.system('pipeline: follow the hours of people', followHours)
    if (due.routing || due.hours) await routeWaiting(this.#ctx)
    if (due.unattended) await sendNoOperatorNotices(this.#ctx)
    if (due.ratings) await askForRatings(this.#ctx)
  }

  #setAlarm(inMs: number | null): void {
    clearTimeout(this.#alarm)
    if (inMs !== null && !this.#isStopped) this.#alarm = setTimeout(() => this.wake(), inMs)
  }

  /** Releases work of this server whose lease has expired, for any server to claim. */
  async #takeBack(): Promise<void> {
    const { liveness, runner, deliverer } = this.#parts
    if (!this.#mayExpire()) return
    const expired = await this.#ctx.look('pipeline: lapsed leases', (store) => hasLapsed(store, liveness.owner))
    if (!expired) return
    await this.#takeOver({ otherOwners: [], expired })
    void runner.claim()
    void deliverer.claim()
  }

  /** Records activity: checks are frequent for a while. */
  #keepBusy(): void {
    this.#looks.active()
    this.#lapses.active()
  }

  /** Whether nothing is due, and no server, including this one, has work in progress or may have lost a lease. */
  #isQuiet({ nextInMs: _, otherOwners, ...due }: Due): boolean {
    const { runner, deliverer, orphans } = this.#parts
    const isHolding = runner.held().size + deliverer.held().size + otherOwners.length > 0
    return !isHolding && !orphans.isSuspected && !Object.values(due).some(Boolean)
  }

  #holding(): Holding {
    const { liveness, runner, deliverer } = this.#parts
    return { owner: liveness.owner, turns: runner.held(), parts: deliverer.held() }
  }

  #mayExpire(): boolean {
    return performance.now() - this.#awayAt > RENEWED_WITHIN_MS
  }

  /** @returns whether there was anything to take over */
  async #takeOver(due: Pick<Due, 'otherOwners' | 'expired'>): Promise<boolean> {
    const dead = await this.#parts.liveness.deadAmong(due.otherOwners)
    if (due.expired ? !this.#mayExpire() : dead.length === 0) return false
    const turns = await this.#ctx.system('pipeline: take turns over', (store) =>
      returnTurns(store, { deadOwners: dead }),
    )
    failpoint('turns-taken-over')
    const { channels } = this.#ctx.services
    const names = Object.keys(channels) as (keyof Channels)[]
    const droppingRepeats = names.filter((name) => channels[name].traits.dropsRepeatsForMs !== undefined)
    const showingRecorded = names.filter((name) => channels[name].traits.showsOnlyRecorded)
    const unknown = await this.#ctx.system('pipeline: take parts over', (store) =>
      releaseParts(store, dead, { droppingRepeats, showingRecorded }),
    )
    failpoint('parts-taken-over')
    this.#ctx.logger.warn({ dead, turns, unknown }, 'took over from a server that died')
    return true
  }

  async #writeActivity(): Promise<void> {
    const activity = this.#ctx.connectionActivity.take()
    if (activity.length > 0)
      await this.#ctx.system('pipeline: signs of life', (store) => recordActivity(store, activity))
    const { streams, liveness } = this.#parts
    const counts = streams.unreported()
    if (counts.length === 0) return
    await this.#ctx.system('pipeline: open streams', (store) => saveOpenStreams(store, liveness.owner, counts))
    streams.tell(counts)
  }

  async #renew(): Promise<void> {
    const { runner, deliverer, liveness } = this.#parts
    const held = { turns: [...runner.held()], parts: [...deliverer.held()] }
    if (held.turns.length + held.parts.length === 0) return
    await this.#ctx.system('pipeline: renew leases', (store) => renewLeases(store, liveness.owner, held))
  }

  /** Removes the visitors of a dead server. */
  async #forgetStreams(): Promise<void> {
    const { liveness } = this.#parts
    const others = await this.#ctx.look('pipeline: open streams', (store) => listStreamOwners(store, liveness.owner))
    const dead = others.length > 0 ? await liveness.deadAmong(others) : []
    if (dead.length > 0) await this.#ctx.system('pipeline: open streams', (store) => forgetStreamsOf(store, dead))
  }

  async #guard(failure: string, run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      this.#ctx.logger.warn({ err: error }, failure)
    }
  }
}
