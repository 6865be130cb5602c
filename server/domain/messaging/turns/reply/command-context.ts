// How a model is told of commands that a text of the connection answers: it neither answers them again nor searches for them. Pure.
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import type { HistoryMessage, Turn } from '../turn.ts'
import { commandTexts } from './commands.rules.ts'
import { unanswered } from './guards/unanswered.rules.ts'

/** The history in which each command that waits, and that a text answers, says so. */
export function withAnsweredCommands(turn: Turn): HistoryMessage[] {
  const open = new Set(unanswered(turn))
  return turn.history.map((message) => {
    const [text] = open.has(message) ? commandTexts(turn, [message]) : []
    if (text === undefined) return message
    const block: DataBlock = {
      title: 'What the customer is told to this command before your answer; do not repeat it',
      text,
    }
    return { ...message, subject: '', data: [block, ...(message.data ?? [])] }
  })
}

/** An answer below the texts of the commands that the customer has sent with their questions. */
export function belowCommandTexts(turn: Turn, answer: string): string {
  return [...commandTexts(turn, unanswered(turn)), answer].join('\n\n')
}
