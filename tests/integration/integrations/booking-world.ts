// Bookings between conversations in Telegram and a server that speaks Google's protocols, for tests of what becomes of them.
import { sql } from 'kysely'
import { type BookingResult, book, findTimes } from '#server/domain/integrations/bookings/booking.ts'
import type { Booking } from '#server/domain/integrations/bookings/bookings.store.ts'
import type { Asker, OfferedSlot } from '#server/domain/integrations/bookings/slots.store.ts'
import { sealToken } from '#server/domain/integrations/calendar/access.ts'
import { bookingWordsJob } from '#server/domain/messaging/follow-ups/booking-words.job.ts'
import { createGoogleCalendar } from '#server/integrations/google-calendar/google-calendar.ts'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { type CalendarAvailability, DEFAULT_CALENDAR_SETTINGS } from '#shared/integrations/calendar.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeGoogleCalendar, startFakeGoogleCalendar } from '#tests/fakes/google-calendar/google-calendar.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { presses } from '#tests/fakes/telegram/telegram-scenes.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

export const CALENDAR = 'bookings@group.calendar.google.com'
export const NO_SIGNAL = new AbortController().signal
const SCOPES = ['events.owned', 'calendarlist.readonly', 'events.freebusy']
const HOUR = 3_600_000
const DAY = 24 * HOUR
const ALWAYS: CalendarAvailability = {
  ...DEFAULT_CALENDAR_SETTINGS.availability,
  hours: Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_, hour) => hour)),
  leadHours: 0,
}

/** A pipeline, a Telegram and a Google; each test has an agent and a customer of its own. */
export class BookingWorld {
  bot!: Bot
  chat = 5000
  readonly test: TestDatabase
  readonly telegram: FakeTelegram
  readonly google: FakeGoogleCalendar
  readonly world: PipelineWorld

  private constructor(test: TestDatabase, telegram: FakeTelegram, google: FakeGoogleCalendar) {
    this.test = test
    this.telegram = telegram
    this.google = google
    this.world = new PipelineWorld(test.database, telegram)
    this.world.services.googleCalendar = createGoogleCalendar(google.config)
  }

  static async start(): Promise<BookingWorld> {
    const made = new BookingWorld(await openTestDatabase(), await startFakeTelegram(), await startFakeGoogleCalendar())
    await made.world.start()
    return made
  }

  async stop(): Promise<void> {
    await this.world.stop()
    await this.telegram.close()
    await this.google.close()
    await this.test.close()
  }

  /** Another agent with a calendar that may be booked at any hour, and another customer. */
  async begin(settings: Parameters<PipelineWorld['addBot']>[1] = {}): Promise<void> {
    this.world.model = echo
    this.google.state.refusal = null
    this.google.state.events.clear()
    this.chat++
    this.bot = await this.world.addBot('webhook', settings)
    await this.connect()
  }

  async connect(): Promise<void> {
    const { organizationId, agentId } = this.bot
    const id = newId('calendarConnections')
    const refreshToken = `1//${id}`
    const scopes = SCOPES.map((scope) => `https://www.googleapis.com/auth/calendar.${scope}`)
    this.google.state.grants.push({ refreshToken, scopes, isWithdrawn: false })
    const now = new Date()
    const target = { id: CALENDAR, name: 'Bookings' }
    await this.test.database.organization(organizationId, async (db) => {
      await db
        .insertInto('calendar_connections')
        .values({
          ...{ id, organization_id: organizationId, agent_id: agentId, status: 'connected' },
          ...{ account: 'salon@example.com', refresh_token: sealToken(this.world.services.secrets, id, refreshToken) },
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

  /** The customer writes, and the model does something. @returns what that has come to */
  async turn<Result>(text: string, act: (request: GenerateRequest) => Promise<Result>): Promise<Result> {
    const { telegram, chat, bot } = this
    return this.answer(act, () => telegram.customerSays(bot.token, { chatId: chat, firstName: 'Айгуль' }, text))
  }

  /** The same for anything else that the customer does. */
  async answer<Result>(act: (request: GenerateRequest) => Promise<Result>, does: () => unknown): Promise<Result> {
    const done = Promise.withResolvers<Result>()
    this.world.model = async (request) => {
      await act(request).then(done.resolve, done.reject)
      return 'Well.'
    }
    const before = this.telegram.sentTo(this.chat).length
    does()
    const result = await done.promise
    await this.telegram.waitForSent(this.chat, before + 1)
    await this.world.pipeline.settle()
    return result
  }

  /** The customer presses a button below the last message. */
  async press<Result>(label: string, act: (request: GenerateRequest) => Promise<Result>): Promise<Result> {
    const message = this.telegram.sentTo(this.chat).at(-1)
    if (!message) throw new Error('nothing was sent')
    return this.answer(act, () => presses(this.telegram, message, label, { firstName: 'Айгуль' }))
  }

  /** The conversation of a customer who has greeted. */
  async meet(): Promise<Asker> {
    await this.turn('Здравствуйте', async () => undefined)
    const { id, organizationId } = await this.world.conversation(this.chat)
    return { organizationId, agentId: this.bot.agentId, conversationId: id }
  }

  /** Free times that begin at least so many hours from now. */
  async offered(asker: Asker, fromHours = 25): Promise<OfferedSlot[]> {
    const from = Date.now() + fromHours * HOUR
    const asked = { within: { from, to: from + 3 * DAY }, timeZone: null, most: 30 }
    return (await findTimes(this.world.services, asker, asked)) ?? []
  }

  /** A visit that stands. */
  async booked(asker: Asker, fromHours = 25): Promise<Booking> {
    const [slot] = await this.offered(asker, fromHours)
    const made = await this.book(asker, slot?.id ?? '')
    if (made.kind !== 'done') throw new Error('not booked')
    return made.booking
  }

  book(asker: Asker, slotId: string): Promise<BookingResult> {
    const eventFor = async () => ({ title: 'Visit', description: '', reminders: [] })
    return book(this.world.services, asker, { slotId, eventFor })
  }

  async row(id: Id<'bookings'>) {
    return this.world.read((db) => db.selectFrom('bookings').where('id', '=', id).selectAll().executeTakeFirstOrThrow())
  }

  /** The clock of one booking goes on: everything in its row, and its event, come nearer. */
  async elapse(id: Id<'bookings'>, ms: number): Promise<void> {
    await this.test.database.system('test: later', (db) =>
      sql`update bookings set starts_at = starts_at - ${ms}::float8 * interval '1 millisecond',
        ends_at = ends_at - ${ms}::float8 * interval '1 millisecond',
        remind_at = remind_at - ${ms}::float8 * interval '1 millisecond' where id = ${id}`.execute(db),
    )
    const event = this.google.state.events.get(id)
    if (event) this.google.reschedule(id, -ms)
  }

  /** What the minute's look sends. @returns all messages to this customer after those of their conversation so far */
  async notices(): Promise<string[]> {
    await bookingWordsJob.run(this.world.services, {}, NO_SIGNAL)
    await this.world.pipeline.settle()
    return this.telegram.sentTo(this.chat).flatMap(({ text }) => (/запис/.test(text) ? [text] : []))
  }
}

/** Calls a tool that the model was given. */
export function call(request: GenerateRequest, name: string, args: object): Promise<unknown> {
  const tool = request.tools.find((each) => each.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool.run(args, NO_SIGNAL)
}
