// Visits that an agent books in a calendar.
import type { Reminder } from './calendar.ts'

/**
 * `booking`, `moving`, `cancelling`: written down, and not known to be done at Google. `failed`: Google has refused it for good, or
 * could not be asked before its time had passed.
 */
export type BookingStatus = 'booking' | 'booked' | 'moving' | 'cancelling' | 'cancelled' | 'failed'

/** How the event looks in the calendar, its placeholders replaced. */
export type BookedEvent = { title: string; description: string; reminders: Reminder[] }

/**
 * Sent to a customer of a visit. `booked`, `cancelled`, `failed`: nothing was certain when they last heard of it. `cancelled` and `moved`
 * also when that was done in the calendar itself.
 */
export const BOOKING_NOTICES = {
  ru: {
    booked: 'Ваша запись подтверждена: {{time}}.',
    cancelled: 'Ваша запись отменена: {{time}}.',
    moved: 'Ваша запись перенесена на другое время: {{time}}.',
    reminder: 'Напоминаем о вашей записи: {{time}}.',
    failed: 'Записать вас не получилось: {{time}}. Напишите, и мы подберём другое время.',
  },
  kk: {
    booked: 'Жазылуыңыз расталды: {{time}}.',
    cancelled: 'Жазылуыңыз жойылды: {{time}}.',
    moved: 'Жазылуыңыз басқа уақытқа ауыстырылды: {{time}}.',
    reminder: 'Жазылуыңызды еске саламыз: {{time}}.',
    failed: 'Сізді жазу мүмкін болмады: {{time}}. Жазыңыз, басқа уақыт таңдаймыз.',
  },
  en: {
    booked: 'Your booking is confirmed: {{time}}.',
    cancelled: 'Your booking is cancelled: {{time}}.',
    moved: 'Your booking has been moved to another time: {{time}}.',
    reminder: 'A reminder of your booking: {{time}}.',
    failed: 'We could not book you in: {{time}}. Write to us, and we will find another time.',
  },
} as const
