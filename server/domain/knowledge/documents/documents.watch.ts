// Watches over one attempt at a document while it is worked on: records progress and life, and aborts it when it is no longer wanted.
import type { Database } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { Superseded } from './attempts.ts'
import { type Attempt, isCurrent, recordProgress } from './documents.ingest.store.ts'

/** Interval between two records of progress, and between two checks after a commit, milliseconds. */
const RECORD_EVERY_MS = 500
/** A long step gives a sign of life at least so often, milliseconds. */
const LIFE_EVERY_MS = 10_000

export interface AttemptWatch {
  /** Aborted with Superseded, or with the reason for which the process stops. */
  signal: AbortSignal
  /** Records how far the work is, not more often than twice a second. @throws Superseded */
  progress(share: number): Promise<void>
  end(): void
}

export function watchAttempt(
  database: Database,
  organizationId: Id<'organizations'>,
  attempt: Attempt,
  stopped: AbortSignal,
): AttemptWatch {
  const superseded = new AbortController()
  let recordedAt = 0
  let share = 0
  const abortUnless = (isWanted: boolean) => {
    if (!isWanted) superseded.abort(new Superseded())
  }
  const record = async () => {
    recordedAt = Date.now()
    abortUnless(
      await database.organization(organizationId, (db) => recordProgress({ db, organizationId }, attempt, share), {
        isolation: 'read committed',
      }),
    )
  }
  const look = async () => {
    const options = { readOnly: true, isolation: 'read committed' } as const
    abortUnless(
      await database.organization(organizationId, (db) => isCurrent({ db, organizationId }, attempt), options),
    )
  }
  const endLooking = lookAfterCommits(database, look)
  const life = setInterval(() => void record().catch(() => {}), LIFE_EVERY_MS) // a failed record is made up for by the next
  return {
    signal: AbortSignal.any([superseded.signal, stopped]),
    async progress(reached) {
      share = Math.max(share, reached)
      if (Date.now() - recordedAt >= RECORD_EVERY_MS) await record()
      superseded.signal.throwIfAborted()
    },
    end() {
      endLooking()
      clearInterval(life)
    },
  }
}

/**
 * A cancellation is a commit, of this process or announced by another. Looks once for all commits of half a second.
 *
 * @returns how to end it
 */
export function lookAfterCommits(database: Database, look: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  const unsubscribe = database.onCommit(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      look().catch(() => {}) // the next commit or sign of life looks again
    }, RECORD_EVERY_MS)
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}
