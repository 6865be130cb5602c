// The time zone of this browser.
import { isTimeZone } from '#shared/organizations/organizations.ts'

/** As an argument of functions; nothing when the browser names none that the server takes. */
export function ownTimeZone(): { timeZone?: string } {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return timeZone && isTimeZone(timeZone) ? { timeZone } : {}
}
