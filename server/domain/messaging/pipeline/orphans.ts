// Work that is stored as held by this server although it does not hold it: the answer to a claim was lost with its connection, and the
// commit itself may have come after the question what became of it. Without this it would wait for its lease to run out.
import type { Id } from '#shared/ids.ts'
import { returnParts } from '../outbox/deliver.store.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { returnTurns } from '../turns/runner.store.ts'
import { listHolding, type StoredHolding } from './orphans.store.ts'

/** How long after a transaction failed because the database was away orphans are looked for. */
const SUSPECT_MS = 10_000
/** What was just committed may not have been begun yet: it must be seen again after so long. */
const SEEN_AGAIN_MS = 400

/** What this process knows that it holds. `parts`: those whose outcome is not written yet too. */
export type Holding = { owner: number; turns: ReadonlySet<string>; parts: ReadonlySet<string> }
/** `forgo`: of parts that are written as being sent and have not left. */
type Holder = { holding(): Holding; forgo(ids: Id<'outbox'>[]): void }

/** Finds them after an outage, and gives them back without counting it against them. */
export class Orphans {
  #suspectedUntil = Number.NEGATIVE_INFINITY
  /** When each was first seen, by the clock of `performance`. */
  #seen = new Map<string, number>()

  /** A transaction of this process has failed because the database was away. */
  suspect(): void {
    this.#suspectedUntil = performance.now() + SUSPECT_MS
  }

  /** Whether they are looked for now. */
  get isSuspected(): boolean {
    return performance.now() <= this.#suspectedUntil
  }

  /** @returns whether anything was given back */
  async giveBack(ctx: PipelineContext, { holding, forgo }: Holder): Promise<boolean> {
    if (!this.isSuspected) return false
    const { owner } = holding()
    const stored = await ctx.look('pipeline: orphans', (store) => listHolding(store, owner), { statements: 2 })
    const orphans = this.#seenAgain(stored, holding(), performance.now())
    if (orphans.turns.length + orphans.parts.length + orphans.sends.length === 0) return false
    for (const { organizationId, ...claim } of orphans.turns) {
      await ctx.organization(organizationId, (store) => returnTurns(store, { claim, delayMs: 0 }))
    }
    if (orphans.parts.length > 0) {
      await ctx.system('pipeline: orphans', (store) => returnParts(store, owner, orphans.parts))
    }
    forgo(orphans.sends) // no send of this process is under way that it does not know of: these were never begun
    const [turns, parts, sends] = [orphans.turns.length, orphans.parts.length, orphans.sends.length]
    ctx.logger.warn({ turns, parts, sends }, 'orphans were given back')
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
      sends: stored.sends.filter((id) => !parts.has(id) && isSeenAgain(`${id} sending`)),
    }
  }
}
