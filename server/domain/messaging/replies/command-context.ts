// Marks commands that a text of the connection answers, so that the model neither answers them again nor searches for them. Pure.
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import { commandTexts } from '../turns/commands.rules.ts'
import { unanswered } from '../turns/turn.rules.ts'
import type { HistoryMessage, Turn } from '../turns/turn.ts'

/** The history with the answering text attached to each open command that has one. */
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

/** An answer, preceded by the texts of the commands that the customer sent with their questions. */
export function belowCommandTexts(turn: Turn, answer: string): string {
  return [...commandTexts(turn, unanswered(turn)), answer].join('\n\n')
}
