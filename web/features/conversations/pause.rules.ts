// How long a pause lasts and how long it still has to go.
import { AUTO_RESUME_MAX_MS, AUTO_RESUME_PRESETS_MS } from '#shared/limits.ts'

const MINUTE_MS = 60_000

/** Until when the agent is silent: a time that is offered, one of the person's own, or until a person says so. */
export type PauseChoice = 'by-hand' | 'custom' | `${number}`

/** The times that are offered, shortest first; the agent's own stands at the beginning. */
export function offeredTimes(agentDefaultMs: number | null): number[] {
  const others = AUTO_RESUME_PRESETS_MS.filter((milliseconds) => milliseconds !== agentDefaultMs)
  return agentDefaultMs === null ? others : [agentDefaultMs, ...others]
}

/** Milliseconds of a pause; undefined: until a person says so. Null: the person's own time is none. */
export function lengthOf(choice: PauseChoice, customMs: number | null): number | undefined | null {
  if (choice === 'by-hand') return undefined
  if (choice !== 'custom') return Number(choice)
  const isTime = customMs !== null && customMs >= MINUTE_MS && customMs <= AUTO_RESUME_MAX_MS
  return isTime ? Math.round(customMs) : null
}

/** What a running pause still has to go, as a clock: 4:05 or 1:02:30. Never below 0:00. */
export function countdownText(resumeAt: number, now: number): string {
  const total = Math.max(0, Math.ceil((resumeAt - now) / 1000))
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}
