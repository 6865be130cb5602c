// What was changed in the calendar itself: visits that were cancelled or moved there are so here, and their customers and programs hear of it.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { move } from '#server/domain/integrations/bookings/booking.ts'
import type { Booking } from '#server/domain/integrations/bookings/bookings.store.ts'
import { syncBookingsJob } from '#server/domain/integrations/bookings/sync.job.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { BookingWorld, CALENDAR, call, NO_SIGNAL } from './booking-world.ts'

vi.setConfig({ testTimeout: 120_000 })

const HOUR = 3_600_000

let stage: BookingWorld

beforeAll(async () => {
  stage = await BookingWorld.start()
})
afterAll(() => stage.stop())
beforeEach(async () => {
  await stage.test.database.system('test: nothing is left of earlier tests', (db) =>
    sql`delete from calendar_connections`.execute(db),
  )
  Object.assign(stage.google.state, { pageSize: 250 })
  await stage.begin()
  await subscribe()
})

const sync = () => syncBookingsJob.run(stage.world.services, {}, NO_SIGNAL)
const eventOf = ({ id }: Booking) => {
  const event = stage.google.state.events.get(id)
  if (!event) throw new Error('there is no event')
  return event
}

async function subscribe(): Promise<void> {
  const types = ['booking.created', 'booking.changed', 'booking.cancelled']
  await stage.test.database.system('test: a webhook', (db) =>
    db
      .insertInto('webhook_endpoints')
      .values({
        ...{ id: newId('webhookEndpoints'), organization_id: stage.bot.organizationId, url: 'http://127.0.0.1:9/hook' },
        ...{ description: '', types, per_minute: null, created_by: null, disabled_reason: null, state: 'on' },
        ...{ secret: 'none', previous_secret: null, previous_until: null },
      } as never)
      .execute(),
  )
}

async function heard(): Promise<string[]> {
  const { rows } = await stage.world.read((db) =>
    sql<{ type: string }>`select type from webhook_events where organization_id = ${stage.bot.organizationId}
      order by created_at, id`.execute(db),
  )
  return rows.map(({ type }) => type)
}

async function lists(): Promise<{ sync_token: string | null }[]> {
  return stage.world.read((db) =>
    db.selectFrom('booking_syncs').where('agent_id', '=', stage.bot.agentId).selectAll().execute(),
  )
}

it.each(['first', 'later'])('cancels a visit that was cancelled in the calendar: the %s look', async (look) => {
  const booking = await stage.booked(await stage.meet())
  if (look === 'later') await sync()
  eventOf(booking).status = 'cancelled'
  await sync()
  await sync()
  expect(await stage.row(booking.id)).toMatchObject({ status: 'cancelled', remind_at: null })
  expect(await stage.notices()).toEqual([expect.stringMatching(/^Ваша запись отменена: /)])
  expect(await stage.notices()).toHaveLength(1)
  expect(await heard()).toEqual(['booking.created', 'booking.cancelled'])
})

it.each(['first', 'later'])('moves a visit that was moved in the calendar: the %s look', async (look) => {
  const booking = await stage.booked(await stage.meet(), 30)
  if (look === 'later') await sync()
  stage.google.reschedule(booking.id, 5 * HOUR)
  await sync()
  await sync()
  const row = await stage.row(booking.id)
  expect(row.starts_at.getTime()).toBe(booking.from + 5 * HOUR)
  expect(row.ends_at.getTime()).toBe(booking.to + 5 * HOUR)
  expect(row.remind_at?.getTime()).toBe(booking.from + 5 * HOUR - 24 * HOUR)
  expect(await stage.notices()).toEqual([expect.stringMatching(/^Ваша запись перенесена на другое время: /)])
  expect(await stage.notices()).toHaveLength(1)
  expect(await heard()).toEqual(['booking.created', 'booking.changed'])
})

it('takes nothing that Parley has done itself for the owner’s', async () => {
  const asker = await stage.meet()
  const booking = await stage.booked(asker)
  await sync()
  const [later] = await stage.offered(asker, 50)
  await move(stage.world.services, asker, { bookingId: booking.id, slotId: later?.id ?? '' })
  eventOf(booking).body.summary = 'renamed by the owner'
  await sync()
  expect(await stage.notices()).toEqual([])
  expect(await heard()).toEqual(['booking.created', 'booking.changed'])
  expect((await stage.row(booking.id)).starts_at.getTime()).toBe(later?.from)
})

it('writes nothing over a visit that is moved here while the calendar is read, and looks once more', async () => {
  const asker = await stage.meet()
  const booking = await stage.booked(asker)
  await sync()
  const [later] = await stage.offered(asker, 50)
  const before = await lists()
  stage.google.reschedule(booking.id, HOUR)
  const read = stage.google.pauseNextList()
  const syncing = sync()
  await read.reached
  await move(stage.world.services, asker, { bookingId: booking.id, slotId: later?.id ?? '' })
  read.release()
  await syncing
  expect(await stage.row(booking.id)).toMatchObject({ status: 'booked', moved_in_calendar: false })
  expect((await stage.row(booking.id)).starts_at.getTime()).toBe(later?.from)
  expect((await lists())[0]?.sync_token).toBe(before[0]?.sync_token)
  await sync()
  expect((await stage.row(booking.id)).starts_at.getTime()).toBe(later?.from)
  expect(await stage.notices()).toEqual([])
})

it('begins again when Google has forgotten the token, and reads all pages', async () => {
  const asker = await stage.meet()
  const booking = await stage.booked(asker)
  const other = await stage.booked(asker, 60)
  await sync()
  stage.google.state.pageSize = 1
  stage.google.reschedule(booking.id, HOUR)
  eventOf(other).status = 'cancelled'
  stage.google.state.syncs.clear()
  await sync()
  expect((await stage.row(booking.id)).starts_at.getTime()).toBe(booking.from + HOUR)
  expect(await stage.row(other.id)).toMatchObject({ status: 'cancelled' })
  stage.google.state.events.delete(booking.id)
  stage.google.state.syncs.clear()
  await sync()
  expect(await stage.row(booking.id)).toMatchObject({ status: 'cancelled' })
})

it('lets the owner put two visits at one moment', async () => {
  const asker = await stage.meet()
  const [one, other] = [await stage.booked(asker, 30), await stage.booked(asker, 60)]
  stage.google.reschedule(one.id, other.from - one.from)
  await sync()
  expect((await stage.row(one.id)).starts_at.getTime()).toBe(other.from)
  expect(await stage.row(other.id)).toMatchObject({ status: 'booked' })
})

it('asks only for calendars with visits ahead, and marks a consent that is gone', async () => {
  const asker = await stage.meet()
  await sync()
  expect(await lists()).toEqual([])
  const booking = await stage.booked(asker)
  await sync()
  expect(await lists()).toHaveLength(1)
  eventOf(booking).status = 'cancelled'
  stage.google.withdraw()
  await sync()
  expect(await stage.row(booking.id)).toMatchObject({ status: 'booked' })
  const status = () =>
    stage.world.read((db) =>
      db
        .selectFrom('calendar_connections')
        .where('agent_id', '=', stage.bot.agentId)
        .select('status')
        .executeTakeFirst(),
    )
  expect(await status()).toEqual({ status: 'reauthorization_required' })
})

it('lets a slow account hold up no other', async () => {
  const slow = await stage.booked(await stage.meet())
  const { refreshToken } = stage.google.state.grants.at(-1) ?? { refreshToken: '' }
  const gate = Promise.withResolvers<void>()
  const { events } = stage.google.state
  const kept = [...events]
  await stage.begin()
  for (const [id, event] of kept) events.set(id, event)
  const quick = await stage.booked(await stage.meet(), 40)
  eventOf(quick).status = 'cancelled'
  eventOf(slow).status = 'cancelled'
  stage.google.state.slow.set(refreshToken, gate.promise)
  const syncing = sync()
  await vi.waitFor(async () => expect(await stage.row(quick.id)).toMatchObject({ status: 'cancelled' }), 10_000)
  expect(await stage.row(slow.id)).toMatchObject({ status: 'booked' })
  stage.google.state.slow.clear()
  gate.resolve()
  await syncing
  expect(await stage.row(slow.id)).toMatchObject({ status: 'cancelled' })
})

it('sees another event at exactly the time of the visit that is moved', async () => {
  const asker = await stage.meet()
  const [slot, overlapping] = await stage.offered(asker, 30)
  const made = await stage.book(asker, slot?.id ?? '')
  if (made.kind !== 'done') throw new Error('not booked')
  const { start, end } = eventOf(made.booking).body
  const theirs = { id: 'theirs', calendarId: CALENDAR, status: 'confirmed' as const, body: { start, end } }
  stage.google.state.events.set('theirs', theirs)
  const moveIt = () => move(stage.world.services, asker, { bookingId: made.booking.id, slotId: overlapping?.id ?? '' })
  expect(await moveIt()).toEqual({ kind: 'refused', reason: 'taken' })
  Object.assign(theirs.body, { transparency: 'transparent' })
  expect(await moveIt()).toMatchObject({ kind: 'done', booking: { from: overlapping?.from } })
})

it('books the free time whose button a customer presses', async () => {
  await stage.begin({ choices: { isOn: true } })
  type Free = { slot_id: string; time: string }[]
  const from = new Date(Date.now() + 24 * HOUR).toISOString().slice(0, 10)
  const free = await stage.turn(
    'Когда можно?',
    (request) => call(request, 'find_free_times', { from }) as Promise<Free>,
  )
  const message = stage.telegram.sentTo(stage.chat).at(-1)
  const labels = message?.buttons?.flat().map(({ text }) => text) ?? []
  expect(labels.length).toBeGreaterThan(1)
  const pressed = await stage.press(labels[1] ?? '', async (request) => {
    expect(request.messages.at(-1)?.text).toBe(labels[1])
    expect(JSON.stringify(request.data)).toContain(free[1]?.slot_id)
    return call(request, 'book_time', { slot_id: free[1]?.slot_id })
  })
  expect(pressed).toMatchObject({ done: true, status: 'booked', time: free[1]?.time })
})
