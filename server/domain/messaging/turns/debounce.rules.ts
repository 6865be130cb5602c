// Timing of a conversation: how long the agent waits for a customer to finish, and how long their further messages make the answer in
// progress stale. Phrases that call a person always do.
import { findLastIntent } from '#server/domain/messaging/conversations/phrases.rules.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { ConnectionSettings } from '#shared/channels/connection-settings.ts'
import { isHalting, withoutCommands } from './commands.rules.ts'
import { unanswered } from './turn.rules.ts'
import type { Turn } from './turn.ts'

/** A customer who keeps writing is answered after this many times the buffer. */
export const BUFFERS_AT_MOST = 4
/** Seconds after which a customer who never stops writing is answered anyway. */
export const SUPERSEDE_SECONDS = 15

/**
 * Seconds, from the moment a customer began to wait, within which further messages make the answer stale. Includes the longest time that
 * the turn may wait for the customer to finish.
 */
function supersedableSeconds(bufferSeconds: number): number {
  return SUPERSEDE_SECONDS + BUFFERS_AT_MOST * bufferSeconds
}

/** The state that an answer is based on: a later pause or message makes it stale. */
export type AnswerBasis = {
  pauseEpoch: number
  /** Sequence of the newest message that it answers. Null in the test chat, where the tester reads the answer while it is generated. */
  answersThrough: number | null
  /** Null: at any time, as for follow-ups: none is sent once the customer has written. */
  supersedableSeconds: number | null
  /** Phrases of the customer that make it stale at any time: a customer who called a person meanwhile gets no answer. */
  phrases: AgentSettings['handoff']['customer']
  /** Settings with the commands that do the same; null when there are none. */
  settings: ConnectionSettings | null
}

/** Whether the customer's later messages call a person or ask the agent to stop. */
export function isCalledOff(
  { phrases, settings }: Pick<AnswerBasis, 'phrases' | 'settings'>,
  laterWords: string[],
): boolean {
  if (laterWords.some((words) => isHalting(words, settings))) return true
  const plain = withoutCommands(
    laterWords.map((text) => ({ text })),
    settings,
  )
  return (
    findLastIntent(
      plain.map(({ text }) => text),
      phrases,
    )?.kind === 'stop'
  )
}

/** The basis of the answer to a turn, as the turn was read. */
export function basisOf(turn: Turn): AnswerBasis {
  const { conversation, agent, kind } = turn
  const asked = unanswered(turn).map((message) => message.sequence)
  return {
    pauseEpoch: conversation.pauseEpoch,
    answersThrough: conversation.channel === 'test' ? null : Math.max(conversation.answeredThrough, ...asked),
    supersedableSeconds: kind === 'follow_up' ? null : supersedableSeconds(agent.settings.buffer.seconds),
    phrases: agent.settings.handoff.customer,
    settings: turn.connection?.settings ?? null,
  }
}
