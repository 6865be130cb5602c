// Runs work of several parties on a few places, in the order that fair-queue.ts decides. On whose behalf work is done follows the calls:
// the doors say it once, and what they start is charged to that party.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type FairLimits, FairQueue, type Party, type Turn } from './fair-queue.ts'

/** A place that is held. */
export interface Place {
  /** Whether the holder should give it back soon: others are active, and it has had its share. */
  shouldYield(): boolean
  /** For a holder that cannot give it back yet: waits, without being charged for it, until its group may use more time, or for ten seconds. */
  rest(): Promise<void>
  /** Gives it back. Doing so again does nothing. */
  leave(): void
}

/** A holder rests no longer: an idle transaction is ended after 30 s. */
const REST_MAX_MS = 10_000

type Waiting = { start(turn: Turn<Waiting>): void }

export class FairScheduler {
  readonly #queue: FairQueue<Waiting>
  readonly #now: () => number
  #timer: NodeJS.Timeout | null = null

  /** @param now milliseconds of a clock that never goes back */
  constructor(limits: FairLimits, now: () => number = () => performance.now()) {
    this.#queue = new FairQueue(limits)
    this.#now = now
  }

  /** Waits for a place. */
  enter(party: Party): Promise<Place> {
    return new Promise((resolve) => {
      this.#queue.add(party, { start: (turn) => resolve(this.#place(turn)) }, this.#now())
      this.#startAll()
    })
  }

  /** Waits for a turn that costs this many milliseconds, however long the work takes. */
  pass(party: Party, cost: number): Promise<void> {
    return new Promise((resolve) => {
      const start = (turn: Turn<Waiting>) => {
        this.#queue.end(turn, cost, this.#now())
        resolve()
      }
      this.#queue.add(party, { start }, this.#now())
      this.#startAll()
    })
  }

  /** How much work of a party's group waits. */
  waiting({ group }: Party): number {
    return this.#queue.waiting(group)
  }

  /** Groups other than the server's own that are active here, at most `most`. */
  active(most: number): string[] {
    return this.#queue.active(this.#now(), most)
  }

  /** Notes which groups are active on another server that works on the same database. */
  hear(server: string, groups: string[]): void {
    this.#queue.hear(server, groups, this.#now())
  }

  /** Takes a place at once, beyond the limits if need be: for work that must not wait because it holds what others wait for. */
  occupy(party: Party): Place {
    return this.#place(this.#queue.force(party, { start: () => {} }, this.#now()))
  }

  /** Runs work as soon as there is a place for it. */
  async run<T>(party: Party, work: () => Promise<T>): Promise<T> {
    const place = await this.enter(party)
    try {
      return await work()
    } finally {
      place.leave()
    }
  }

  #startAll(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    for (let turn = this.#queue.next(this.#now()); turn; turn = this.#queue.next(this.#now())) turn.task.start(turn)
    const at = this.#queue.retryAt(this.#now())
    if (at !== null) this.#timer = setTimeout(() => this.#startAll(), Math.max(1, at - this.#now()))
  }

  #place(turn: Turn<Waiting>): Place {
    let since = this.#now()
    let isLeft = false
    return {
      shouldYield: () => this.#queue.shouldYield(turn.party, this.#now() - since, this.#now()),
      rest: async () => {
        const until = this.#now() + REST_MAX_MS
        this.#queue.pay(turn, this.#now() - since, this.#now())
        for (;;) {
          since = this.#now()
          const at = this.#queue.resumeAt(turn.party, since)
          if (at === null || since >= until) return
          await pause(at - since)
        }
      },
      leave: () => {
        if (isLeft) return
        isLeft = true
        this.#queue.end(turn, this.#now() - since, this.#now())
        this.#startAll()
      },
    }
  }
}

const current = new AsyncLocalStorage<Party | null>()

/** Charges everything that `run` starts to a party. */
export function onBehalfOf<T>(party: Party, run: () => T): T {
  return current.run(party, run)
}

/** Charges what `run` starts to the server itself: it serves many parties. */
export function onBehalfOfAll<T>(run: () => T): T {
  return current.run(null, run)
}

/** Whom the work under way is charged to; null for work of the server itself. */
export function currentParty(): Party | null {
  return current.getStore() ?? null
}

/** An organization as a group. */
export function organizationGroup(organizationId: string): string {
  return `organization ${organizationId}`
}

/** An organization as the party, with the member of the calls. */
export function partyOfOrganization(organizationId: string): Party {
  return { group: organizationGroup(organizationId), member: currentParty()?.member ?? '' }
}

/** Callers with a good token, until it is known whose it is: one group for all, each account a member. */
export const SIGN_IN = 'sign-in'

/** Callers without an organization: one group for all, each a member, so that many addresses or accounts gain nothing. */
export const STRANGERS = 'strangers'
