// The texts to a customer about a visit: what has come of a booking, and reminders of it.
import type { Booking } from '#server/domain/integrations/bookings/bookings.store.ts'
import type { DueReminder } from '#server/domain/integrations/bookings/reminders.store.ts'
import { BOOKING_NOTICES } from '#shared/integrations/bookings.ts'

type Language = keyof typeof BOOKING_NOTICES
type NoticeKind = keyof (typeof BOOKING_NOTICES)[Language]

const TIME = {
  ...{ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions
/** A reminder may be late by this, and by no more than half of the time until the visit. */
const LATE_MAX_MS = 3_600_000

/** What a customer is to hear of a booking of which nothing is to be done any more. */
export function outcomeKind({ status, movedInCalendar }: Pick<Booking, 'status' | 'movedInCalendar'>): NoticeKind {
  if (status === 'booked') return movedInCalendar ? 'moved' : 'booked'
  return status === 'cancelled' ? 'cancelled' : 'failed'
}

/**
 * The text, with the time in the customer's zone where they have named one.
 *
 * @param timeZone the organization's
 */
export function noticeText(
  kind: NoticeKind,
  { from, timeZone: own }: Pick<Booking, 'from' | 'timeZone'>,
  language: Language,
  timeZone: string,
): string {
  const locale = language === 'en' ? 'en-GB' : language
  const time = new Intl.DateTimeFormat(locale, { ...TIME, timeZone: own ?? timeZone }).format(from)
  return BOOKING_NOTICES[language][kind].replace('{{time}}', time)
}

/** Whether a reminder comes too late to be sent: every server was down when it was due. */
export function isTooLate({ dueAt, from }: Pick<DueReminder, 'dueAt' | 'from'>, now: number): boolean {
  return now - dueAt > Math.min(LATE_MAX_MS, (from - dueAt) / 2)
}
