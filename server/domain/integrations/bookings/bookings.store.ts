// SQL for bookings. What is to be done at Google is written before it is begun, and what has come of it afterwards, unless another server has
// written that already.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { BookedEvent, BookingStatus } from '#shared/integrations/bookings.ts'
import { nextReminder } from './reminders.store.ts'
import type { Span } from './slots.rules.ts'
import type { Asker } from './slots.store.ts'

/** A visit. `changedAt` fences it: who has read an older one changes nothing. `movesFrom`: while it is moved. */
export type Booking = Asker &
  Span & {
    id: Id<'bookings'>
    calendarId: string
    status: BookingStatus
    movesFrom: number | null
    timeZone: string | null
    event: BookedEvent
    changedAt: number
    /** Its time was last chosen in the calendar itself. */
    movedInCalendar: boolean
  }

/** Those that take up their time. */
const STANDING = ['booking', 'booked', 'moving'] as const satisfies BookingStatus[]
/** Those of which something is to be done at Google. */
const OPEN = ['booking', 'moving', 'cancelling'] as const satisfies BookingStatus[]

const COLUMNS = [
  ...(['id', 'organization_id', 'agent_id', 'conversation_id', 'calendar_id', 'status', 'starts_at'] as const),
  ...(['ends_at', 'moves_from', 'time_zone', 'event', 'changed_at'] as const),
  'moved_in_calendar',
] as const

/** Until the transaction ends, no other books in this calendar. */
export async function holdCalendar(ctx: OrgStoreContext, calendarId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bookings ${calendarId}`}, 0))`.execute(ctx.db)
}

/** Whether a booking other than `but` takes up any of a span. */
export async function isTakenHere(
  ctx: OrgStoreContext,
  calendarId: string,
  { from, to }: Span,
  but?: Id<'bookings'>,
): Promise<boolean> {
  const row = await bookingsOf(ctx)
    .where('calendar_id', '=', calendarId)
    .where('status', 'in', STANDING)
    .where('starts_at', '<', new Date(to))
    .where('ends_at', '>', new Date(from))
    .$if(but !== undefined, (query) => query.where('id', '<>', but ?? ('' as Id<'bookings'>)))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Writes down that something is to be booked. */
export async function insertBooking(ctx: OrgStoreContext, booking: Booking): Promise<void> {
  const { id, agentId, conversationId, calendarId, status, from, to, timeZone, event, changedAt } = booking
  await ctx.db
    .insertInto('bookings')
    .values({
      ...{ id, organization_id: ctx.organizationId, agent_id: agentId, conversation_id: conversationId, status },
      ...{ calendar_id: calendarId, starts_at: new Date(from), ends_at: new Date(to), moves_from: null },
      ...{ time_zone: timeZone, event: JSON.stringify(event) },
      ...{ created_at: new Date(changedAt), changed_at: new Date(changedAt) },
    })
    .execute()
}

export type BookingChange = Partial<Pick<Booking, 'status' | 'from' | 'to' | 'movesFrom' | 'movedInCalendar'>>

/**
 * Changes a booking, unless it has been changed since it was read. Its reminders are planned again.
 *
 * @returns it as it is now; null: it has
 */
export async function changeBooking(
  ctx: OrgStoreContext,
  known: Booking,
  change: BookingChange,
): Promise<Booking | null> {
  const next = { ...known, ...change, changedAt: Math.max(Date.now(), known.changedAt + 1) }
  const row = await ctx.db
    .updateTable('bookings')
    .set({
      ...{ status: next.status, starts_at: new Date(next.from), ends_at: new Date(next.to) },
      ...{ moves_from: next.movesFrom === null ? null : new Date(next.movesFrom) },
      ...{ changed_at: new Date(next.changedAt), moved_in_calendar: next.movedInCalendar },
      remind_at: next.status === 'booked' ? nextReminder(new Date(next.from)) : null,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', known.id)
    .where('changed_at', '=', new Date(known.changedAt))
    .returning('id')
    .executeTakeFirst()
  return row ? next : null
}

/** The visits of a conversation that have not begun, earliest first, and those of which something is to be done. */
export async function listOwn(ctx: OrgStoreContext, { agentId, conversationId }: Asker, now: Date): Promise<Booking[]> {
  const rows = await bookingsOf(ctx)
    .where('conversation_id', '=', conversationId)
    .where('agent_id', '=', agentId)
    .where('status', 'not in', ['cancelled', 'failed'])
    .where('ends_at', '>', now)
    .select(COLUMNS)
    .orderBy('starts_at')
    .execute()
  return rows.map(toBooking)
}

/** The visits that an agent has in a calendar and that are not over; those too of which something is to be done. */
export async function listInCalendar(
  ctx: OrgStoreContext,
  { agentId, calendarId }: Pick<Booking, 'agentId' | 'calendarId'>,
  now: Date,
): Promise<Booking[]> {
  const rows = await bookingsOf(ctx)
    .where('agent_id', '=', agentId)
    .where('calendar_id', '=', calendarId)
    .where('status', 'not in', ['cancelled', 'failed'])
    .where('ends_at', '>', now)
    .select(COLUMNS)
    .execute()
  return rows.map(toBooking)
}

/** Whether the customer is still to hear what has come of a booking. */
export async function setOwesWord(ctx: OrgStoreContext, id: Id<'bookings'>, owesWord: boolean): Promise<void> {
  await ctx.db
    .updateTable('bookings')
    .set({ owes_word: owesWord })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('owes_word', '<>', owesWord)
    .execute()
}

/** The same booking, which owes nothing from then on; null: it does not any more, or something is to be done of it again. */
export async function takeOwed(ctx: OrgStoreContext, id: Id<'bookings'>): Promise<Booking | null> {
  const row = await ctx.db
    .updateTable('bookings')
    .set({ owes_word: false })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('owes_word', '=', sql.lit(true))
    .where('status', 'not in', OPEN)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ? toBooking(row) : null
}

/** A visit as it is now. */
export async function findBooking(ctx: OrgStoreContext, id: Id<'bookings'>): Promise<Booking | null> {
  const row = await bookingsOf(ctx).where('id', '=', id).select(COLUMNS).executeTakeFirst()
  return row ? toBooking(row) : null
}

/** The conversation of a visit as webhooks name it; null: it is gone. */
export async function findConversation(ctx: OrgStoreContext, id: Id<'conversations'>) {
  const row = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select(['id', 'agent_id', 'channel', 'connection_id', 'customer_id', 'status'])
    .executeTakeFirst()
  if (!row) return null
  const { agent_id: agentId, channel, connection_id: connectionId, customer_id: customerId, status } = row
  return { _id: row.id, agentId, channel, connectionId, customerId, status }
}

/** Those over all organizations of which something is to be done since before a moment, longest ago first. */
export async function listLeft(ctx: StoreContext, before: Date, most: number): Promise<Booking[]> {
  const rows = await ctx.db
    .selectFrom('bookings')
    .where('status', 'in', OPEN)
    .where('changed_at', '<', before)
    .select(COLUMNS)
    .orderBy('changed_at')
    .limit(most)
    .execute()
  return rows.map(toBooking)
}

/** Whether {@link listLeft} would list any. */
export async function hasLeft(ctx: StoreContext, before: Date): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('bookings')
    .where('status', 'in', OPEN)
    .where('changed_at', '<', before)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function bookingsOf(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('bookings').where('organization_id', '=', ctx.organizationId)
}

type Row = {
  id: Id<'bookings'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  conversation_id: Id<'conversations'>
  calendar_id: string
  status: BookingStatus
  starts_at: Date
  ends_at: Date
  moves_from: Date | null
  time_zone: string | null
  event: BookedEvent
  changed_at: Date
  moved_in_calendar: boolean
}

function toBooking(row: Row): Booking {
  return {
    ...{ id: row.id, organizationId: row.organization_id, agentId: row.agent_id },
    ...{ conversationId: row.conversation_id, calendarId: row.calendar_id, status: row.status },
    ...{ from: row.starts_at.getTime(), to: row.ends_at.getTime(), movesFrom: row.moves_from?.getTime() ?? null },
    ...{ timeZone: row.time_zone, event: row.event, changedAt: row.changed_at.getTime() },
    movedInCalendar: row.moved_in_calendar,
  }
}

/** The zone by whose clock the organization works. */
export async function readTimeZone({ db, organizationId }: OrgStoreContext): Promise<string> {
  const { time_zone: timeZone } = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select('time_zone')
    .executeTakeFirstOrThrow()
  return timeZone
}
