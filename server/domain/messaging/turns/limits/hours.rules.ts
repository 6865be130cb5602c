// The hours in which an agent answers, by the clock of its organization.
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'

type Availability = AgentSettings['availability']

/** Clocks differ by quarters of an hour, and change by no less: hours begin at such moments only. */
const STEP_MS = 15 * 60_000
/** Whoever was told longer ago than this is told again, even if nothing has opened since. */
const REMEMBERED_MS = 7 * 24 * 3_600_000

/** Whether the agent answers at this moment. */
export function isOpenAt(availability: Availability, timeZone: string, at: number): boolean {
  if (!availability.isLimited) return true
  const { weekday, hour } = wallClock(at, timeZone)
  return availability.hours[weekday]?.includes(hour) ?? false
}

/**
 * Whether somebody who was told at `toldAt` that the agent is away has to be told again: it has been there meanwhile, or it was a
 * week ago.
 *
 * @param toldAt undefined: never
 */
export function isNewClosure(
  availability: Availability,
  timeZone: string,
  toldAt: number | undefined,
  now: number,
): boolean {
  if (toldAt === undefined || now - toldAt > REMEMBERED_MS) return true
  for (let at = Math.ceil(toldAt / STEP_MS) * STEP_MS; at <= now; at += STEP_MS) {
    if (isOpenAt(availability, timeZone, at)) return true
  }
  return false
}
