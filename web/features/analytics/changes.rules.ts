// How a number compares with that of the period before.

/** The change as a share of the number before, and its direction; `share` null: there was nothing before. */
export type Change = { direction: 'up' | 'down' | 'same'; share: number | null }

/** Null where either is unknown. */
export function changeOf(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null
  if (now === before) return { direction: 'same', share: 0 }
  return { direction: now > before ? 'up' : 'down', share: before === 0 ? null : Math.abs(now - before) / before }
}

/** A part of a whole, 0 to 1; null of nothing. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
