// Work that is stored as held by this server although it does not hold it: the answer to a claim was lost with its connection. Without
// this it would wait for its lease to run out.
import { returnParts } from './deliver.store.ts'
import { listHolding, type StoredHolding } from './orphans.store.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { returnTurns } from './runner.store.ts'

/** How long after a transaction failed because the database was away orphans are looked for. */
const SUSPECT_MS = 10_000
/** What was just committed may not have been begun yet: it must be seen again after so long. */
const SEEN_AGAIN_MS = 400

/** What this process knows that it holds. */
export type Holding = { owner: number; turns: ReadonlySet<string>; parts: ReadonlySet<string> }

/** Finds them after an outage, and gives them back without counting it against them. */
export class Orphans {
  #suspectedUntil = Number.NEGATIVE_INFINITY
  /** When each was first seen, by the clock of `performance`. */
  #seen = new Map<string, number>()

  /** A transaction of this process has failed because the database was away. */
  suspect(): void {
    this.#suspectedUntil = performance.now() + SUSPECT_MS
  }

  /** @returns whether anything was given back */
  async giveBack(ctx: PipelineContext, holding: () => Holding): Promise<boolean> {
    if (performance.now() > this.#suspectedUntil) return false
    const { owner } = holding()
    const stored = await ctx.look('pipeline: orphans', (store) => listHolding(store, owner), { statements: 2 })
    const orphans = this.#seenAgain(stored, holding(), performance.now())
    if (orphans.turns.length + orphans.parts.length === 0) return false
    for (const { organizationId, ...claim } of orphans.turns) {
      await ctx.organization(organizationId, (store) => returnTurns(store, { claim, delayMs: 0 }))
    }
    if (orphans.parts.length > 0) {
      await ctx.system('pipeline: orphans', (store) => returnParts(store, owner, orphans.parts))
    }
    ctx.logger.warn({ turns: orphans.turns.length, parts: orphans.parts.length }, 'orphans were given back')
    return true
  }

  #seenAgain(stored: StoredHolding, { turns, parts }: Holding, now: number): StoredHolding {
    const before = this.#seen
    this.#seen = new Map()
    const isSeenAgain = (key: string) => {
      const since = before.get(key) ?? now
      this.#seen.set(key, since)
      return now - since >= SEEN_AGAIN_MS
    }
    return {
      turns: stored.turns.filter(({ turnId, epoch }) => !turns.has(turnId) && isSeenAgain(`${turnId} ${epoch}`)),
      parts: stored.parts.filter((id) => !parts.has(id) && isSeenAgain(id)),
    }
  }
}
