// A connection on which the agent is switched off, and what customers are told there while it does not answer. Decisions only.
import type { Refusal } from '../outcome.ts'
import type { TraceRecorder } from '../trace.ts'
import type { Turn } from '../turn.ts'

/** Whoever was told longer ago than this is told again. */
const REMEMBERED_MS = 7 * 24 * 3_600_000

/** Whether the agent is switched off where the customer writes. They are told so once, until it has said something else. */
export function checkAgentOff(turn: Turn, trace: TraceRecorder, now: number): Refusal | null {
  if (turn.connection?.settings?.isAgentOn !== false) return null
  trace.gate('agent_off', false)
  const text = offlineText(turn)
  const last = turn.history.findLast(({ author }) => author === 'agent')
  const isTold = turn.kind !== 'reply' || (last?.text === text && now - last.at < REMEMBERED_MS)
  return { reason: 'agent_off', notice: isTold ? '' : text, handoff: null }
}

/** The connection's own text for when the agent does not answer; empty: it has none. */
export function offlineText({ connection }: Turn): string {
  return connection?.settings?.offlineText ?? ''
}
