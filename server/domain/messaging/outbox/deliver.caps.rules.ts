// Which parts of a capped connection are sent now, and for how long the others wait.
import { type CapReason, type Caps, countsAt, roomAt, type SentCounts } from '#shared/channels/caps.ts'

/** A claimed part. `isOwn`: a person of the team has written it. */
export type CappedPart = { id: string; isOwn: boolean; sequence: number }

/** `until` in milliseconds. */
export type Wait = { id: string; until: number; reason: CapReason }

/** `full`: no other part of the connection may be sent before that; null: there may be room. */
export type Shares = { begin: string[]; wait: Wait[]; full: { until: number; reason: CapReason } | null }

/** After this time an agent's parts check again whether the operators' parts, for which room was kept, have been sent. */
const YIELD_MS = 1000

type Situation = {
  caps: Caps
  counts: SentCounts
  now: number
  /** Operators' parts that could be sent as well, and are claimed by other servers: room is kept for them. */
  ownElsewhere: number
}

/** Operators' parts first, then the oldest. */
export function shareOut(parts: CappedPart[], { caps, counts, now, ownElsewhere }: Situation): Shares {
  const { room, until, reason } = roomAt(caps, counts, now)
  const ordered = parts.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.sequence - b.sequence)
  const people = Math.min(room, ordered.filter(({ isOwn }) => isOwn).length)
  const begun = Math.max(people, Math.min(ordered.length, room - ownElsewhere))
  const rest = ordered.slice(begun)
  const begin = ordered.slice(0, begun).map(({ id }) => id)
  const isPaced = reason === 'cap_pace'
  if (begun < room) {
    return { begin, wait: rest.map(({ id }) => ({ id, until: now + YIELD_MS, reason: 'cap_pace' })), full: null }
  }
  const wait = rest.map(({ id }, place) => ({
    id,
    until: until + (isPaced ? place * (caps.spacingMs ?? 0) : 0),
    reason,
  }))
  return { begin, wait, full: isPaced ? null : { until, reason } }
}

/** The counts with this many more. */
export function countsAfter(stored: SentCounts, sent: number, now: number): SentCounts {
  const counts = countsAt(stored, now)
  return {
    hourFrom: counts.hourFrom ?? now,
    inHour: counts.inHour + sent,
    dayFrom: counts.dayFrom ?? now,
    inDay: counts.inDay + sent,
    lastAt: now,
  }
}
