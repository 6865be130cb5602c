// Finds out that a calendar wants a new consent before a customer does: each one is asked for twice a day.
import type { Services } from '#server/functions/services.ts'
import { CalendarFailure } from '#server/integrations/google-calendar/failures.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import { forgetToken, withCalendar } from './access.ts'
import { listDue, type SealedConnection, setAccepted } from './connections.store.ts'

type CheckContext = Pick<Services, 'database' | 'secrets' | 'googleCalendar'>

const EVERY_MS = 12 * 3_600_000
/** Connections of one run, and those that are asked for concurrently. */
const BATCH = 500
const AT_ONCE = 5

/** Every hour, those whose time has come. Google being away is left for the next hour. */
export const checkCalendarsJob = defineJob<object, CheckContext>({
  name: 'calendar.check',
  limitSeconds: 600,
  concurrency: 1,
  schedule: '41 * * * *',
  async run(ctx, _, signal) {
    if (!ctx.googleCalendar) return
    const before = new Date(Date.now() - EVERY_MS)
    const due = await ctx.database.system('calendar: due', (db) => listDue({ db }, before, BATCH), { readOnly: true })
    const failures = await runAtOnce(due, { atOnce: AT_ONCE, signal, run: (each) => check(ctx, each) })
    if (failures.length > 0) throw new AggregateError(failures, 'some calendars were not looked at')
  },
})

async function check(ctx: CheckContext, connection: SealedConnection): Promise<void> {
  const { organizationId } = connection
  if (ctx.googleCalendar) forgetToken(ctx.googleCalendar, connection)
  try {
    await withCalendar(ctx, connection, async () => undefined)
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error
    return
  }
  await ctx.database.organization(organizationId, (db) => setAccepted({ db, organizationId }, connection, new Date()))
}
