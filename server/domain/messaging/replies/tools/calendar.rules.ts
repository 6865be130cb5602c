// Times and visits as a model and a customer read them. Pure.
import type { Booking } from '#server/domain/integrations/bookings/bookings.store.ts'
import type { OfferedSlot } from '#server/domain/integrations/bookings/slots.store.ts'
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import { CHOICE_MAX_BYTES, CHOICES_MAX } from '#shared/limits.ts'

/** A free time for the model. */
export type Shown = {
  slot_id: string
  time: string
  time_zone: string
  customer_time?: string
  customer_time_zone?: string
}
/** A visit for the model. */
export type ShownVisit = { booking_id: string; time: string; time_zone: string; state: string }

const WITH_CALENDAR = `You can book visits. Offer only free times that find_free_times gives, with the weekday and the time zone; never make up a time. Ask for the customer's city when they may live in another time zone.
A visit is booked, moved or cancelled only when the tool says that it is done. Otherwise say plainly that it is not.`

/** What a model that can book has to keep to. `reminders`: minutes before a visit, the earliest first. */
export function withCalendar(reminders: readonly number[]): string {
  const moments = new Intl.ListFormat('en').format(reminders.map(durationOf))
  const sent =
    reminders.length === 0
      ? 'Customers are sent no reminders of their bookings: promise none.'
      : `Customers are sent a reminder ${moments} before a booking by itself: promise no others.`
  return `${WITH_CALENDAR}\n${sent}`
}

function durationOf(minutes: number): string {
  const [unit, value] = minutes % 60 === 0 ? (['hour', minutes / 60] as const) : (['minute', minutes] as const)
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** `Friday, 5 June 2026 at 15:00`. */
export function momentIn(at: number, timeZone: string): string {
  return formatOf('en-GB', timeZone, { dateStyle: 'full', timeStyle: 'short' }).format(at)
}

/** A free time; in the customer's zone as well, where they have named another. */
export function showSlot({ id, from, timeZone: own }: OfferedSlot, timeZone: string): Shown {
  const shown = { slot_id: id, time: momentIn(from, timeZone), time_zone: timeZone }
  if (own === null || own === timeZone) return shown
  return { ...shown, customer_time: momentIn(from, own), customer_time_zone: own }
}

/** A visit. `state`: not certain while something of it is to be done. */
export function showVisit({ id, from, status }: Booking, timeZone: string): ShownVisit {
  const state = status === 'booked' ? 'booked' : 'not confirmed by the calendar yet'
  return { booking_id: id, time: momentIn(from, timeZone), time_zone: timeZone, state }
}

/** What the model has to know of earlier turns: visits ahead, and times that may still be chosen. */
export function calendarBlocks(visits: Booking[], slots: OfferedSlot[], timeZone: string): DataBlock[] {
  const own = visits.map((visit) => JSON.stringify(showVisit(visit, timeZone)))
  const free = slots.map((slot) => JSON.stringify(showSlot(slot, timeZone)))
  return [
    ...(own.length > 0 ? [{ title: 'Bookings of this customer', text: own.join('\n') }] : []),
    ...(free.length > 0 ? [{ title: 'Free times that were offered in this conversation', text: free.join('\n') }] : []),
  ]
}

/** Free times as buttons, in the customer's zone where it is known. Fewer than two are no choice. */
export function choicesOf(slots: OfferedSlot[], timeZone: string, language: string): string[] {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  const texts = slots.map(({ from, timeZone: own }) => formatOf(language, own ?? timeZone, parts).format(from))
  const fitting = [...new Set(texts)].filter((text) => Buffer.byteLength(text) <= CHOICE_MAX_BYTES)
  return fitting.length < 2 ? [] : fitting.slice(0, CHOICES_MAX)
}

/** Whether clocks know the zone. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf('en-GB', name, {})
    return true
  } catch {
    return false
  }
}

function formatOf(language: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { ...options, timeZone })
}
