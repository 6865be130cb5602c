// Customer commands, such as "/start": what each does on a connection, and which of them apply to a turn. Decisions only.
import { BUILT_IN_COMMANDS, type ConnectionSettings } from '#shared/channels/connection-settings.ts'
import { handoffNotice, stopNotice } from './notice-text.ts'
import type { Refusal } from './outcome.ts'
import type { TraceRecorder } from './trace.ts'
import type { HistoryMessage, Turn } from './turn.ts'

/** What a command does. `text`: the reply to the customer; empty for the agent's own. `start` with an empty text: the agent greets. */
export type Command = { name: string; action: 'start' | 'text' | 'handoff' | 'stop'; text: string }
/** The text of a customer's message, with its sequence. */
type Words = Pick<HistoryMessage, 'sequence' | 'text'>

const COMMAND = /^\/([a-z0-9_]{1,32})(?:@\w+)?(?:\s|$)/i
const ACTIONS = { start: 'start', human: 'handoff', stop: 'stop' } as const

/** The command in a text; null when it is none, or unknown to the connection. @param settings null for connections without commands */
export function commandOf(text: string, settings: ConnectionSettings | null): Command | null {
  const name = COMMAND.exec(text.trim())?.[1]?.toLowerCase()
  if (name === undefined || settings === null) return null
  const builtIn = BUILT_IN_COMMANDS.find((each) => each === name)
  if (builtIn) {
    const texts = { start: settings.welcomeText, human: '', stop: settings.stopText }
    return { name, action: ACTIONS[builtIn], text: texts[builtIn] }
  }
  const custom = settings.commands.find(({ command }) => command === name)
  return custom ? { name, action: custom.action, text: custom.text } : null
}

/** Whether a text is a stop or handoff command: an answer in progress is not wanted then. */
export function isHalting(text: string, settings: ConnectionSettings | null): boolean {
  const action = commandOf(text, settings)?.action
  return action === 'stop' || action === 'handoff'
}

/** The messages without commands other than `start`: those are searched for phrases. */
export function withoutCommands<Message extends { text: string }>(
  messages: Message[],
  settings: ConnectionSettings | null,
): Message[] {
  return messages.filter(({ text }) => (commandOf(text, settings)?.action ?? 'start') === 'start')
}

/**
 * The outcome of commands among these messages that need no model: stop or handoff, by the last such command, or the texts when all
 * messages are commands with one. Null: the agent answers; see `commandTexts`.
 */
export function checkCommands(turn: Turn, questions: Words[], trace: TraceRecorder): Refusal | null {
  const given = commandsIn(turn, questions)
  const last = given.at(-1)
  if (!last) return null
  const refusal = decide(turn, given, questions.length)
  trace.gate('command', refusal === null, { command: `/${last.name}` })
  return refusal
}

/** Distinct texts of the commands among these messages, in the order sent: they precede the agent's answer. */
export function commandTexts(turn: Turn, questions: Words[]): string[] {
  return [...new Set(commandsIn(turn, questions).flatMap(({ action, text }) => (isText(action) && text ? [text] : [])))]
}

function decide(turn: Turn, given: Given[], questions: number): Refusal | null {
  const { phrasesThrough } = turn.conversation
  // Commands from before the agent was last resumed took effect then.
  const decisive = given.findLast(
    ({ action, sequence }) => action === 'start' || (action !== 'text' && sequence > phrasesThrough),
  )
  if (decisive?.action === 'stop') {
    const notice = decisive.text || stopNotice(turn)
    return { reason: 'customer_stop', notice, handoff: 'customer_stop', isSettled: true }
  }
  if (decisive?.action === 'handoff') {
    return { reason: 'customer_request', notice: decisive.text || handoffNotice(turn), handoff: 'customer_request' }
  }
  const spoken = given.filter(({ action, text }) => isText(action) && text !== '')
  if (spoken.length === 0 || spoken.length < questions) return null
  const reason = decisive?.action === 'start' ? 'welcomed' : 'command_answered'
  return { reason, notice: [...new Set(spoken.map(({ text }) => text))].join('\n\n'), handoff: null, isSettled: true }
}

type Given = Command & { sequence: number }

function commandsIn({ connection }: Turn, questions: Words[]): Given[] {
  return questions.flatMap(({ sequence, text }) => {
    const command = commandOf(text, connection?.settings ?? null)
    return command ? [{ ...command, sequence }] : []
  })
}

function isText(action: Command['action']): boolean {
  return action === 'start' || action === 'text'
}
