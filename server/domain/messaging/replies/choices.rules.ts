// Choices that an agent offers with its answer: as buttons where the channel has them, else listed by number. Pure.

import type { HistoryMessage } from '../turns/turn.ts'
import type { Answered } from './answer.ts'

/** What is offered with a message that may go out. A text that stands in place of the model's offers nothing, and neither does a handoff. */
export function choicesOf(made: Answered, allowed: Answered): string[] {
  const { offer, handoff } = made.context
  return allowed.answer.text === made.answer.text && handoff.request === null ? (offer?.choices ?? []) : []
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
