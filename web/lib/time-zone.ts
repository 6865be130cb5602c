// The time zone of a person: the one they have chosen, or that of this browser.
import { isTimeZone } from '#shared/organizations/organizations.ts'

/** As an argument of functions; nothing when the browser names none that the server takes. */
export function ownTimeZone(chosen = ''): { timeZone?: string } {
  if (chosen) return { timeZone: chosen }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return timeZone && isTimeZone(timeZone) ? { timeZone } : {}
}
