// Visits that an agent books in a calendar.
import type { Reminder } from './calendar.ts'

/**
 * `booking`, `moving`, `cancelling`: written down, and not known to be done at Google. `failed`: Google has refused it for good, or
 * could not be asked before its time had passed.
 */
export type BookingStatus = 'booking' | 'booked' | 'moving' | 'cancelling' | 'cancelled' | 'failed'

/** How the event looks in the calendar, its placeholders replaced. */
export type BookedEvent = { title: string; description: string; reminders: Reminder[] }

/** Sent to a customer for whom nothing was certain yet, once it is. */
export const BOOKING_OUTCOMES = {
  ru: {
    booked: 'Ваша запись подтверждена: {{time}}.',
    cancelled: 'Ваша запись отменена: {{time}}.',
    failed: 'Записать вас не получилось: {{time}}. Напишите, и мы подберём другое время.',
  },
  kk: {
    booked: 'Жазылуыңыз расталды: {{time}}.',
    cancelled: 'Жазылуыңыз жойылды: {{time}}.',
    failed: 'Сізді жазу мүмкін болмады: {{time}}. Жазыңыз, басқа уақыт таңдаймыз.',
  },
  en: {
    booked: 'Your booking is confirmed: {{time}}.',
    cancelled: 'Your booking is cancelled: {{time}}.',
    failed: 'We could not book you in: {{time}}. Write to us, and we will find another time.',
  },
} as const
