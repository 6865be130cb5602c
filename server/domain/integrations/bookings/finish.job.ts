// Finishes bookings that a dead server has left, or that Google did not answer for; forgets times that were offered long ago.
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import { hasLeft, listLeft } from './bookings.store.ts'
import { type BookingParts, carryOut } from './carry-out.ts'
import { deleteExpired } from './slots.store.ts'

/** Until then who has begun it may still be at it. */
const LEFT_MS = 60_000
const BATCH = 500
const AT_ONCE = 5
/** An offer that has expired is kept for a day: a late choice and one that never was are refused differently. */
const KEPT_MS = 86_400_000

export const finishBookingsJob = defineJob<object, BookingParts>({
  name: 'bookings.finish',
  limitSeconds: 300,
  concurrency: 1,
  async run(ctx, _, signal) {
    const left = await ctx.database.system('bookings: left', (db) => listLeft({ db }, leftBefore(), BATCH), {
      readOnly: true,
    })
    const run = async (booking: (typeof left)[number]) => void (await carryOut(ctx, booking))
    const failures = await runAtOnce(left, { atOnce: AT_ONCE, signal, run })
    if (failures.length > 0) throw new AggregateError(failures, 'some bookings were not finished')
  },
})

/** Every minute: Google is asked by a job of its own, and only when there is something to ask. */
export const leftBookingsJob = defineJob<object, Pick<Services, 'database' | 'jobs' | 'googleCalendar'>>({
  name: 'bookings.left',
  limitSeconds: 30,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  async run({ database, jobs, googleCalendar }) {
    if (!googleCalendar) return
    await database.system('bookings: look', async (db) => {
      await deleteExpired({ db }, new Date(Date.now() - KEPT_MS))
      if (!(await hasLeft({ db }, leftBefore()))) return
      await jobs.send(db, finishBookingsJob, {}, { merged: { key: 'bookings', everySeconds: 60 } })
    })
  },
})

function leftBefore(): Date {
  return new Date(Date.now() - LEFT_MS)
}
