// What is written down of a booking is done at Google, and what has come of it is written down. Any step may be repeated, by any server.
import { emitEvent } from '#server/domain/webhooks/events.store.ts'
import type { Services } from '#server/functions/services.ts'
import { CalendarFailure, type CalendarFailureKind } from '#server/integrations/google-calendar/failures.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import type { BookingStatus } from '#shared/integrations/bookings.ts'
import { withCalendar } from '../calendar/access.ts'
import { findSealed, type SealedConnection } from '../calendar/connections.store.ts'
import { type Booking, type BookingChange, changeBooking, findBooking, findConversation } from './bookings.store.ts'

export type BookingParts = Pick<Services, 'database' | 'secrets' | 'googleCalendar'>

/** After these Google may have done what it was asked. */
const UNCERTAIN: ReadonlySet<CalendarFailureKind> = new Set(['unreachable', 'rate_limited'])
const GONE: ReadonlySet<Booking['status']> = new Set(['cancelled', 'failed'])
/** What becomes of a visit whose time has passed, and of whose calendar nothing can be asked any more. */
const GIVEN_UP: Partial<Record<Booking['status'], BookingChange>> = {
  booking: { status: 'failed' },
  moving: { status: 'booked', movesFrom: null },
  cancelling: { status: 'cancelled' },
}
const WRITE = { isolation: 'read committed' } as const

/**
 * Does what is to be done of a booking.
 *
 * @returns it as it is now: still open when Google does not answer, or when nothing can be asked of it. A booking that Google refuses when
 * it is first asked has `failed`; `isFirst` says that it was never asked before.
 */
export async function carryOut(parts: BookingParts, booking: Booking, isFirst = false): Promise<Booking> {
  const { organizationId, agentId } = booking
  const connection = await parts.database.organization(organizationId, (db) =>
    findSealed({ db, organizationId }, agentId),
  )
  if (!connection) return booking.to > Date.now() ? booking : record(parts, booking, GIVEN_UP[booking.status] ?? {})
  try {
    failpoint('booking-written')
    const change = await ask(parts, connection, booking)
    failpoint('booking-made')
    const recorded = await record(parts, booking, change)
    if (change.status === 'booked' && GONE.has(recorded.status)) {
      await ask(parts, connection, { ...recorded, status: 'cancelling' }) // it was cancelled while it was being made
    }
    return recorded
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error
    const isRefused = isFirst && booking.status === 'booking' && !UNCERTAIN.has(error.kind)
    return isRefused ? record(parts, booking, { status: 'failed' }) : booking
  }
}

/** A visit whose time has passed before it could be booked is taken back. */
async function ask(parts: BookingParts, connection: SealedConnection, booking: Booking): Promise<BookingChange> {
  const { calendarId, id, from, to, event } = booking
  const place = { calendarId, id }
  return withCalendar(parts, connection, async (google, token): Promise<BookingChange> => {
    const events = await google.events(token)
    switch (booking.status) {
      case 'booking': {
        if (from > Date.now()) return stands(await events.insert(place, { ...event, from, to }))
        await events.remove(place)
        return { status: 'failed' }
      }
      case 'moving':
        return { ...stands(await events.move(place, { from, to })), movesFrom: null }
      case 'cancelling':
        await events.remove(place)
        return { status: 'cancelled' }
      default:
        return {}
    }
  })
}

function stands(isStanding: boolean): BookingChange {
  return { status: isStanding ? 'booked' : 'cancelled' }
}

/** Another server may have written it down meanwhile: then that counts. */
function record({ database }: BookingParts, booking: Booking, change: BookingChange): Promise<Booking> {
  const { organizationId } = booking
  return database.organization(
    organizationId,
    async (db) => {
      const ctx = { db, organizationId }
      const recorded = await changeBooking(ctx, booking, change)
      if (recorded) await announce(ctx, booking.status, recorded)
      return recorded ?? (await findBooking(ctx, booking.id)) ?? booking
    },
    WRITE,
  )
}

/** Has programs hear of what a booking was before and is now. A visit that never stood is none to announce. */
export async function announce(ctx: OrgStoreContext, before: BookingStatus, booking: Booking): Promise<void> {
  const { id, status, from, to, conversationId } = booking
  if (status !== 'booked' && (status !== 'cancelled' || before === 'booking')) return
  const type =
    status === 'cancelled' ? 'booking.cancelled' : before === 'booking' ? 'booking.created' : 'booking.changed'
  const conversation = await findConversation(ctx, conversationId)
  const data = { conversation, booking: { _id: id, status, startsAt: from, endsAt: to } }
  await emitEvent(ctx, { type, subject: conversationId, conversationId, data })
}
