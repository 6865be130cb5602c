// How long a pause lasts and how long it still has to go.
import { AUTO_RESUME_PRESETS_MS } from '#shared/limits.ts'

const MINUTE_MS = 60_000
const UNITS = [
  { unit: 'week', ms: 168 * 60 * MINUTE_MS },
  { unit: 'day', ms: 24 * 60 * MINUTE_MS },
  { unit: 'hour', ms: 60 * MINUTE_MS },
  { unit: 'minute', ms: MINUTE_MS },
] as const

/** A length of time in the largest unit that fits it wholly: 30 minutes, 12 hours, 2 days, 1 week. */
export function durationText(milliseconds: number, locale: string): string {
  const fitting = UNITS.find(({ ms }) => milliseconds >= ms && milliseconds % ms === 0) ?? UNITS[3]
  return new Intl.NumberFormat(locale, { style: 'unit', unit: fitting.unit, unitDisplay: 'long' }).format(
    Math.round(milliseconds / fitting.ms),
  )
}

/** What a running pause still has to go, as a clock: 4:05 or 1:02:30. Never below 0:00. */
export function countdownText(resumeAt: number, now: number): string {
  const total = Math.max(0, Math.ceil((resumeAt - now) / 1000))
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}

/** The choices of the pause dialog, shortest first; the last one stands for "only by hand". */
export const PAUSE_CHOICES: (number | null)[] = [...AUTO_RESUME_PRESETS_MS, null]
