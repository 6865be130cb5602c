// Send limits of one connection: caps set by people, the growing daily cap of a new number, and what is left of them at a moment. An hour
// and a day start with the first message sent in them.
import * as z from 'zod/mini'
import { CAP_MAX } from '#shared/limits.ts'
import { connectionInput } from './channels.ts'

/** How fast a new number's daily cap grows; `off`: it has none of its own. */
export const WARM_UPS = ['off', 'careful', 'normal'] as const
export type WarmUp = (typeof WARM_UPS)[number]

/** Messages of the first day, the second and so on; after the last one the number is warm. */
export const WARM_UP_DAYS: Record<Exclude<WarmUp, 'off'>, readonly number[]> = {
  careful: [20, 30, 40, 55, 75, 100, 130, 165, 205, 250, 300, 360, 430, 510, 600, 700, 820, 960, 1120, 1300, 1500],
  normal: [50, 75, 110, 150, 200, 260, 330, 410, 500, 600, 720, 850, 1000, 1200],
}

const cap = z.nullable(z.int().check(z.minimum(1), z.maximum(CAP_MAX)))

/** Caps set by a person; null: none. */
export const enteredCaps = z.strictObject({ perHour: cap, perDay: cap, warmUp: z.enum(WARM_UPS) })
export type EnteredCaps = z.infer<typeof enteredCaps>
export const setCapsInput = z.extend(connectionInput, { caps: enteredCaps })

/** `warmUpSince`: when the warm-up began. `spacingMs`: minimum time between two messages. Instants in milliseconds; null: none. */
export type Caps = EnteredCaps & { warmUpSince: number | null; spacingMs: number | null }
export const NO_CAPS: Caps = { perHour: null, perDay: null, warmUp: 'off', warmUpSince: null, spacingMs: null }

/** Messages sent in the current hour and day; null: none has started. */
export type SentCounts = {
  hourFrom: number | null
  inHour: number
  dayFrom: number | null
  inDay: number
  lastAt: number | null
}

/** How much a connection sends, and what is queued. */
export type Sending = {
  caps: Caps
  counts: SentCounts
  /** Parts that wait to be sent, for any reason. */
  waiting: number
  /** When the first of the parts held back by a cap is due; null: none is. */
  nextAt: number | null
}

/** Why a part waits, as stored in its row: the hour or the day is full, or the spacing of its connection. */
export const CAP_REASONS = ['cap_hour', 'cap_day', 'cap_pace'] as const
export type CapReason = (typeof CAP_REASONS)[number]

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Whether there is any cap. */
export function hasCaps({ perHour, perDay, warmUp, spacingMs }: Caps): boolean {
  return perHour !== null || perDay !== null || warmUp !== 'off' || spacingMs !== null
}

/** The day of the warm-up, from 1; null: no warm-up, or it is over. */
export function warmUpDay({ warmUp, warmUpSince }: Caps, now: number): number | null {
  if (warmUp === 'off' || warmUpSince === null) return null
  const day = 1 + Math.max(0, Math.floor((now - warmUpSince) / DAY_MS))
  return day <= WARM_UP_DAYS[warmUp].length ? day : null
}

/** The daily cap: the lower of the one set and that of the warm-up; null: none. */
export function dailyCap(caps: Caps, now: number): number | null {
  const day = warmUpDay(caps, now)
  const warm = day !== null && caps.warmUp !== 'off' ? (WARM_UP_DAYS[caps.warmUp][day - 1] ?? null) : null
  return warm === null || caps.perDay === null ? (warm ?? caps.perDay) : Math.min(warm, caps.perDay)
}

/** The counts at a moment: an hour or a day that is over counts as zero, and the next message starts a new one. */
export function countsAt(counts: SentCounts, now: number): SentCounts {
  const isHour = counts.hourFrom !== null && now < counts.hourFrom + HOUR_MS
  const isDay = counts.dayFrom !== null && now < counts.dayFrom + DAY_MS
  return {
    hourFrom: isHour ? counts.hourFrom : null,
    inHour: isHour ? counts.inHour : 0,
    dayFrom: isDay ? counts.dayFrom : null,
    inDay: isDay ? counts.inDay : 0,
    lastAt: counts.lastAt,
  }
}

/** How many may be sent now; the rest waits for `until` because of `reason`. */
export type Room = { room: number; until: number; reason: CapReason }

/** What the caps leave. If several are full, the one that lasts longest is returned. */
export function roomAt(caps: Caps, stored: SentCounts, now: number): Room {
  const counts = countsAt(stored, now)
  const perDay = dailyCap(caps, now)
  const left: Room[] = []
  if (caps.spacingMs !== null) {
    const free = (counts.lastAt ?? Number.NEGATIVE_INFINITY) + caps.spacingMs
    const next = free <= now ? now + caps.spacingMs : free
    left.push({ room: free <= now ? 1 : 0, until: next, reason: 'cap_pace' })
  }
  if (caps.perHour !== null) {
    const until = (counts.hourFrom ?? now) + HOUR_MS
    left.push({ room: Math.max(0, caps.perHour - counts.inHour), until, reason: 'cap_hour' })
  }
  if (perDay !== null) {
    const until = (counts.dayFrom ?? now) + DAY_MS
    left.push({ room: Math.max(0, perDay - counts.inDay), until, reason: 'cap_day' })
  }
  const room = Math.min(Number.POSITIVE_INFINITY, ...left.map((each) => each.room))
  const full = left.filter((each) => each.room === room).toSorted((a, b) => b.until - a.until)[0]
  return full ?? { room, until: now, reason: 'cap_pace' }
}
