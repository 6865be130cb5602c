// Commands of customers, such as "/start": what each of them does on a connection, and which of them a turn is about. Decisions only.
import { BUILT_IN_COMMANDS, type ConnectionSettings } from '#shared/channels/connection-settings.ts'
import { handoffNotice, stopNotice } from '../../handoff/handoff-text.ts'
import type { Refusal } from '../outcome.ts'
import type { TraceRecorder } from '../trace.ts'
import type { HistoryMessage, Turn } from '../turn.ts'

/** What a command does. `start` with an empty text: the agent greets. `text`: what the customer is told; empty: as the agent says it. */
export type Command = { name: string; action: 'start' | 'text' | 'handoff' | 'stop'; text: string }
/** Words of the customer, with the sequence of their message. */
type Words = Pick<HistoryMessage, 'sequence' | 'text'>

const COMMAND = /^\/([a-z0-9_]{1,32})(?:@\w+)?(?:\s|$)/i
const ACTIONS = { start: 'start', human: 'handoff', stop: 'stop' } as const

/** The command that a text is; null: it is none, or one that the connection does not know. @param settings null: it knows no commands */
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

/** Whether a text asks for silence or for a person: nothing that the agent is still writing is wanted then. */
export function isHalting(text: string, settings: ConnectionSettings | null): boolean {
  const action = commandOf(text, settings)?.action
  return action === 'stop' || action === 'handoff'
}

/** What is not a command with a text or a person behind it: where phrases are looked for. */
export function withoutCommands<Said extends { text: string }>(
  said: Said[],
  settings: ConnectionSettings | null,
): Said[] {
  return said.filter(({ text }) => (commandOf(text, settings)?.action ?? 'start') === 'start')
}

/**
 * What commands among these messages ask for, where that is done without the agent: silence or a person, as the last of them says, or
 * texts when nothing else was said. Null: the agent answers; see `commandTexts`.
 */
export function checkCommands(turn: Turn, questions: Words[], trace: TraceRecorder): Refusal | null {
  const given = commandsIn(turn, questions)
  const last = given.at(-1)
  if (!last) return null
  const refusal = decide(turn, given, questions.length)
  trace.gate('command', refusal === null, { command: `/${last.name}` })
  return refusal
}

/** Texts of the commands among these messages, each once, in the order in which they were sent: they stand before the agent's answer. */
export function commandTexts(turn: Turn, questions: Words[]): string[] {
  return [...new Set(commandsIn(turn, questions).flatMap(({ action, text }) => (isText(action) && text ? [text] : [])))]
}

function decide(turn: Turn, given: Given[], questions: number): Refusal | null {
  const { phrasesThrough } = turn.conversation
  // What was said before the agent last began to speak again has been heeded then.
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
