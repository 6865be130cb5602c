// After-commit wake-ups within this process. Those to and from other processes are in postgres.peers.ts.
import { onBehalfOfAll } from '#server/platform/lib/scheduling/fair-scheduler.ts'

/** `leavesNothingDue`: the committer itself handles all the work that the commit enqueued, so listeners need not look for any. */
export type CommitListener = (commit: { leavesNothingDue: boolean }) => void

export type Signals = {
  /** Something was committed, here or elsewhere. */
  fire(leavesNothingDue?: boolean): void
  /** @returns the function that stops listening */
  listen(listener: CommitListener): () => void
}

export function createSignals(): Signals {
  const listeners = new Set<CommitListener>()
  return {
    fire(leavesNothingDue = false) {
      onBehalfOfAll(() => {
        for (const listener of [...listeners]) listener({ leavesNothingDue })
      })
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
