// Visits that an agent books in a calendar.
import type { Reminder } from './calendar.ts'

/**
 * `booking`, `moving`, `cancelling`: written down, and not known to be done at Google. `failed`: Google has refused it for good, or
 * could not be asked before its time had passed.
 */
export type BookingStatus = 'booking' | 'booked' | 'moving' | 'cancelling' | 'cancelled' | 'failed'

/** How the event looks in the calendar, its placeholders replaced. */
export type BookedEvent = { title: string; description: string; reminders: Reminder[] }
