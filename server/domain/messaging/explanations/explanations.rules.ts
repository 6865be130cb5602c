// Which turns concern a message, and its explanation. Decisions only: the facts are read in explanations.store.ts.

import type { Id } from '#shared/ids.ts'
import type { ConversationStatus, MessageAuthor } from '#shared/messaging/conversations.ts'
import type { ExplainedTurn, MessageExplanation, Silence, Standing, Wait } from '#shared/messaging/explanations.ts'
import type { TurnKind } from '#shared/messaging/trace.ts'

/** A turn; moments are milliseconds since the epoch. */
export type TurnFacts = {
  id: Id<'turns'>
  kind: TurnKind
  outcome: string | null
  hasRecord: boolean
  /** Messages of the customer from there on were unanswered when it read them; null: it has read none. */
  answeredBefore: number | null
  /** The newest message that it had read; null: unknown. */
  readThrough: number | null
  waitingSince: number
  createdAt: number
  /** When its last attempt began. */
  startedAt: number | null
  /** When it is to begin. */
  notBefore: number
  /** Null: it has not ended. */
  finishedAt: number | null
  isRunning: boolean
  hasBegun: boolean
  /** Of its last attempt; null: none has failed. */
  failure: string | null
}

/** A message of an operator or the agent. */
export type MessageFacts = { messageId: Id<'messages'>; sequence: number; name: string | null; at: number }

/** All facts that decide the explanation of one message. */
export type Facts = {
  message: {
    author: MessageAuthor
    sequence: number
    at: number
    turnId: Id<'turns'> | null
    held: Silence | null
    /** The message is the customer's rating. */
    isRating: boolean
  }
  conversation: {
    /** A deleted one counts as ended. */
    status: ConversationStatus
    answeredThrough: number
    /** Null: unless paused. */
    paused: Silence | null
    resumeAt: number | null
    followUpAt: number | null
    isAgentDeleted: boolean
    connection: 'works' | 'off' | 'error'
  }
  /** The earliest first: those that have ended since, and those that have not ended. */
  turns: TurnFacts[]
  /** The first message of an operator since. */
  operator: MessageFacts | null
  /** When the next message was written; null: there is none. */
  nextMessageAt: number | null
  /** The agent's messages in these turns. */
  answers: ({ turnId: Id<'turns'> } & MessageFacts)[]
}

/** The explanation of one message. */
export function explain(facts: Facts): MessageExplanation {
  const { author, turnId, held } = facts.message
  const concerning = facts.turns.filter((turn) => turn.id === turnId || concerns(turn, facts)).reverse()
  const turns = concerning.map(toExplained)
  const opened = turnId ?? concerning[0]?.id ?? null
  const standing = author === 'customer' ? standingOf(facts, concerning) : plansOf(facts)
  return { turns, turnId: opened, held, standing }
}

/** Whether a turn was to answer a message of the customer; for a message of the agent, whether it was to follow up on the silence after it. */
function concerns(turn: TurnFacts, { message, nextMessageAt, operator }: Facts): boolean {
  if (message.author === 'agent') return turn.kind === 'follow_up' && breaksSilence(turn, message.at, nextMessageAt)
  if (message.author !== 'customer' || turn.kind === 'follow_up') return false
  if (turn.finishedAt === null) return turn.isRunning ? hasBegunAfter(turn, message.at) : true
  if (turn.readThrough === null) return isOfOldWith(turn, message)
  if (turn.readThrough < message.sequence) return false
  const before = turn.answeredBefore ?? 0
  if (before < message.sequence) return true
  // It was made for this message, but an operator answered first.
  return turn.waitingSince <= message.at && operator !== null && operator.sequence <= before
}

function breaksSilence(turn: TurnFacts, since: number, until: number | null): boolean {
  if (turn.finishedAt === null) return until === null
  return turn.outcome !== 'replied' && turn.finishedAt >= since && (until === null || turn.finishedAt <= until)
}

/** For turns that ended without a record of what they had read: merged, stopped, or older than that record. */
function isOfOldWith(turn: TurnFacts, message: Facts['message']): boolean {
  if (!hasBegunAfter(turn, message.at)) return false
  return turn.answeredBefore === null ? turn.waitingSince <= message.at : turn.answeredBefore < message.sequence
}

function hasBegunAfter({ startedAt, finishedAt }: TurnFacts, at: number): boolean {
  return (startedAt ?? finishedAt ?? at) >= at
}

function toExplained({ id, kind, outcome, hasRecord, finishedAt, ...turn }: TurnFacts): ExplainedTurn {
  const begunAt = turn.isRunning ? (turn.startedAt ?? turn.notBefore) : turn.notBefore
  return { _id: id, kind, outcome, at: finishedAt ?? begunAt, hasRecord }
}

/** `concerning`: newest first. */
function standingOf(facts: Facts, concerning: TurnFacts[]): Standing | null {
  const { message, conversation } = facts
  if (message.isRating) return { kind: 'rated' }
  const settled = message.sequence <= conversation.answeredThrough
  const standing = settled ? answeredBy(facts, concerning) : openBecause(facts, concerning)
  if (standing || concerning.length > 0) return standing
  return { kind: 'unrecorded' }
}

function answeredBy({ operator, answers }: Facts, concerning: TurnFacts[]): Standing | null {
  for (const { id } of concerning) {
    const answer = answers.find(({ turnId }) => turnId === id)
    if (answer) return { kind: 'answered', by: 'agent', name: null, messageId: answer.messageId, at: answer.at }
  }
  if (!operator) return null
  return { kind: 'answered', by: 'operator', name: operator.name, messageId: operator.messageId, at: operator.at }
}

function openBecause({ conversation, turns }: Facts, concerning: TurnFacts[]): Standing | null {
  const { status, paused, resumeAt } = conversation
  if (status === 'paused' && paused) return { kind: 'paused', ...paused, until: resumeAt }
  if (status === 'ended') return { kind: 'ended' }
  if (conversation.isAgentDeleted) return { kind: 'agent_deleted' }
  const open = concerning.find(({ finishedAt }) => finishedAt === null)
  if (open?.isRunning) return { kind: 'answering', since: open.startedAt ?? open.notBefore }
  if (open) return { kind: 'waiting', for: waitOf(open, turns), until: open.notBefore, failure: open.failure }
  if (conversation.connection === 'works') return null
  return { kind: conversation.connection === 'off' ? 'connection_off' : 'connection_error' }
}

function waitOf(turn: TurnFacts, turns: TurnFacts[]): Wait {
  if (turns.some(({ isRunning }) => isRunning)) return 'before'
  if (turn.failure !== null) return 'try'
  return !turn.hasBegun && turn.notBefore > turn.createdAt ? 'customer' : 'room'
}

/** The follow-up that is planned after the agent's last message. */
function plansOf({ message, conversation, nextMessageAt }: Facts): Standing | null {
  const isLast = message.author === 'agent' && nextMessageAt === null
  return isLast && conversation.followUpAt !== null ? { kind: 'follow_up', at: conversation.followUpAt } : null
}
