// What follows from the facts of a turn: which words of the customer it is about, on which day, and what comes after it.
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import type { Turn } from './turn.ts'

/** The customer's messages since the last answer, oldest first. */
export function unanswered(turn: Pick<Turn, 'history' | 'conversation'>): Turn['history'] {
  return turn.history.filter(
    (message) => message.author === 'customer' && message.sequence > turn.conversation.answeredThrough,
  )
}

/** The day in the organization's time zone, `YYYY-MM-DD`. */
export function dayOf(turn: Turn, now: number): string {
  return wallClock(now, turn.timeZone).day
}

/**
 * The follow-up to schedule after a message of the agent: `step`, the number of follow-ups sent in this silence, and `minutes` until
 * the next one is due; null when there is none.
 */
export function planFollowUp({ kind, agent, followUp, conversation }: Turn): { step: number; minutes: number | null } {
  const step = kind === 'follow_up' && followUp ? followUp.step + 1 : 0
  const { isOn, steps } = agent.settings.followUps
  const minutes = isOn && conversation.channel !== 'test' ? (steps[step]?.afterMinutes ?? null) : null
  return { step, minutes }
}
