// May this turn be answered at all? Decisions only; the turn holds everything they need.
import type { Turn } from './turn.store.ts'

/** Why a turn is not answered. */
export type Refusal =
  | 'nothing_to_answer'
  | 'paused'
  | 'ended'
  | 'agent_deleted'
  | 'connection_off'
  | 'connection_error'
  | 'gave_up'

/** Claims after which a turn is given up: something about it ends the server that works on it. */
const MAX_CLAIMS = 8

/** The first reason not to answer, or null. */
export function checkGates(turn: Turn): Refusal | null {
  const { conversation, connection, agent } = turn
  if (conversation.status === 'paused') return 'paused'
  if (conversation.status === 'ended') return 'ended'
  if (agent.isDeleted) return 'agent_deleted'
  if (connection?.isOff) return 'connection_off'
  if (connection?.status === 'error') return 'connection_error'
  if (unanswered(turn).length === 0) return 'nothing_to_answer'
  if (turn.epoch > MAX_CLAIMS) return 'gave_up'
  return null
}

/** What the customer has said since the last answer, oldest first. */
export function unanswered(turn: Pick<Turn, 'history' | 'conversation'>): Turn['history'] {
  return turn.history.filter(
    (message) => message.author === 'customer' && message.sequence > turn.conversation.answeredThrough,
  )
}
