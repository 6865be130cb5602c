// Local clock and calendar of a time zone at a given moment, changes of daylight saving included.

/** `hour` 0 to 23, `weekday` 0 to 6 from Monday, `day` as `YYYY-MM-DD`. */
export type WallClock = { day: string; weekday: number; hour: number }

const DAY_MS = 86_400_000
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

/** The minute that a local clock shows, 0 to 59. `at`: milliseconds since the epoch. */
export function localMinute(at: number, timeZone: string): number {
  return Math.floor((at + offsetAt(at, timeZone)) / 60_000) % 60
}

/** The day on the local calendar, as its number since 1970. `at`: milliseconds since the epoch. */
export function localDay(at: number, timeZone: string): number {
  return Math.floor((at + offsetAt(at, timeZone)) / DAY_MS)
}

/** The first moment of a local day, in milliseconds: midnight, or the end of the gap where clocks skip it. `day`: its number since 1970. */
export function startOfDay(day: number, timeZone: string): number {
  const midnight = day * DAY_MS
  const before = offsetAt(midnight - DAY_MS, timeZone)
  const after = offsetAt(midnight + DAY_MS, timeZone)
  const earliest = midnight - Math.max(before, after)
  if (before === after || localDay(earliest, timeZone) >= day) return earliest
  return firstWithin(earliest, midnight - Math.min(before, after), (at) => localDay(at, timeZone) >= day)
}

/** Of moments after which a condition stays true, the first, to the minute. */
function firstWithin(no: number, yes: number, holds: (at: number) => boolean): number {
  let [low, high] = [no, yes]
  while (high - low > 60_000) {
    const middle = low + Math.floor((high - low) / 120_000) * 60_000
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

/** Milliseconds by which local clocks are ahead of UTC. */
function offsetAt(at: number, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const local = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'))
  return local - Math.floor(at / 1000) * 1000
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
      minute: '2-digit',
      second: '2-digit',
    })
  formats.set(timeZone, format)
  return format
}
