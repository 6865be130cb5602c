// What follows from the facts of a turn: which words of the customer it is about, on which day, and what comes after it.
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import type { PlannedFollowUp } from '../conversations/writes/follow-ups.store.ts'
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

/** What to plan after a message of the agent; null: the agent has no follow-ups, and nothing is to be stored. */
export function planFollowUp({ kind, agent, followUp, conversation }: Turn): PlannedFollowUp | null {
  const { isOn, steps } = agent.settings.followUps
  if (!isOn || conversation.channel === 'test') return null
  const step = kind === 'follow_up' && followUp ? followUp.step + 1 : 0
  return { step, minutes: steps[step]?.afterMinutes ?? null }
}
