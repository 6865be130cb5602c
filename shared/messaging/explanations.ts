// Why a message was answered or not: the turns that were to answer it, what held the agent back when it came, and how it stands now.
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

/** A silence of the agent. `by`: who of the team has silenced it; null: a rule, the customer, or nobody knows. */
export type Silence = { reason: PauseReason; since: number; by: string | null }

/**
 * What a turn that has not begun waits for: `customer` to finish writing, the answer `before` it, another `try` after a failure (whose
 * code is `failure`), or `room` among the answers that are being written.
 */
export type Wait = 'customer' | 'before' | 'try' | 'room'

/** How a message stands now. */
export type Standing =
  | { kind: 'answered'; by: 'agent' | 'operator'; name: string | null; messageId: Id<'messages'>; at: number }
  /** `until`: null: until somebody lets the agent speak. */
  | ({ kind: 'paused'; until: number | null } & Silence)
  | { kind: 'ended' | 'agent_deleted' | 'connection_off' | 'connection_error' }
  | { kind: 'answering'; since: number }
  | { kind: 'waiting'; for: Wait; until: number; failure: string | null }
  /** The agent's last word: if the customer stays silent, it writes again by itself. */
  | { kind: 'follow_up'; at: number }
  /** It was taken as a rating of the help, which nothing answers but thanks. */
  | { kind: 'rated' }
  /** Nothing is known: it is older than such records, or nobody was to answer it. */
  | { kind: 'unrecorded' }

export type MessageExplanation = {
  /** Newest first. */
  turns: ExplainedTurn[]
  /** The one to open first; null: there is none. */
  turnId: Id<'turns'> | null
  /** What kept the agent silent when the message came; null: nothing. */
  held: Silence | null
  /** Null: there is nothing to say but what its turns tell. */
  standing: Standing | null
}
