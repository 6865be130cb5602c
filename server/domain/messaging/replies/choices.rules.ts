// Choices that an agent offers with its answer: as buttons where the channel has them, else listed by number. Pure.
import { answersTo } from '../approvals/approval-words.rules.ts'
import type { TurnApprovals } from '../approvals/settle.ts'
import type { HistoryMessage } from '../turns/turn.ts'
import type { Answered } from './answer.ts'

/**
 * What is offered with a message that may go out. A text that stands in place of the model's offers nothing, and neither does a handoff.
 * A customer who is asked to confirm a call answers that.
 */
export function choicesOf(made: Answered, allowed: Answered, approvals: TurnApprovals | null = null): string[] {
  if (approvals?.asked.some(({ by }) => by === 'customer')) return answersTo(approvals.language)
  return isUnchanged(made, allowed) ? (made.context.offer?.choices ?? []) : []
}

/** The calls for which a message that may go out asks, and those that it says the outcome of. */
export function approvalsOf(made: Answered, allowed: Answered): TurnApprovals | null {
  const { approvals = null } = made.context
  if (!approvals || isUnchanged(made, allowed)) return approvals
  // A person who takes over answers the customer; the team can approve all the same.
  const isSaid = allowed.answer.text === made.answer.text
  return { ...approvals, asked: isSaid ? approvals.asked.filter(({ by }) => by === 'operator') : [] }
}

function isUnchanged(made: Answered, allowed: Answered): boolean {
  return allowed.answer.text === made.answer.text && made.context.handoff.request === null
}

/** A text with its choices by number below it. */
export function withList(text: string, choices: string[]): string {
  if (choices.length === 0) return text
  return [text, choices.map((choice, at) => `${at + 1}. ${choice}`).join('\n')].join('\n\n')
}

/** The history in which messages say what was offered by buttons below them. */
export function withOffers(history: HistoryMessage[]): HistoryMessage[] {
  return history.map((message) =>
    message.choices ? { ...message, text: withList(message.text, message.choices) } : message,
  )
}
