// The rhythm of a conversation, as numbers: how long a customer is waited for, how long what they add still counts for the answer
// that is being written. Words that call a person always count.
import { findLastIntent } from '#server/domain/messaging/conversations/phrases.rules.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { ConnectionSettings } from '#shared/channels/connection-settings.ts'
import { isHalting, withoutCommands } from './reply/commands.rules.ts'
import { unanswered } from './reply/guards/unanswered.rules.ts'
import type { Turn } from './turn.ts'

/** A customer who goes on writing is answered after so many times the buffer. */
export const BUFFERS_AT_MOST = 4
/** Seconds after which somebody who never stops writing is answered all the same. */
export const SUPERSEDE_SECONDS = 15

/**
 * Seconds, from the moment a customer began to wait, within which what they add makes the answer stale. A turn that waited for the
 * customer to finish has as long again as one that did not.
 */
function supersedableSeconds(bufferSeconds: number): number {
  return SUPERSEDE_SECONDS + BUFFERS_AT_MOST * bufferSeconds
}

/** What an answer is made from: a pause or a message that came later makes it stale. */
export type AnswerBasis = {
  pauseEpoch: number
  /** The newest message that it is about. Null in the test chat, where the answer has been read while it was written. */
  answersThrough: number | null
  /** Null: at any time. Nobody is reminded of a question after they have written. */
  supersedableSeconds: number | null
  /** Words of the customer that make it stale at any time: nobody is answered who has called a person meanwhile. */
  phrases: AgentSettings['handoff']['customer']
  /** With the commands that do the same; null: there are none. */
  settings: ConnectionSettings | null
}

/** Whether the customer has called a person, or wanted silence, by what they have said since. */
export function isCalledOff(
  { phrases, settings }: Pick<AnswerBasis, 'phrases' | 'settings'>,
  laterWords: string[],
): boolean {
  if (laterWords.some((words) => isHalting(words, settings))) return true
  const said = withoutCommands(
    laterWords.map((text) => ({ text })),
    settings,
  )
  return (
    findLastIntent(
      said.map(({ text }) => text),
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
