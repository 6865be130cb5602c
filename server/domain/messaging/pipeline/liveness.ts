// Which server processes live. Each holds a named lock for as long as it does: when it dies, the lock is free at once, and
// another server that finds it free for a moment takes over what the dead one held. A server that only lost its connection takes
// its lock again within that moment.
import { randomInt } from 'node:crypto'
import { acquireLock } from '#server/platform/db/acquire-lock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { Sightings } from './liveness.rules.ts'
import { isLockFree } from './liveness.store.ts'

export interface Liveness {
  /** Number of this process: a new one with every start. */
  readonly owner: number
  /** Of these processes, those that are dead. One whose lock has just become free is not yet among them: ask again. */
  deadAmong(owners: number[]): Promise<number[]>
  close(): Promise<void>
}

/** Registers this process among the living. */
export async function startLiveness(database: Database): Promise<Liveness> {
  const owner = randomInt(1, 2 ** 31 - 1)
  const held = await acquireLock(database, lockName(owner))
  const sightings = new Sightings()
  return {
    owner,
    async deadAmong(owners) {
      const dead: number[] = []
      for (const other of owners) {
        const isFree = await isNameFree(database, lockName(other)).catch((error: unknown) => {
          sightings.forget()
          throw error
        })
        if (sightings.note(other, isFree, performance.now())) dead.push(other)
      }
      return dead
    },
    close: () => held.release(),
  }
}

function isNameFree(database: Database, name: string): Promise<boolean> {
  return database.system('pipeline: is a server alive', (db) => isLockFree({ db }, name), { readOnly: true })
}

function lockName(owner: number): string {
  return `server/${owner}`
}
