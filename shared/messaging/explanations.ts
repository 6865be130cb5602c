// Why a message was answered or not: the turns that were to answer it, the pause on its arrival, and its current state.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'
import type { PauseReason } from './conversations.ts'
import type { TurnKind } from './trace.ts'

export const explainMessageInput = z.strictObject({ messageId: id('messages') })

/** A turn that concerns a message. */
export type ExplainedTurn = {
  _id: Id<'turns'>
  kind: TurnKind
  /** `replied`, or the code of what kept the agent from answering; null: it is not over. */
  outcome: string | null
  /** When it ended; of one that is not over, when it began or is to begin: milliseconds since the epoch. */
  at: number
  /** Whether what it went through can be opened: not before its end, and not after its time. */
  hasRecord: boolean
}

/** A pause of the agent. `by`: the operator who paused it; null: a rule, the customer, or unknown. */
export type Silence = { reason: PauseReason; since: number; by: string | null }

/**
 * What a pending turn waits for: `customer` to finish writing, the answer `before` it, another `try` after a failure (whose code is
 * `failure`), or `room` among the answers that are being written.
 */
export type Wait = 'customer' | 'before' | 'try' | 'room'

/** Current state of a message. */
export type Standing =
  | { kind: 'answered'; by: 'agent' | 'operator'; name: string | null; messageId: Id<'messages'>; at: number }
  /** `until`: null: until an operator resumes the agent. */
  | ({ kind: 'paused'; until: number | null } & Silence)
  | { kind: 'ended' | 'agent_deleted' | 'connection_off' | 'connection_error' }
  | { kind: 'answering'; since: number }
  | { kind: 'waiting'; for: Wait; until: number; failure: string | null }
  /** The agent wrote last: if the customer stays silent, it follows up. */
  | { kind: 'follow_up'; at: number }
  /** It was taken as a rating, which is only answered with thanks. */
  | { kind: 'rated' }
  /** Unknown: it is older than these records, or no turn was to answer it. */
  | { kind: 'unrecorded' }

export type MessageExplanation = {
  /** Newest first. */
  turns: ExplainedTurn[]
  /** The turn to open first; null: none. */
  turnId: Id<'turns'> | null
  /** The pause of the agent when the message arrived; null: none. */
  held: Silence | null
  /** Null: its turns explain everything. */
  standing: Standing | null
}
