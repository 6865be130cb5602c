// Connections on which the agent is switched off, and the notice for their customers. Decisions only.
import type { Refusal } from '../../turns/outcome.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'

/** A customer notified longer ago than this is notified again. */
const REMEMBERED_MS = 7 * 24 * 3_600_000

/** Refuses the turn when the agent is off on its connection. The customer is notified once, until the agent sends another message. */
export function checkAgentOff(turn: Turn, trace: TraceRecorder, now: number): Refusal | null {
  if (turn.connection?.settings?.isAgentOn !== false) return null
  trace.gate('agent_off', false)
  const text = offlineText(turn)
  const last = turn.history.findLast(({ author }) => author === 'agent')
  const isNotified = turn.kind !== 'reply' || (last?.text === text && now - last.at < REMEMBERED_MS)
  return { reason: 'agent_off', notice: isNotified ? '' : text, handoff: null }
}

/** The connection's own text for when the agent does not answer; empty without one. */
export function offlineText({ connection }: Turn): string {
  return connection?.settings?.offlineText ?? ''
}
