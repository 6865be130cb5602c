// What a change in the calendar itself makes of a visit. Decisions only.
import type { EventState } from '#server/integrations/google-calendar/events.ts'
import type { Booking, BookingChange } from './bookings.store.ts'

/** What is done at our own wish leaves the event as the visit says. @returns null: nothing has changed */
export function foreignChange({ from, to }: Booking, { isCancelled, span }: EventState): BookingChange | null {
  if (isCancelled) return { status: 'cancelled' }
  // An event of whole days has no time that a customer could be given.
  if (!span || !(span.to > span.from) || (span.from === from && span.to === to)) return null
  return { from: span.from, to: span.to, movedInCalendar: true }
}
