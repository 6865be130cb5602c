// How long a pause lasts.
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
