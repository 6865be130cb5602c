// Watches the analysis of a table: ends the process that reads the file when the result is no longer wanted.
import type { Database } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { Superseded } from '../documents/attempts.ts'
import { lookAfterCommits } from '../documents/documents.watch.ts'
import { isCurrentAnalysis, type TableAttempt } from './tables.store.ts'

export interface AnalysisWatch {
  /** Aborted with Superseded after a cancellation, a deletion or a newer attempt, or with the reason for which the process stops. */
  signal: AbortSignal
  end(): void
}

/** To be ended when the analysis is over. */
export function watchAnalysis(
  database: Database,
  organizationId: Id<'organizations'>,
  attempt: TableAttempt,
  stopped: AbortSignal,
): AnalysisWatch {
  const superseded = new AbortController()
  const options = { readOnly: true, isolation: 'read committed' } as const
  const end = lookAfterCommits(database, async () => {
    const look = database.organization(
      organizationId,
      (db) => isCurrentAnalysis({ db, organizationId }, attempt),
      options,
    )
    if (!(await look)) superseded.abort(new Superseded())
  })
  return { signal: AbortSignal.any([superseded.signal, stopped]), end }
}
