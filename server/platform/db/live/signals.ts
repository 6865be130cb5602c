// After-commit wake-ups within this process. Those to and from other processes are in postgres.peers.ts.
import { onBehalfOfAll } from '#server/platform/lib/scheduling/fair-scheduler.ts'

/** `skipsDispatch`: the committer itself handles all the work that the commit enqueued, so listeners need not look for any. */
export type CommitListener = (commit: { skipsDispatch: boolean }) => void

export type Signals = {
  /** Something was committed, here or elsewhere. */
  fire(skipsDispatch?: boolean): void
  /** @returns the function that stops listening */
  listen(listener: CommitListener): () => void
}

export function createSignals(): Signals {
  const listeners = new Set<CommitListener>()
  return {
    fire(skipsDispatch = false) {
      onBehalfOfAll(() => {
        for (const listener of [...listeners]) listener({ skipsDispatch })
      })
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
