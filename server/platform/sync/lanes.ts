// Lanes: the clients of one organization are kept current by a flush of their own, so that none waits for the queries of another.
//
// One statement after commits looks at what was written and wakes the lanes whose results it touches; the others only learn that they are
// current up to there. A lane that is busy at that moment looks again when it has ended: it may be finding out what it depends on.
import { setTimeout as pause } from 'node:timers/promises'
import type { Change } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'
import type { Clock } from './clock.ts'
import type { Host } from './host.ts'
import { POLL_MS } from './limits.ts'
import { laneOf } from './parties.ts'
import { SubscriptionBroadcaster } from './subscription-broadcaster.ts'

/** Commits that follow one another closely are looked at together. */
const GATHER_MS = 5
/** Longest pause between attempts while the database cannot be read. */
const UNAVAILABLE_PAUSE_MAX_MS = 500

type Lane = { broadcaster: SubscriptionBroadcaster; users: number }

export class Lanes {
  readonly #host: Host
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #lanes = new Map<string, Lane>()
  readonly #stopListening: () => void
  #position: string | null = null
  /** Until the first poll, lanes detect changes on their own. */
  #hasLooked = false
  #isWanted = false
  #isClosed = false
  #loop: Promise<void> | null = null
  #poll: NodeJS.Timeout | null = null
  #runsBefore = 0

  constructor(host: Host, clock: Clock, logger: Logger) {
    this.#host = host
    this.#clock = clock
    this.#logger = logger
    this.#stopListening = host.onCommit(() => this.#look())
  }

  /** Live results of all lanes. */
  get entries(): number {
    return this.#broadcasters().reduce((sum, { entries }) => sum + entries.size, 0)
  }

  /** Runs of queries since the start. */
  get runs(): number {
    return this.#broadcasters().reduce((sum, { entries }) => sum + entries.runs, this.#runsBefore)
  }

  /** The broadcaster of a client's lane, until `leave` gives it back. */
  enter(party: Party): { broadcaster: SubscriptionBroadcaster; leave(): void } {
    const key = laneOf(party)
    let lane = this.#lanes.get(key)
    if (!lane) {
      const live = { group: party.group, member: key === party.group ? 'live queries' : party.member }
      lane = {
        broadcaster: new SubscriptionBroadcaster(this.#host, { clock: this.#clock, logger: this.#logger, party: live }),
        users: 0,
      }
      this.#lanes.set(key, lane)
    }
    const { broadcaster } = lane
    lane.users++
    this.#poll ??= setInterval(() => this.#tick(), POLL_MS).unref()
    let hasLeft = false
    return {
      broadcaster,
      leave: () => {
        if (!hasLeft) this.#leave(key)
        hasLeft = true
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopListening()
    if (this.#poll) clearInterval(this.#poll)
    await this.#loop
    await Promise.all(this.#broadcasters().map((broadcaster) => broadcaster.close()))
  }

  #broadcasters(): SubscriptionBroadcaster[] {
    return [...this.#lanes.values()].map(({ broadcaster }) => broadcaster)
  }

  #leave(key: string): void {
    const lane = this.#lanes.get(key)
    if (!lane || --lane.users > 0) return
    this.#lanes.delete(key)
    this.#runsBefore += lane.broadcaster.entries.runs
    void lane.broadcaster.close()
    if (this.#lanes.size > 0 || !this.#poll) return
    clearInterval(this.#poll)
    this.#poll = null
  }

  #tick(): void {
    const now = Date.now()
    for (const broadcaster of this.#broadcasters()) if (broadcaster.entries.hasRetries(now)) broadcaster.request()
    this.#look()
  }

  /** Something may have been committed: looks soon, once for many calls. */
  #look(): void {
    this.#isWanted = true
    if (this.#isClosed || this.#lanes.size === 0) return
    this.#loop ??= this.#run().finally(() => {
      this.#loop = null
      if (this.#isWanted) this.#look()
    })
  }

  async #run(): Promise<void> {
    let failures = 0
    while (this.#isWanted && !this.#isClosed && this.#lanes.size > 0) {
      this.#isWanted = false
      try {
        const { position, changes } = await this.#host.watch(this.#position)
        this.#position = position
        this.#tell(position, changes)
        failures = 0
        if (this.#isWanted) await pause(GATHER_MS)
      } catch (error) {
        this.#isWanted = true
        this.#position = null
        if (failures++ === 0) this.#logger.error({ err: error }, 'changes for live queries could not be read')
        await pause(Math.min(50 * 2 ** failures, UNAVAILABLE_PAUSE_MAX_MS))
      }
    }
  }

  #tell(position: string, changes: Change[] | null): void {
    const isFirst = !this.#hasLooked
    this.#hasLooked = true
    for (const broadcaster of this.#broadcasters()) {
      if (isFirst) broadcaster.request()
      else broadcaster.observe(position, changes)
    }
  }
}
