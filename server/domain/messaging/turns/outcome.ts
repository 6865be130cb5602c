// How a turn ends: answered, refused with what happens instead, or left to be tried again. Types only.
import type { PauseReason } from '#shared/messaging/conversations.ts'
import type { TraceGate } from '#shared/messaging/trace.ts'

/** Why a turn is not answered. */
export type RefusalReason =
  | 'nothing_to_answer'
  | 'paused'
  | 'ended'
  | 'agent_deleted'
  | 'agent_off'
  | 'connection_off'
  | 'connection_error'
  | 'gave_up'
  | 'welcomed'
  | 'command_answered'
  | 'customer_stop'
  | 'customer_request'
  | 'machine_talk'
  | 'guarded_question'
  | 'guarded_answer'
  | 'follow_up_later'
  | 'follow_ups_off'
  | 'nothing_to_follow_up'
  | 'follow_up_undelivered'
  | 'follow_up_needs_model'
  | 'follow_up_out_of_window'
  | 'organization_suspended'
  | 'outside_hours'
  | 'agent_limit'
  | 'customer_limit'
  | 'visitors_limit'
  | 'spending_limit'
  | 'allowance_used_up'

/** A turn that is not answered, and what happens instead. */
export type Refusal = {
  reason: RefusalReason
  /** The notice for the customer; empty for none. */
  notice: string
  /** Why a person is called; null without a handoff. */
  handoff: PauseReason | null
  /** Whether this settles the questions; else they stay open for the next answer. */
  isSettled?: boolean
  /** For rules that notify the customer once per period: whether they were notified in this one. */
  isNotified?: boolean
  /** For a follow-up that comes too early: when it is retried, milliseconds since the epoch. */
  followUpAt?: number
}

/** A limit that is near, of which the team is warned once a day. */
export type LimitWarning = 'customer_limit_near' | 'agent_limit_near'

/** A gate that was asked; `reason`: why the turn is refused where it has not passed. */
export type LimitGate = TraceGate & { reason: RefusalReason }

/** Why a generation is aborted. `superseded`: the customer has written more. */
export type AbortReason = 'unwanted' | 'superseded' | 'stopping'

/** How a turn ended for this process. */
export type TurnOutcome =
  | { status: 'replied' }
  | { status: 'refused'; reason: RefusalReason }
  /** A pause, a stop, a further message or another server made the answer unwanted. */
  | { status: 'unwanted' }
  /** This server stops; another, or its next start, answers. */
  | { status: 'given_back' }
  | { status: 'retry'; reason: string; delayMs: number }
  | { status: 'failed'; reason: string }
