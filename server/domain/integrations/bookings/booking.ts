// Booking, moving and cancelling for one conversation. A time is named by the id under which it was offered there, a visit by its own id, and
// both are held against everything at the moment they are used.
import { CalendarFailure } from '#server/integrations/google-calendar/failures.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { BookedEvent } from '#shared/integrations/bookings.ts'
import type { CalendarSettings } from '#shared/integrations/calendar.ts'
import { withCalendar } from '../calendar/access.ts'
import { findSealed, type SealedConnection } from '../calendar/connections.store.ts'
import { findSettings } from '../calendar/settings.store.ts'
import {
  type Booking,
  changeBooking,
  holdCalendar,
  insertBooking,
  isTakenHere,
  listOwn,
  readTimeZone,
  setOwesWord,
} from './bookings.store.ts'
import { type BookingParts, carryOut } from './carry-out.ts'
import { judgeSlot, openSlots, type SlotFault, type Span } from './slots.rules.ts'
import { type Asker, findSlot, type OfferedSlot, offerSlots } from './slots.store.ts'

/** Why nothing was done. `unknown_slot`, `unknown_booking`: no such id belongs to the conversation. */
export type BookingRefusal =
  | SlotFault
  | 'unknown_slot'
  | 'expired_slot'
  | 'changed_rules'
  | 'unknown_booking'
  | 'unfinished'
  | 'too_many'
  | 'no_calendar'
  | 'no_answer'
  | 'refused'
/** `open`: written down, and carried out as soon as Google answers. */
export type BookingResult = { kind: 'done' | 'open'; booking: Booking } | { kind: 'refused'; reason: BookingRefusal }

const MINUTE_MS = 60_000
/** An offer may be chosen for this long. */
const OFFERED_MS = 30 * MINUTE_MS
/** Visits ahead of one conversation. */
const AHEAD_MAX = 5
const WRITE = { isolation: 'read committed' } as const

/** The calendar in which an agent books. */
type Desk = { connection: SealedConnection; settings: CalendarSettings; calendarId: string; timeZone: string }

/** Offers free times that begin within a span. @returns null when the calendar cannot be asked */
export async function findTimes(
  parts: BookingParts,
  asker: Asker,
  { within, timeZone, most }: { within: Span; timeZone: string | null; most: number },
): Promise<OfferedSlot[] | null> {
  const desk = await openDesk(parts, asker)
  if (!desk) return null
  const margin = (desk.settings.availability.bufferMinutes + desk.settings.availability.durationMinutes) * MINUTE_MS
  const busy = await readBusy(parts, desk, { from: within.from - margin, to: within.to + margin })
  if (!busy) return null
  const rules = { availability: desk.settings.availability, timeZone: desk.timeZone, now: Date.now(), busy }
  const spans = openSlots(within, rules, most)
  const expiresAt = new Date(Date.now() + OFFERED_MS)
  return inOrganization(parts, asker, (ctx) => offerSlots(ctx, asker, { spans, timeZone, expiresAt }))
}

/** Books a time that was offered. What is left unfinished in the conversation is finished first. */
export async function book(
  parts: BookingParts,
  asker: Asker,
  { slotId, eventFor }: { slotId: string; eventFor: (settings: CalendarSettings) => Promise<BookedEvent> },
): Promise<BookingResult> {
  const chosen = await choose(parts, asker, slotId)
  if ('reason' in chosen) return { kind: 'refused', ...chosen }
  const { desk, slot, own } = chosen
  const same = own.find(({ from, to, status }) => from === slot.from && to === slot.to && status !== 'cancelling')
  if (same) return settle(parts, same.status === 'booked' ? same : await carryOut(parts, same))
  const unfinished = own.find(({ status }) => status !== 'booked')
  if (unfinished && (await carryOut(parts, unfinished)).status !== 'cancelled') return refused('unfinished')
  if (own.length >= AHEAD_MAX) return refused('too_many')
  const fault = await judge(parts, desk, slot)
  if (fault) return refused(fault)
  const event = await eventFor(desk.settings)
  const { calendarId } = desk
  const now = Date.now()
  const booking: Booking = {
    ...{ ...asker, id: newId('bookings'), calendarId, status: 'booking', from: slot.from, to: slot.to },
    ...{ movesFrom: null, timeZone: slot.timeZone, event, changedAt: now, movedInCalendar: false },
  }
  const isWritten = await inOrganization(parts, asker, async (ctx) => {
    await holdCalendar(ctx, calendarId)
    if (await isTakenHere(ctx, calendarId, withBuffer(slot, desk))) return false
    await insertBooking(ctx, booking)
    return true
  })
  return isWritten ? settle(parts, await carryOut(parts, booking, true)) : refused('taken')
}

/** Moves a visit of this conversation to a time that was offered in it. */
export async function move(
  parts: BookingParts,
  asker: Asker,
  { bookingId, slotId }: { bookingId: string; slotId: string },
): Promise<BookingResult> {
  const chosen = await choose(parts, asker, slotId)
  if ('reason' in chosen) return { kind: 'refused', ...chosen }
  const { desk, slot, own } = chosen
  const booking = own.find(({ id }) => id === bookingId)
  if (!booking) return refused('unknown_booking')
  if (booking.from === slot.from && booking.status === 'booked') return settle(parts, booking)
  if (booking.status !== 'booked') return settle(parts, await carryOut(parts, booking))
  const fault = await judge(parts, desk, slot, booking)
  if (fault) return refused(fault)
  const moving = await inOrganization(parts, asker, async (ctx) => {
    await holdCalendar(ctx, booking.calendarId)
    if (await isTakenHere(ctx, booking.calendarId, withBuffer(slot, desk), booking.id)) return null
    const change = { from: slot.from, to: slot.to, movesFrom: booking.from, movedInCalendar: false }
    return changeBooking(ctx, booking, { status: 'moving', ...change })
  })
  return moving ? settle(parts, await carryOut(parts, moving)) : refused('taken')
}

/** Cancels a visit of this conversation. */
export async function cancel(parts: BookingParts, asker: Asker, bookingId: string): Promise<BookingResult> {
  const own = await inOrganization(parts, asker, (ctx) => listOwn(ctx, asker, new Date()))
  const known = own.find(({ id }) => id === bookingId)
  if (!known) return refused('unknown_booking')
  const booking = known.status === 'booked' ? known : await carryOut(parts, known)
  if (booking.status === 'cancelled') return settle(parts, booking)
  const change = { status: 'cancelling' as const, movesFrom: null }
  const cancelling = await inOrganization(parts, asker, (ctx) => changeBooking(ctx, booking, change))
  return cancelling ? settle(parts, await carryOut(parts, cancelling)) : refused('unfinished')
}

type Chosen = { desk: Desk; slot: OfferedSlot; own: Booking[] }

async function choose(parts: BookingParts, asker: Asker, slotId: string): Promise<Chosen | { reason: BookingRefusal }> {
  const desk = await openDesk(parts, asker)
  if (!desk) return { reason: 'no_calendar' }
  const { slot, own } = await inOrganization(parts, asker, async (ctx) => ({
    slot: await findSlot(ctx, asker, slotId),
    own: await listOwn(ctx, asker, new Date()),
  }))
  if (!slot) return { reason: 'unknown_slot' }
  return slot.expiresAt <= Date.now() ? { reason: 'expired_slot' } : { desk, slot, own }
}

/** A time as it stands now; the visit that is moved does not stand in its own way. */
async function judge(parts: BookingParts, desk: Desk, slot: Span, moved?: Booking): Promise<BookingRefusal | null> {
  const { availability } = desk.settings
  if (slot.to - slot.from !== availability.durationMinutes * MINUTE_MS) return 'changed_rules'
  const rules = { availability, timeZone: desk.timeZone, now: Date.now() }
  const early = judgeSlot(slot, { ...rules, busy: [] })
  if (early) return early
  const { organizationId } = desk.connection
  const isTaken = await parts.database.organization(
    organizationId,
    (db) => isTakenHere({ db, organizationId }, desk.calendarId, withBuffer(slot, desk), moved?.id),
    { readOnly: true },
  )
  if (isTaken) return 'taken'
  const busy = await readBusy(parts, desk, withBuffer(slot, desk), moved)
  return busy ? judgeSlot(slot, { ...rules, busy }) : 'no_answer'
}

async function openDesk({ database, googleCalendar }: BookingParts, asker: Asker): Promise<Desk | null> {
  if (!googleCalendar) return null
  const { organizationId, agentId } = asker
  return database.organization(
    organizationId,
    async (db) => {
      const ctx = { db, organizationId }
      const connection = await findSealed(ctx, agentId)
      if (connection?.status !== 'connected') return null
      const settings = await findSettings(ctx, agentId)
      const timeZone = await readTimeZone(ctx)
      const calendarId = settings.calendars.target?.id
      return calendarId === undefined ? null : { connection, settings, calendarId, timeZone }
    },
    { readOnly: true },
  )
}

/**
 * Null: Google cannot be asked. The calendar of the bookings is busy when it has one, chosen for that or not. Without the visit that is moved:
 * its calendar is asked for events, since busy times do not say whose they are and run together.
 */
async function readBusy(parts: BookingParts, desk: Desk, within: Span, moved?: Booking): Promise<Span[] | null> {
  const all = new Set([desk.calendarId, ...desk.settings.calendars.busy.map(({ id }) => id)])
  const ids = [...all].filter((id) => id !== moved?.calendarId)
  try {
    return await withCalendar(parts, desk.connection, async (google, token) => {
      const events = await google.events(token)
      const others = moved && all.has(moved.calendarId) ? await events.busyBut(moved, within) : []
      return ids.length > 0 ? [...others, ...(await events.busy(ids, within))] : others
    })
  } catch (error) {
    if (error instanceof CalendarFailure) return null
    throw error
  }
}

function withBuffer({ from, to }: Span, { settings }: Desk): Span {
  const buffer = settings.availability.bufferMinutes * MINUTE_MS
  return { from: from - buffer, to: to + buffer }
}

function inOrganization<T>(
  { database }: BookingParts,
  { organizationId }: Asker,
  run: (ctx: OrgStoreContext) => Promise<T>,
): Promise<T> {
  return database.organization(organizationId, (db) => run({ db, organizationId }), WRITE)
}

function refused(reason: BookingRefusal): BookingResult {
  return { kind: 'refused', reason }
}

/** What the conversation hears of a booking. When that is nothing certain, it is owed a word. */
async function settle(parts: BookingParts, booking: Booking): Promise<BookingResult> {
  const isDone = booking.status === 'booked' || booking.status === 'cancelled' || booking.status === 'failed'
  await inOrganization(parts, booking, (ctx) => setOwesWord(ctx, booking.id, !isDone))
  if (booking.status === 'failed') return refused('refused')
  return { kind: isDone ? 'done' : 'open', booking }
}
