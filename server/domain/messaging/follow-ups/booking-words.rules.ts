// The text about a booking that was settled while the customer waited.
import type { Booking } from '#server/domain/integrations/bookings/bookings.store.ts'
import { BOOKING_OUTCOMES } from '#shared/integrations/bookings.ts'

const TIME = {
  ...{ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions

/**
 * The text, with the time in the customer's zone where they have named one.
 *
 * @param booking of which nothing is to be done any more
 * @param timeZone the organization's
 */
export function outcomeOf(
  { status, from, timeZone: own }: Pick<Booking, 'status' | 'from' | 'timeZone'>,
  language: keyof typeof BOOKING_OUTCOMES,
  timeZone: string,
): string {
  const texts = BOOKING_OUTCOMES[language]
  const text = status === 'booked' || status === 'cancelled' ? texts[status] : texts.failed
  const locale = language === 'en' ? 'en-GB' : language
  return text.replace('{{time}}', new Intl.DateTimeFormat(locale, { ...TIME, timeZone: own ?? timeZone }).format(from))
}
