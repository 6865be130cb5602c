// Keeps the root database out of transactions: such a call would take a second connection, see another moment of the data, and wait for
// ever once all connections do so. The guard makes the mistake fail at once.
import { AsyncLocalStorage } from 'node:async_hooks'

const insideTransaction = new AsyncLocalStorage<true>()

/** @throws Error when called, directly or later, from inside a transaction's callback */
export function assertOutsideTransaction(): void {
  if (insideTransaction.getStore()) {
    throw new Error('The root database was used inside a transaction: pass the transaction on.')
  }
}

/** Marks everything that `run` starts as inside a transaction. */
export function markInsideTransaction<T>(run: () => T): T {
  return insideTransaction.run(true, run)
}
