// Bookings between a conversation in Telegram and a server that speaks Google's protocols: what was offered is booked once, however many race for it
// and wherever a server dies, and what a model makes up books nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type BookingResult, book, findTimes, move } from '#server/domain/integrations/bookings/booking.ts'
import { finishBookingsJob, leftBookingsJob } from '#server/domain/integrations/bookings/finish.job.ts'
import type { Asker, OfferedSlot } from '#server/domain/integrations/bookings/slots.store.ts'
import { sealToken } from '#server/domain/integrations/calendar/access.ts'
import { bookingWordsJob } from '#server/domain/messaging/follow-ups/booking-words.job.ts'
import { createGoogleCalendar } from '#server/integrations/google-calendar/google-calendar.ts'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import type { Id } from '#shared/ids.ts'
import { type CalendarAvailability, DEFAULT_CALENDAR_SETTINGS } from '#shared/integrations/calendar.ts'
import { webhookBody } from '#shared/webhooks/payloads.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeGoogleCalendar, startFakeGoogleCalendar } from '#tests/fakes/google-calendar/google-calendar.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

vi.setConfig({ testTimeout: 240_000 })

const SECRET = 'a secret of the tests, long enough'
const CALENDAR = 'bookings@group.calendar.google.com'
const SCOPES = ['events.owned', 'calendarlist.readonly', 'events.freebusy']
const DAY = 86_400_000
const PROCESS = path.join(import.meta.dirname, 'booking.process.ts')
const ALWAYS: CalendarAvailability = {
  ...DEFAULT_CALENDAR_SETTINGS.availability,
  hours: Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_, hour) => hour)),
  leadHours: 0,
}
const NO_SIGNAL = new AbortController().signal

let test: TestDatabase
let telegram: FakeTelegram
let google: FakeGoogleCalendar
let world: PipelineWorld
let bot: Bot
let chat = 5000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  google = await startFakeGoogleCalendar()
  world = new PipelineWorld(test.database, telegram)
  world.services.googleCalendar = createGoogleCalendar(google.config)
  await world.start()
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await google.close()
  await test.close()
})
beforeEach(async () => {
  world.model = echo
  world.requests.length = 0
  Object.assign(google.state, { refusal: null })
  google.state.events.clear()
  chat++
  bot = await world.addBot()
  await connect()
})

/** The agent is connected, and may be booked at any hour. */
async function connect(): Promise<void> {
  const { organizationId, agentId } = bot
  const id = newId('calendarConnections')
  const refreshToken = `1//${id}`
  const scopes = SCOPES.map((scope) => `https://www.googleapis.com/auth/calendar.${scope}`)
  google.state.grants.push({ refreshToken, scopes, isWithdrawn: false })
  const now = new Date()
  const target = { id: CALENDAR, name: 'Bookings' }
  await test.database.organization(organizationId, async (db) => {
    await db
      .insertInto('calendar_connections')
      .values({
        ...{
          id,
          organization_id: organizationId,
          agent_id: agentId,
          status: 'connected',
          account: 'salon@example.com',
        },
        refresh_token: sealToken(world.services.secrets, id, refreshToken),
        ...{ connected_by: 'Anna', connected_at: now, checked_at: now, lost_at: null },
      })
      .execute()
    await db
      .insertInto('calendar_settings')
      .values({
        ...{ organization_id: organizationId, agent_id: agentId, templates: null, updated_at: now },
        calendars: JSON.stringify({ busy: [target], target }),
        availability: JSON.stringify(ALWAYS),
      })
      .execute()
  })
}

async function setAvailability(change: Partial<CalendarAvailability>): Promise<void> {
  await test.database.organization(bot.organizationId, (db) =>
    db
      .updateTable('calendar_settings')
      .set({ availability: JSON.stringify({ ...ALWAYS, ...change }) })
      .where('agent_id', '=', bot.agentId)
      .execute(),
  )
}

/** The customer writes, and the model does something. @returns what that has come to */
async function turn<Result>(text: string, act: (request: GenerateRequest) => Promise<Result>): Promise<Result> {
  const done = Promise.withResolvers<Result>()
  world.model = async (request) => {
    await act(request).then(done.resolve, done.reject)
    return 'Well.'
  }
  const before = telegram.sentTo(chat).length
  telegram.customerSays(bot.token, { chatId: chat, firstName: 'Айгуль' }, text)
  const result = await done.promise
  await telegram.waitForSent(chat, before + 1)
  await world.pipeline.settle()
  return result
}

function call(request: GenerateRequest, name: string, args: object): Promise<unknown> {
  const tool = request.tools.find((each) => each.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool.run(args, NO_SIGNAL)
}

/** The conversation of a customer who has greeted. */
async function meet(): Promise<Asker> {
  await turn('Здравствуйте', async () => undefined)
  const { id, organizationId } = await world.conversation(chat)
  return { organizationId, agentId: bot.agentId, conversationId: id }
}

async function offered(asker: Asker, most = 30): Promise<OfferedSlot[]> {
  const from = Math.ceil(Date.now() / DAY) * DAY
  const found = await findTimes(world.services, asker, { within: { from, to: from + 3 * DAY }, timeZone: null, most })
  return found ?? []
}

const eventFor = async () => ({ title: 'Visit', description: '', reminders: [] })
const tomorrow = () => new Date(Date.now() + DAY).toISOString().slice(0, 10)
const standing = () => [...google.state.events.values()].filter(({ status }) => status === 'confirmed')
const bookings = () =>
  world.read((db) => db.selectFrom('bookings').where('agent_id', '=', bot.agentId).selectAll().execute())
const reasonOf = (result: BookingResult) => (result.kind === 'refused' ? result.reason : result.kind)

it('books, moves and cancels what a customer chooses, over several turns', async () => {
  await subscribe()
  type Free = { slot_id: string; time: string }[]
  const free = await turn(
    'Когда можно прийти?',
    (request) => call(request, 'find_free_times', { from: tomorrow() }) as Promise<Free>,
  )
  expect(free.length).toBeGreaterThan(5)
  const [first, , , , later] = free.map(({ slot_id }) => slot_id)
  const booked = (await turn('Первое', async (request) => {
    expect(JSON.stringify(request.data)).toContain(first)
    return call(request, 'book_time', { slot_id: first, note: 'Стрижка' })
  })) as { done: boolean; booking_id: string }
  expect(booked).toMatchObject({ done: true, status: 'booked', time: free[0]?.time })
  expect(standing()).toHaveLength(1)
  expect(standing()[0]).toMatchObject({ id: booked.booking_id, calendarId: CALENDAR })
  expect(standing()[0]?.body).toMatchObject({ summary: 'Айгуль', description: expect.stringContaining('Стрижка') })

  await turn('Перенесите', async (request) => {
    expect(JSON.stringify(request.data)).toContain(booked.booking_id)
    return call(request, 'move_booking', { booking_id: booked.booking_id, slot_id: later })
  })
  expect(standing()).toHaveLength(1)
  expect(await bookings()).toMatchObject([{ status: 'booked', moves_from: null }])
  expect(Date.parse(standing()[0]?.body.start.dateTime ?? '')).toBe((await bookings())[0]?.starts_at.getTime())

  await turn('Отмените', (request) => call(request, 'cancel_booking', { booking_id: booked.booking_id }))
  expect(standing()).toHaveLength(0)
  expect(await bookings()).toMatchObject([{ status: 'cancelled' }])
  expect(await events()).toEqual([
    { type: 'booking.created', status: 'booked' },
    { type: 'booking.changed', status: 'booked' },
    { type: 'booking.cancelled', status: 'cancelled' },
  ])
  expect(await turn('Что у меня?', (request) => call(request, 'list_bookings', {}))).toEqual([])
})

it('gives times in the zone of the customer too, and none in one that there is not', async () => {
  await turn('Я в Берлине', async (request) => {
    const shown = await call(request, 'find_free_times', { from: tomorrow(), time_zone: 'Europe/Berlin' })
    expect(shown).toMatchObject([{ customer_time_zone: 'Europe/Berlin' }, ...(shown as object[]).slice(1)])
    expect(await call(request, 'find_free_times', { from: tomorrow(), time_zone: 'Mars/Base' })).toMatch(
      /no such time zone/,
    )
  })
})

it('books nothing that a model makes up: ids, times, people, tools', async () => {
  const other = await meet()
  const [theirs] = await offered(other)
  const made = await book(world.services, other, { slotId: theirs?.id ?? '', eventFor })
  if (made.kind !== 'done') throw new Error('not booked')
  chat++
  await turn('Запишите меня', async (request) => {
    const [own] = (await call(request, 'find_free_times', { from: tomorrow() })) as { slot_id: string }[]
    const invented = [
      '',
      'x',
      newId(),
      theirs?.id,
      made.booking.id,
      '2030-01-01T10:00:00Z',
      "' or true --",
      own?.slot_id.toUpperCase(),
    ]
    for (const slot_id of invented) {
      const answers = await call(request, 'book_time', { slot_id }).catch((error: Error) => error.message)
      expect(answers).toBeTypeOf('string')
    }
    for (const more of [
      { time: '2030-01-01T10:00:00Z' },
      { phone: '+77011234567' },
      { customer: 'Boss' },
      { calendar: 'x' },
    ]) {
      await expect(call(request, 'book_time', { slot_id: own?.slot_id, ...more })).rejects.toThrow(/form/)
    }
    for (const booking_id of [made.booking.id, newId(), '']) {
      const answers = [
        call(request, 'cancel_booking', { booking_id }),
        call(request, 'move_booking', { booking_id, slot_id: own?.slot_id }),
      ]
      for (const each of answers) expect(await each.catch((error: Error) => error.message)).toBeTypeOf('string')
    }
    expect(request.tools.map(({ name }) => name)).not.toContain('create_event')
    expect(await call(request, 'list_bookings', {})).toEqual([])
  })
  expect(standing().map(({ id }) => id)).toEqual([made.booking.id])
  expect(await bookings()).toMatchObject([{ status: 'booked' }])
})

it('refuses an offer that does not hold any more', async () => {
  const asker = await meet()
  const slots = await offered(asker)
  const tryOne = async (at: number) =>
    reasonOf(await book(world.services, asker, { slotId: slots[at]?.id ?? '', eventFor }))
  await setAvailability({ hours: Array.from({ length: 7 }, () => []) })
  expect(await tryOne(0)).toBe('outside_hours')
  await setAvailability({ leadHours: 700 })
  expect(await tryOne(0)).toBe('too_soon')
  await setAvailability({ durationMinutes: 30 })
  expect(await tryOne(0)).toBe('changed_rules')
  await setAvailability({})
  const [from, to] = [slots[0]?.from ?? 0, slots[0]?.to ?? 0].map((at) => ({ dateTime: new Date(at).toISOString() }))
  const meeting = { id: 'theirs1', calendarId: CALENDAR, status: 'confirmed' as const }
  google.state.events.set('theirs1', {
    ...meeting,
    body: { start: from ?? { dateTime: '' }, end: to ?? { dateTime: '' } },
  })
  expect(await tryOne(0)).toBe('taken')
  await test.database.system('test: half an hour later', (db) =>
    sql`update booking_slots set expires_at = now() - interval '1 second'`.execute(db),
  )
  expect(await tryOne(2)).toBe('expired_slot')
  google.state.refusal = 'backendError'
  expect(await findTimes(world.services, asker, { within: { from: 0, to: DAY }, timeZone: null, most: 1 })).toBeNull()
  expect(standing().map(({ id }) => id)).toEqual(['theirs1'])
})

it('gives one time to one of a thousand who race for it', async () => {
  const asker = await meet()
  const [slot] = await offered(asker, 1)
  if (!slot) throw new Error('nothing is free')
  const ids = Array.from({ length: 1000 }, () => newId('conversations'))
  const askers = ids.map((conversationId) => ({ ...asker, conversationId }))
  const slotIds = ids.map(() => newId('bookingSlots'))
  await test.database.system('test: rivals', async (db) => {
    await sql`insert into conversations select (jsonb_populate_record(c, jsonb_build_object('id', rival.id,
        'external_chat_id', rival.id))).* from conversations c, unnest(${ids}::text[]) rival(id)
      where c.id = ${asker.conversationId}`.execute(db)
    await sql`insert into booking_slots select rival.slot_id, s.organization_id, s.agent_id, rival.id, s.starts_at, s.ends_at, null, s.expires_at
      from booking_slots s, unnest(${ids}::text[], ${slotIds}::text[]) rival(id, slot_id) where s.id = ${slot.id}`.execute(
      db,
    )
  })
  const results: string[] = []
  await runAtOnce(askers, {
    atOnce: 40,
    signal: NO_SIGNAL,
    run: async (rival) => {
      const slotId = slotIds[askers.indexOf(rival)] ?? ''
      results.push(reasonOf(await book(world.services, rival, { slotId, eventFor })))
    },
  })
  const counts = Object.groupBy(results, (result) => result)
  expect(Object.fromEntries(Object.entries(counts).map(([name, all]) => [name, all?.length]))).toEqual({
    done: 1,
    taken: 999,
  })
  expect(standing()).toHaveLength(1)
  expect(await bookings()).toHaveLength(1)
})

it('notices that a visit was removed in the calendar when it is to be moved', async () => {
  const asker = await meet()
  const slots = await offered(asker)
  const made = await book(world.services, asker, { slotId: slots[0]?.id ?? '', eventFor })
  if (made.kind !== 'done') throw new Error('not booked')
  const event = google.state.events.get(made.booking.id)
  if (event) event.status = 'cancelled'
  const moved = await move(world.services, asker, { bookingId: made.booking.id, slotId: slots[4]?.id ?? '' })
  expect(moved).toMatchObject({ kind: 'done', booking: { status: 'cancelled' } })
  expect(standing()).toHaveLength(0)
})

it('gives up what was left once its time has passed and the calendar is disconnected', async () => {
  const asker = await meet()
  const slots = await offered(asker)
  const made = await book(world.services, asker, { slotId: slots[0]?.id ?? '', eventFor })
  await test.database.system('test: disconnected, days later', async (db) => {
    await db.deleteFrom('calendar_connections').where('agent_id', '=', bot.agentId).execute()
    await sql`update bookings set status = 'cancelling', starts_at = starts_at - interval '9 days', ends_at = ends_at - interval '9 days'
      where agent_id = ${bot.agentId}`.execute(db)
  })
  expect(made.kind).toBe('done')
  await finish()
  expect(await bookings()).toMatchObject([{ status: 'cancelled' }])
  await finish()
})

it('says that nothing is certain while Google does not answer, and finishes by itself', async () => {
  const asker = await meet()
  const slots = await offered(asker)
  const booked = await book(world.services, asker, { slotId: slots[0]?.id ?? '', eventFor })
  expect(booked.kind).toBe('done')
  google.state.refusal = 'backendError'
  await turn('Отмените', async (request) => {
    const booking_id = booked.kind === 'done' ? booked.booking.id : ''
    expect(await call(request, 'cancel_booking', { booking_id })).toMatch(/Not certain/)
  })
  expect(await outcomesSent()).toEqual([])
  google.state.refusal = null
  await finish()
  expect(standing()).toHaveLength(0)
  expect(await bookings()).toMatchObject([{ status: 'cancelled' }])
  expect(await outcomesSent()).toEqual([expect.stringMatching(/^Ваша запись отменена: /)])
  expect(await outcomesSent()).toHaveLength(1)
})

it('owes no word on what the customer has heard in an answer', async () => {
  const asker = await meet()
  const [slot] = await offered(asker)
  const booked = await book(world.services, asker, { slotId: slot?.id ?? '', eventFor })
  const booking_id = booked.kind === 'done' ? booked.booking.id : ''
  google.state.refusal = 'backendError'
  const ask = () => turn('Отмените', (request) => call(request, 'cancel_booking', { booking_id }))
  expect(await ask()).toMatch(/Not certain/)
  google.state.refusal = null
  expect(await ask()).toMatchObject({ done: true, status: 'cancelled' })
  expect(await outcomesSent()).toEqual([])
})

it('doubles and loses nothing when a server dies between what is done at Google and what is written here', async () => {
  const asker = await meet()
  const slots = await offered(asker, 24)
  await setAvailability({})
  for (const [at, slot] of slots.slice(0, 24).entries()) {
    const failpoint = at < 20 ? 'booking-made' : 'booking-written'
    await dieBooking(asker, slot.id, failpoint)
    expect(await bookingOf(slot)).toMatchObject([{ status: 'booking' }])
    if (at % 2 === 0) await finish()
    else expect((await book(world.services, asker, { slotId: slot.id, eventFor })).kind).toBe('done')
    const [row] = await bookingOf(slot)
    expect(row?.status).toBe('booked')
    expect(standing().map(({ id }) => id)).toEqual([row?.id])
    await world.services.googleCalendar
      ?.events(await token())
      .then((events) => events.remove({ calendarId: CALENDAR, id: row?.id ?? '' }))
    await test.database.system('test: over', (db) =>
      db
        .updateTable('bookings')
        .set({ status: 'cancelled' })
        .where('id', '=', row?.id ?? ('' as Id<'bookings'>))
        .execute(),
    )
  }
  expect(await bookings()).toHaveLength(24)
})

/** A program wants to hear of bookings. */
async function subscribe(): Promise<void> {
  const types = ['booking.created', 'booking.changed', 'booking.cancelled']
  await test.database.system('test: a webhook', (db) =>
    db
      .insertInto('webhook_endpoints')
      .values({
        ...{ id: newId('webhookEndpoints'), organization_id: bot.organizationId, url: 'http://127.0.0.1:9/hook' },
        ...{ description: '', types, per_minute: null, created_by: null, disabled_reason: null, state: 'on' },
        ...{ secret: 'none', previous_secret: null, previous_until: null },
      } as never)
      .execute(),
  )
}

/** What programs are sent, as its schemas say. */
async function events() {
  const { rows } = await world.read((db) =>
    sql<{ type: 'booking.created'; data: { booking: { status: string } } }>`select type, data from webhook_events
      where organization_id = ${bot.organizationId} order by created_at, id`.execute(db),
  )
  return rows.map(({ type, data }) => {
    webhookBody(type).parse({ type, timestamp: new Date().toISOString(), data })
    return { type, status: data.booking.status }
  })
}

/** What was left a minute ago is found and finished. */
async function finish(): Promise<void> {
  await test.database.system('test: a minute later', (db) =>
    sql`update bookings set changed_at = changed_at - interval '2 minutes' where status in ('booking', 'moving', 'cancelling')`.execute(
      db,
    ),
  )
  const send = vi.fn(async () => {})
  await leftBookingsJob.run({ ...world.services, jobs: { ...world.services.jobs, send } }, {}, NO_SIGNAL)
  if (send.mock.calls.length > 0) await finishBookingsJob.run(world.services, {}, NO_SIGNAL)
}

/** Messages to this customer about settled bookings, after another minute. */
async function outcomesSent(): Promise<string[]> {
  await bookingWordsJob.run(world.services, {}, NO_SIGNAL)
  await world.pipeline.settle()
  return telegram.sentTo(chat).flatMap(({ text }) => (text.includes('запись') ? [text] : []))
}

async function dieBooking(asker: Asker, slotId: string, at: string): Promise<void> {
  const given = { databaseUrl: test.url, secret: SECRET, google: google.config, asker, slotId, at }
  const child = spawn(process.execPath, [PROCESS], {
    env: { PATH: process.env.PATH, BOOKING: JSON.stringify(given) },
    stdio: 'inherit',
  })
  const [code, signal] = await once(child, 'exit')
  expect([code, signal]).toEqual([null, 'SIGKILL'])
}

function bookingOf({ from }: OfferedSlot) {
  return world.read((db) =>
    db
      .selectFrom('bookings')
      .where('agent_id', '=', bot.agentId)
      .where('starts_at', '=', new Date(from))
      .selectAll()
      .execute(),
  )
}

async function token(): Promise<string> {
  const { refreshToken } = google.state.grants.at(-1) ?? { refreshToken: '' }
  return (await world.services.googleCalendar?.refresh(refreshToken))?.token ?? ''
}
