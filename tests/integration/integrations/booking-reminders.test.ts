// Customers are reminded of their visits: when the settings of their agent say so, once, and only of visits that still stand.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { cancel, move } from '#server/domain/integrations/bookings/booking.ts'
import { saveCustomerReminders } from '#server/domain/integrations/calendar/calendar.functions.ts'
import { bookingWordsJob } from '#server/domain/messaging/follow-ups/booking-words.job.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import type { CustomerReminders } from '#shared/integrations/calendar.ts'
import { BookingWorld, NO_SIGNAL } from './booking-world.ts'

vi.setConfig({ testTimeout: 120_000 })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const REMINDER = /^Напоминаем о вашей записи: /

let stage: BookingWorld

beforeAll(async () => {
  stage = await BookingWorld.start()
})
afterAll(() => stage.stop())
beforeEach(() => stage.begin())

/** As a member sets it on the page. */
async function remind(customerReminders: CustomerReminders): Promise<void> {
  const { organizationId, agentId } = stage.bot
  await stage.world.call(organizationId, saveCustomerReminders, { agentId, customerReminders })
}

it('reminds a day and an hour before a visit, each time once, in the zone of the calendar', async () => {
  const asker = await stage.meet()
  const { id, from } = await stage.booked(asker, 25)
  expect(await stage.notices()).toEqual([])
  await stage.elapse(id, from - Date.now() - 24 * HOUR + MINUTE)
  expect(await stage.notices()).toEqual([expect.stringMatching(REMINDER)])
  expect(await stage.notices()).toHaveLength(1)
  await stage.elapse(id, 23 * HOUR)
  const both = await stage.notices()
  expect(both).toHaveLength(2)
  const { starts_at: startsAt } = await stage.row(id)
  const clock = { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const
  const { rows } = await stage.world.read((db) =>
    sql<{ zone: string }>`select time_zone as zone from organizations where id = ${stage.bot.organizationId}`.execute(
      db,
    ),
  )
  const time = new Intl.DateTimeFormat('ru', { ...clock, timeZone: rows[0]?.zone ?? 'UTC' }).format(startsAt)
  expect(both[1]).toContain(time)
  expect((await stage.row(id)).remind_at).toBeNull()
  const messages = await stage.world.messages(stage.chat)
  expect(messages.filter(({ reason }) => reason === 'booking')).toHaveLength(2)
  const usage = await stage.world.usage(stage.bot)
  expect(usage.filter(({ source_id: source }) => source.endsWith('/notice'))).toHaveLength(2)
  expect(await stage.world.conversation(stage.chat)).toMatchObject({ status: 'active', needs_person: false })
})

it('sends no reminder whose moment had passed when the visit was booked', async () => {
  const asker = await stage.meet()
  const { id, from } = await stage.booked(asker, 2)
  expect((await stage.row(id)).remind_at?.getTime()).toBe(from - HOUR)
  const soon = await stage.booked(asker, 0.1)
  if (soon.from - Date.now() < HOUR) expect((await stage.row(soon.id)).remind_at).toBeNull()
  expect(await stage.notices()).toEqual([])
})

it('skips a reminder that is late, and keeps the next one', async () => {
  const asker = await stage.meet()
  const { id, from } = await stage.booked(asker, 30)
  await stage.elapse(id, from - Date.now() - 24 * HOUR + 2 * HOUR)
  expect(await stage.notices()).toEqual([])
  const { starts_at: startsAt, remind_at: remindAt } = await stage.row(id)
  expect(remindAt?.getTime()).toBe(startsAt.getTime() - HOUR)
})

it('reminds when the settings say, also of visits that are booked already', async () => {
  const asker = await stage.meet()
  const { id, from } = await stage.booked(asker, 60)
  const next = async () => {
    const { remind_at: remindAt } = await stage.row(id)
    return remindAt && (from - remindAt.getTime()) / MINUTE
  }
  expect(await next()).toBe(1440)
  await remind([2880, 30])
  expect(await next()).toBe(2880)
  await remind([30])
  expect(await next()).toBe(30)
  await remind([])
  expect(await next()).toBeNull()
  const prompts: string[] = []
  await stage.turn('Напомните?', async ({ system }) => void prompts.push(system))
  await remind([1440, 180, 30])
  await stage.turn('А теперь?', async ({ system }) => void prompts.push(system))
  expect(prompts[0]).toContain('no reminders of their bookings')
  expect(prompts[1]).toContain('24 hours, 3 hours, and 30 minutes before')
})

it('refuses moments that there are not, too many of them, and one twice', async () => {
  for (const wrong of [[45], [2880, 1440, 720, 60], [60, 60], [60, 1440]]) {
    await expect(remind(wrong as CustomerReminders)).rejects.toThrow(/invalid_arguments/)
  }
})

it('plans the reminders of a visit that is moved again, and of one that is cancelled none', async () => {
  const asker = await stage.meet()
  const { id } = await stage.booked(asker, 25)
  const [later] = await stage.offered(asker, 70)
  await move(stage.world.services, asker, { bookingId: id, slotId: later?.id ?? '' })
  expect((await stage.row(id)).remind_at?.getTime()).toBe((later?.from ?? 0) - 24 * HOUR)
  await cancel(stage.world.services, asker, id)
  expect((await stage.row(id)).remind_at).toBeNull()
})

it('sends one reminder when two servers look at once, and none that a crash has taken back', async () => {
  const asker = await stage.meet()
  const { id, from } = await stage.booked(asker, 25)
  await stage.elapse(id, from - Date.now() - 24 * HOUR + MINUTE)
  const { database } = stage.world.services
  const dying: Database = {
    ...database,
    system: (why, run, options) => database.system(why, run, options),
    organization: (organizationId, run, options) =>
      database.organization(
        organizationId,
        async (db) => {
          await run(db)
          throw new Error('the server is gone before the commit')
        },
        options,
      ),
  }
  await expect(bookingWordsJob.run({ database: dying }, {}, NO_SIGNAL)).rejects.toThrow(/some customers/)
  const look = () => bookingWordsJob.run(stage.world.services, {}, NO_SIGNAL)
  await Promise.all([look(), look(), look()])
  expect(await stage.notices()).toEqual([expect.stringMatching(REMINDER)])
})

it.each(['deleted', 'removed', 'blocked', 'erased'])('sends no reminder: %s', async (why) => {
  const asker = await stage.meet()
  const { id, from } = await stage.booked(asker, 25)
  await stage.elapse(id, from - Date.now() - 24 * HOUR + MINUTE)
  const conversation = asker.conversationId
  await stage.test.database.system(`test: ${why}`, async (db) => {
    if (why === 'deleted') await sql`update conversations set folder = 'deleted' where id = ${conversation}`.execute(db)
    if (why === 'removed') await sql`update agents set deleted_at = now() where id = ${asker.agentId}`.execute(db)
    if (why === 'blocked') {
      await sql`update outbox set status = 'failed', error = 'blocked: 403' where conversation_id = ${conversation}`.execute(
        db,
      )
    }
    if (why === 'erased') await sql`delete from conversations where id = ${conversation}`.execute(db)
  })
  const before = stage.telegram.sentTo(stage.chat).length
  await bookingWordsJob.run(stage.world.services, {}, NO_SIGNAL)
  await stage.world.pipeline.settle()
  expect(stage.telegram.sentTo(stage.chat)).toHaveLength(before)
  expect(await stage.notices()).toEqual([])
})

it('is refused at its message, and costs nothing, where the channel lets nothing through any more', async () => {
  const asker = await stage.meet()
  const { id, from } = await stage.booked(asker, 60)
  await stage.elapse(id, from - Date.now() - 24 * HOUR + MINUTE)
  await stage.test.database.system('test: long ago', (db) =>
    sql`update messages set created_at = created_at - interval '25 hours' where conversation_id = ${asker.conversationId}`.execute(
      db,
    ),
  )
  const before = await stage.world.usage(stage.bot)
  const manifest = CHANNELS.telegram as { replyWindowMs: number | null }
  manifest.replyWindowMs = 24 * HOUR
  try {
    expect(await stage.notices()).toEqual([])
  } finally {
    manifest.replyWindowMs = null
  }
  const parts = await stage.world.parts(stage.chat)
  expect(parts.at(-1)).toMatchObject({ status: 'failed', error: expect.stringMatching(/^out_of_window:/) })
  expect(await stage.world.usage(stage.bot)).toEqual(before)
})
