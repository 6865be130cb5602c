// The hours in which a member takes conversations, in the organization's time zone; and who is next.
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import type { Id } from '#shared/ids.ts'
import type { OperatorSettings } from '#shared/messaging/operators.ts'

/** Clocks differ by quarters of an hour, and change by no less: hours begin at such moments only. */
const STEP_MS = 15 * 60_000
/** A week and the longest change of a clock. */
const AHEAD_MS = 7 * 24 * 3_600_000 + 3 * 3_600_000

/** `hoursChangeAt` in milliseconds since the epoch; null: never. */
export type HoursState = { isWithinHours: boolean; hoursChangeAt: number | null }

/** Whether it is one of these hours, and when that changes. */
export function hoursStateAt(hours: OperatorSettings['hours'], timeZone: string, at: number): HoursState {
  if (hours === null) return { isWithinHours: true, hoursChangeAt: null }
  const isWithin = (moment: number): boolean => {
    const { weekday, hour } = wallClock(moment, timeZone)
    return hours[weekday]?.includes(hour) ?? false
  }
  const isWithinHours = isWithin(at)
  const first = (Math.floor(at / STEP_MS) + 1) * STEP_MS
  for (let next = first; next <= at + AHEAD_MS; next += STEP_MS) {
    if (isWithin(next) !== isWithinHours) return { isWithinHours, hoursChangeAt: next }
  }
  return { isWithinHours, hoursChangeAt: null }
}

/** A member who is available, regardless of their capacity. */
export type Candidate = {
  userId: Id<'users'>
  name: string
  capacity: number
  held: number
  /** Null: never. */
  lastAssignedAt: Date | null
}

/** Who gets the next conversation: its previous assignee, else the one assigned longest ago. Undefined: no member is free. */
export function chooseOperator(candidates: Candidate[], assigneeId: Id<'users'> | null): Candidate | undefined {
  const free = candidates.filter(({ held, capacity }) => held < capacity)
  const known = free.find(({ userId }) => userId === assigneeId)
  return known ?? free.toSorted((a, b) => givenAt(a) - givenAt(b) || (a.userId < b.userId ? -1 : 1))[0]
}

function givenAt({ lastAssignedAt }: Candidate): number {
  return lastAssignedAt?.getTime() ?? 0
}
