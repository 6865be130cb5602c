// Detects bots that write in a customer's place, such as another bot's auto-reply: two bots would answer each other endlessly. Judged by
// the times at which messages were stored, and only by patterns that no person keeps up. Decisions only.
import type { Refusal } from '../../turns/outcome.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { HistoryMessage, Turn } from '../../turns/turn.ts'

/**
 * `same_text`: the same text again and again. `echo`: our own text returned. `too_fast`: texts that no person can type in the time.
 * `ping_pong`: an immediate reply to each of our messages.
 */
export type MachineSign = 'same_text' | 'echo' | 'too_fast' | 'ping_pong'

/** `inARow`: consecutive exchanges with the sign. `withinMs`: the slowest of their replies. */
export type MachineTalk = { sign: MachineSign; inARow: number; withinMs: number }

/** A customer's message and the agent's message that it follows. */
type Exchange = {
  /** The customer's text and the agent's before it, both normalised by `plain`. */
  text: string
  answered: string
  /** The customer's text before that. */
  textBefore: string
  /** From the agent's message to the customer's. */
  gapMs: number
  /** From the customer's previous message: the maximum time to type. */
  sinceOwnMs: number
}

type Rule = {
  sign: MachineSign
  /** Number in a row that no person reaches by chance. */
  inARow: number
  matches(exchange: Exchange, newest: Exchange): boolean
}

/** Characters per second, above the fastest typists; on a phone a third of it is fast. */
const TYPED_PER_SECOND = 12
/** Messages within this time are sent together, such as an auto-reply of two messages; a later one counts as a person's. */
const TOGETHER_MS = 1500

/**
 * Conditions of each sign. A person may paste, press, forward and dictate at once, but not right after each answer: their messages come
 * at any moment between two answers, a bot's always at the same one.
 */
const RULES: Rule[] = [
  { sign: 'echo', inARow: 3, matches: (exchange) => exchange.gapMs <= 3000 && isEcho(exchange) },
  {
    sign: 'same_text',
    inARow: 4,
    matches: ({ text, gapMs }, newest) => gapMs <= 1500 && text.length >= 20 && text === newest.text,
  },
  {
    sign: 'same_text',
    inARow: 8,
    matches: ({ text, gapMs }, newest) => gapMs <= 60_000 && text.length >= 40 && text === newest.text,
  },
  {
    sign: 'too_fast',
    inARow: 6,
    matches: (exchange) => exchange.gapMs <= 1200 && exchange.text.length >= 25 && isUntyped(exchange),
  },
  {
    sign: 'too_fast',
    inARow: 12,
    matches: (exchange) => exchange.gapMs <= 3000 && exchange.text.length >= 80 && isUntyped(exchange),
  },
  { sign: 'ping_pong', inARow: 12, matches: ({ gapMs }) => gapMs <= 800 },
]

/** Refuses to answer a bot and hands the conversation over, so that the team sees it. Null without signs of one. */
export function checkMachineTalk(turn: Turn, trace: TraceRecorder): Refusal | null {
  if (turn.connection === null || !turn.agent.settings.machineTalk.isOn) return null
  const talk = findMachineTalk(turn.history, turn.conversation.phrasesThrough)
  const facts = talk && {
    machineSign: talk.sign,
    inARow: talk.inARow,
    withinSeconds: Math.round(talk.withinMs / 100) / 10,
  }
  if (trace.gate('machine_talk', talk === null, facts ?? {})) return null
  return { reason: 'machine_talk', notice: '', handoff: 'machine_talk' }
}

/**
 * The first sign that the newest exchanges show, or null.
 *
 * @param history oldest first
 * @param after sequence of the last message before the agent was resumed: a person has judged the messages up to it
 */
export function findMachineTalk(history: HistoryMessage[], after = 0): MachineTalk | null {
  const exchanges = exchangesOf(history.filter(({ sequence }) => sequence > after)).reverse()
  const [newest] = exchanges
  if (!newest) return null
  for (const { sign, inARow, matches } of RULES) {
    const other = exchanges.findIndex((exchange) => !matches(exchange, newest))
    const count = other < 0 ? exchanges.length : other
    if (count < inARow) continue
    return { sign, inARow: count, withinMs: Math.max(...exchanges.slice(0, count).map(({ gapMs }) => gapMs)) }
  }
  return null
}

/** The newest uninterrupted exchanges, oldest first. A sign of a person starts a new list. */
function exchangesOf(history: HistoryMessage[]): Exchange[] {
  let exchanges: Exchange[] = []
  let asked: HistoryMessage[] = []
  let own: HistoryMessage[] = []
  for (const message of history) {
    if (message.author === 'agent') asked.push(message)
    if (message.author === 'operator') {
      exchanges = []
      asked = []
      own = []
    }
    if (message.author !== 'customer') continue
    const isPersons = isByHand(message, asked) || message.speaker !== own.at(-1)?.speaker
    const before = own.at(-1)
    if (isPersons || isWrittenOn(message, asked, own)) exchanges = []
    else if (before) exchanges = added(exchanges, { message, asked, before })
    own = asked.length > 0 ? [message] : [...own, message]
    asked = []
  }
  return exchanges
}

function added(
  exchanges: Exchange[],
  { message, asked, before }: { message: HistoryMessage; asked: HistoryMessage[]; before: HistoryMessage },
): Exchange[] {
  const text = plain(message.text)
  const last = exchanges.at(-1)
  const newest = asked.at(-1)
  if (!newest) return last ? exchanges.with(-1, { ...last, text: `${last.text} ${text}`.trim() }) : exchanges
  const gapMs = Math.max(0, message.at - newest.at)
  const answered = plain(asked.map((each) => each.text).join(' '))
  const textBefore = plain(before.text)
  return [...exchanges, { text, answered, textBefore, gapMs, sinceOwnMs: message.at - before.at }]
}

/** Whether a customer writes again before they are answered, as only people do. */
function isWrittenOn(message: HistoryMessage, asked: HistoryMessage[], own: HistoryMessage[]): boolean {
  const [first] = own
  return asked.length === 0 && first !== undefined && message.at - first.at > TOGETHER_MS
}

/** Whether it is a button, a list number or a command: one press, however long its text is. */
function isByHand(message: HistoryMessage, asked: HistoryMessage[]): boolean {
  const choices = asked.flatMap((each) => each.choices ?? [])
  const text = message.text.trim()
  if (text.startsWith('/')) return true
  return choices.some((choice, at) => plain(choice) === plain(text) || text === String(at + 1))
}

function isUntyped({ text, gapMs, sinceOwnMs }: Exchange): boolean {
  const perSecond = (milliseconds: number) => (text.length * 1000) / Math.max(1, milliseconds)
  return perSecond(gapMs) > TYPED_PER_SECOND && perSecond(sinceOwnMs) > TYPED_PER_SECOND
}

/** A customer who repeats their own text does not echo an agent that has quoted it. */
function isEcho({ text, answered, textBefore }: Exchange): boolean {
  if (text === textBefore) return false
  return (answered.length >= 15 && text.includes(answered)) || (text.length >= 40 && answered.includes(text))
}

/** Normalises what channels change in transit: case, spacing, formatting marks. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_`~#>|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
