// Orders our own commits against what clients are shown.
//
// A client drops the optimistic update of a mutation with the first Transition at or after the mutation's timestamp. So that
// nothing flickers, a Transition must show a write exactly when its timestamp covers the mutation's, and never before the
// client has the response. With a database that commits while a snapshot is being taken this needs care:
//
//   1. A mutation announces its transaction id before it commits (`committing`).
// 2. A flush opens a snapshot. Until it is open, which commits it sees is unknown: acknowledgements wait (`timestamp`).
//   3. The snapshot is there: the flush takes its timestamp T, and notes which announced transactions it sees.
//   4. A mutation that T's snapshot sees is acknowledged with T, any other with a later timestamp, which the next flush covers.
//   5. Before the flush delivers, it waits until those it noted are acknowledged (`settled`).
//
// A transaction that the snapshot sees was announced before the snapshot arrived here, so step 3 misses none.
import type { Clock } from './clock.ts'
import { isVisible } from './visibility.ts'

/** One mutation that is being committed. */
export type Commit = { xid: string | null; done: Promise<void>; close: () => void }

type Moment = { position: string; ts: bigint }

export class CommitOrder {
  readonly #clock: Clock
  readonly #open = new Set<Commit>()
  #opening: Promise<void> | null = null
  #moment: Moment | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A mutation begins. Set `xid` before each attempt to commit; call `close` when its response has been sent. */
  begin(): Commit {
    const { promise, resolve } = Promise.withResolvers<void>()
    const commit: Commit = {
      xid: null,
      done: promise,
      close: () => {
        this.#open.delete(commit)
        resolve()
      },
    }
    this.#open.add(commit)
    return commit
  }

  /** The timestamp with which a committed transaction is acknowledged. */
  async timestamp(xid: string | null): Promise<bigint> {
    while (this.#opening) await this.#opening
    const moment = this.#moment
    return moment && xid !== null && isVisible(xid, moment.position) ? moment.ts : this.#clock.next()
  }

  /** A flush starts to open a snapshot. Call the result with its position, or with null when opening failed. */
  openSnapshot(): (position: string | null) => { ts: bigint; settled: () => Promise<void> } {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#opening = promise
    return (position) => {
      const ts = this.#clock.next()
      this.#opening = null
      this.#moment = position === null ? null : { position, ts }
      resolve()
      const seen = [...this.#open].filter(({ xid }) => position !== null && xid !== null && isVisible(xid, position))
      return { ts, settled: async () => void (await Promise.all(seen.map((commit) => commit.done))) }
    }
  }

  /** The flush has delivered or failed. */
  endFlush(): void {
    this.#moment = null
  }
}
