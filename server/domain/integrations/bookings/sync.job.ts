// Notices that visits were moved or cancelled in the calendar itself: what has changed since the last look is asked for, calendar by calendar.
import type { CalendarEvents, EventState } from '#server/integrations/google-calendar/events.ts'
import { CalendarFailure } from '#server/integrations/google-calendar/failures.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import { withCalendar } from '../calendar/access.ts'
import { type Booking, changeBooking, listInCalendar, setOwesWord } from './bookings.store.ts'
import { announce, type BookingParts } from './carry-out.ts'
import { foreignChange } from './sync.rules.ts'
import { listSynced, type SyncedCalendar, saveSync } from './sync.store.ts'

/** Calendars of one run, and those that are read concurrently: a slow account takes one place. */
const BATCH = 1000
const AT_ONCE = 10
const WRITE = { isolation: 'read committed' } as const

/** Those that were not read in one run are the first of the next. Google being away is left for that. */
export const syncBookingsJob = defineJob<object, BookingParts>({
  name: 'bookings.sync',
  limitSeconds: 540,
  concurrency: 1,
  schedule: '*/10 * * * *',
  async run(parts, _, signal) {
    if (!parts.googleCalendar) return
    const all = await parts.database.system('bookings: calendars', (db) => listSynced({ db }, BATCH), {
      readOnly: true,
    })
    const failures = await runAtOnce(all, { atOnce: AT_ONCE, signal, run: (each) => sync(parts, each) })
    if (failures.length > 0) throw new AggregateError(failures, 'some calendars were not read')
  },
})

/** Visits are read before the calendar is: one that changes meanwhile is fenced, and the same changes are asked for again. */
async function sync(parts: BookingParts, calendar: SyncedCalendar): Promise<void> {
  const { connection, calendarId } = calendar
  const { organizationId, agentId } = connection
  const write = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
    parts.database.organization(organizationId, (db) => run({ db, organizationId }), WRITE)
  const known = await write((ctx) => listInCalendar(ctx, { agentId, calendarId }, new Date()))
  const read = await withCalendar(parts, connection, async (google, token) =>
    readStates(await google.events(token), calendar, known),
  ).catch(ignoreFailure)
  if (!read) return write((ctx) => saveSync(ctx, calendar))
  let isDone = true
  for (const booking of known) {
    const state = read.states.get(booking.id)
    const change = state && foreignChange(booking, state)
    if (!change) continue
    const isRecorded = booking.status === 'booked' && (await write((ctx) => record(ctx, booking, change)))
    if (!isRecorded) isDone = false
  }
  await write((ctx) => saveSync(ctx, { ...calendar, ...(isDone && { syncToken: read.syncToken }) }))
}

type States = { states: Map<string, EventState>; syncToken: string | null }

/** A visit that is missing where all events are listed was moved out of sight, or removed for good. */
async function readStates(events: CalendarEvents, calendar: SyncedCalendar, known: Booking[]): Promise<States> {
  const { calendarId, syncToken } = calendar
  const changes = await events.changes(calendarId, { syncToken, from: Date.now() })
  const missing = changes.isWhole ? known.filter(({ id }) => !changes.events.has(id)) : []
  const states = new Map(changes.events)
  for (const { id } of missing) states.set(id, await events.find({ calendarId, id }))
  return { states, syncToken: changes.syncToken }
}

/** In one transaction: the visit, what programs hear of it, and that its customer is to hear of it. @returns whether it was still as known */
async function record(ctx: OrgStoreContext, known: Booking, change: NonNullable<ReturnType<typeof foreignChange>>) {
  const recorded = await changeBooking(ctx, known, change)
  if (!recorded) return false
  const isNews = recorded.status === 'cancelled' || recorded.from !== known.from
  if (isNews) await setOwesWord(ctx, recorded.id, true)
  await announce(ctx, known.status, recorded)
  return true
}

/** A consent that is gone has been noted by then. */
function ignoreFailure(error: unknown): null {
  if (error instanceof CalendarFailure) return null
  throw error
}
