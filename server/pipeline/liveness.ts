// Which server processes live. Each holds a named lock for as long as it does: when it dies, the lock is free at once, and
// whoever finds it free may take over what the dead one held. Where there is one process only, every other one is dead.
import { randomInt } from 'node:crypto'
import type { Database } from '#server/db/database.ts'
import { holdLock } from '#server/db/held-lock.ts'
import type { Logger } from '#server/lib/logger.ts'
import { isLockFree } from './liveness.store.ts'

export interface Liveness {
  /** Number of this process: a new one with every start. */
  readonly owner: number
  /** Of these processes, those that are dead. */
  deadAmong(owners: number[]): Promise<number[]>
  /** Takes the lock again if the connection that held it was lost. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Registers this process among the living. */
export async function startLiveness(database: Database, logger: Logger): Promise<Liveness> {
  const owner = randomInt(1, 2 ** 31 - 1)
  const hold = () => holdLock(database, lockName(owner))
  let held = await hold()
  return {
    owner,
    async deadAmong(owners) {
      if (!database.multiProcess) return owners
      const dead: number[] = []
      for (const other of owners) if (await isFree(database, lockName(other))) dead.push(other)
      return dead
    },
    async refresh() {
      if (!database.multiProcess || !(await isFree(database, lockName(owner)))) return
      logger.warn({ owner }, "this server's lock was lost and is taken again")
      await held.release()
      held = await hold()
    },
    close: () => held.release(),
  }
}

function isFree(database: Database, name: string): Promise<boolean> {
  return database.system('pipeline: is a server alive', (db) => isLockFree({ db }, name), { readOnly: true })
}

function lockName(owner: number): string {
  return `server/${owner}`
}
