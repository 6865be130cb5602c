// Withdraws a consent at Google after the row that kept it is gone.
import type { Services } from '#server/functions/services.ts'
import { CalendarFailure, type CalendarFailureKind } from '#server/integrations/google-calendar/failures.ts'
import type { Db, OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { defineJob, type JobSender } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { openToken } from './access.ts'
import { deleteConnection, isAccountUsed, type SealedConnection } from './connections.store.ts'

type Queueing = { jobs: JobSender<Db> }
type RevokeContext = Pick<Services, 'database' | 'secrets' | 'googleCalendar'>

/** Errors for which retrying changes something. */
const PASSING: ReadonlySet<CalendarFailureKind> = new Set(['unreachable', 'rate_limited'])

/**
 * Its data holds the token as it was stored, encrypted. Google ends a consent for all who have it: while another agent is connected to the
 * account, nothing is withdrawn.
 */
export const revokeCalendarJob = defineJob<SealedConnection, RevokeContext>({
  name: 'calendar.revoke',
  limitSeconds: 60,
  concurrency: 1,
  async run({ database, secrets, googleCalendar }, left) {
    if (!googleCalendar) return
    const isUsed = await database.system('calendar: revoke', (db) => isAccountUsed({ db }, left.account), {
      readOnly: true,
    })
    if (isUsed) return
    try {
      await googleCalendar.revoke(openToken(secrets, left))
    } catch (error) {
      if (!(error instanceof CalendarFailure) || PASSING.has(error.kind)) throw error
    }
  },
})

/** Queued with the deletion: consents are withdrawn if, and only if, it commits. */
export function revokeLater(ctx: StoreContext & Queueing, connections: SealedConnection[]): Promise<void> {
  return ctx.jobs.sendAll(ctx.db, revokeCalendarJob, connections)
}

/** Disconnects an agent that is removed, or that a person disconnects. @returns what it was connected to; null: nothing */
export async function leaveCalendar(
  ctx: OrgStoreContext & Queueing,
  agentId: Id<'agents'>,
): Promise<SealedConnection | null> {
  const left = await deleteConnection(ctx, agentId)
  if (left) await revokeLater(ctx, [left])
  return left
}
