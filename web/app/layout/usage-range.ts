// Days of a usage overview.
import type { TimeRange } from '#shared/schema.ts'

/** The last `days` days, today included, from local midnight to the coming local midnight. */
export function usageRange(now: number, days: number): TimeRange {
  const end = new Date(now)
  end.setHours(24, 0, 0, 0)
  const start = new Date(end)
  start.setDate(start.getDate() - days)
  return { start: start.getTime(), end: end.getTime() }
}
