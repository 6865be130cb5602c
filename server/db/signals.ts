// After-commit wake-ups within this process. Those to and from other processes are in postgres.peers.ts.

export type Signals = {
  /** Something was committed, here or elsewhere. */
  fire(): void
  /** @returns the function that stops listening */
  listen(listener: () => void): () => void
}

export function createSignals(): Signals {
  const listeners = new Set<() => void>()
  return {
    fire() {
      for (const listener of [...listeners]) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
