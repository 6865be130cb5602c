// The hours in which an agent answers, in the time zone of its organization.
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'

type Availability = AgentSettings['availability']

/** Time zone offsets and their changes are multiples of 15 minutes, so hours begin only on quarter hours. */
const STEP_MS = 15 * 60_000
/** A customer notified longer ago than this is notified again, even if the agent's hours have not begun since. */
const REMEMBERED_MS = 7 * 24 * 3_600_000

/** Whether the agent answers at this moment. */
export function isOpenAt(availability: Availability, timeZone: string, at: number): boolean {
  if (!availability.isLimited) return true
  const { weekday, hour } = wallClock(at, timeZone)
  return availability.hours[weekday]?.includes(hour) ?? false
}

/**
 * Whether a customer who was notified at `notifiedAt` that the agent is away has to be notified again: its hours have begun since, or a week
 * has passed.
 *
 * @param notifiedAt undefined: never
 */
export function isNewClosure(
  availability: Availability,
  timeZone: string,
  notifiedAt: number | undefined,
  now: number,
): boolean {
  if (notifiedAt === undefined || now - notifiedAt > REMEMBERED_MS) return true
  for (let at = Math.ceil(notifiedAt / STEP_MS) * STEP_MS; at <= now; at += STEP_MS) {
    if (isOpenAt(availability, timeZone, at)) return true
  }
  return false
}
