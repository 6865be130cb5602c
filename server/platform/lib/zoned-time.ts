// Local clock and calendar of a time zone at a given moment, changes of daylight saving included.

/** `hour` 0 to 23, `weekday` 0 to 6 from Monday, `day` as `YYYY-MM-DD`. */
export type WallClock = { day: string; weekday: number; hour: number }

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Creating one costs far more than using it; there are few time zones. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Time zones differ by whole minutes: the last requested minute of each. */
const lastClocks = new Map<string, { minute: number; clock: WallClock }>()

/**
 * Local time of a moment.
 *
 * @param at milliseconds since the epoch
 * @param timeZone IANA name
 * @throws RangeError for an unknown time zone
 */
export function wallClock(at: number, timeZone: string): WallClock {
  const minute = Math.floor(at / 60_000)
  const last = lastClocks.get(timeZone)
  if (last?.minute === minute) return last.clock
  const clock = readClock(at, timeZone)
  lastClocks.set(timeZone, { minute, clock })
  return clock
}

function readClock(at: number, timeZone: string): WallClock {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return {
    day: `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`,
    weekday: WEEKDAYS.indexOf(parts.get('weekday') ?? ''),
    hour: Number(parts.get('hour')),
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
    })
  formats.set(timeZone, format)
  return format
}
