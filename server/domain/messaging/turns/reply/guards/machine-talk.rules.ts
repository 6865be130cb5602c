// Whether a machine writes in a customer's place, such as the auto-reply of another bot: two of them would answer each other without
// end. Judged by the clock of the messages as they were taken and stored, and only by what no person can do time after time. Decisions only.
import type { Refusal } from '../../outcome.ts'
import type { TraceRecorder } from '../../trace.ts'
import type { HistoryMessage, Turn } from '../../turn.ts'

/**
 * `same_text`: the same words back again and again. `echo`: our own words back. `too_fast`: texts that nobody can have typed in the time.
 * `ping_pong`: an answer to each of ours as soon as it is there.
 */
export type MachineSign = 'same_text' | 'echo' | 'too_fast' | 'ping_pong'

/** `inARow`: exchanges that show the sign. `withinMs`: the slowest of their replies. */
export type MachineTalk = { sign: MachineSign; inARow: number; withinMs: number }

/** What a customer has said to what the agent had said before. */
type Exchange = {
  /** Both in plain form. */
  said: string
  answered: string
  /** What the customer had said before that. */
  saidBefore: string
  /** From the agent's message to the customer's. */
  gapMs: number
  /** From the customer's message before: the most time that there was to type. */
  sinceOwnMs: number
}

type Rule = {
  sign: MachineSign
  /** So many in a row that no person does it by chance. */
  inARow: number
  matches(exchange: Exchange, newest: Exchange): boolean
}

/** More than the fastest typists make, characters a second; on a phone a third of it is fast. */
const TYPED_PER_SECOND = 12
/** Words that are sent together, such as an auto-reply of two messages; whoever writes on after that is taken for a person. */
const TOGETHER_MS = 1500

/**
 * What each sign takes. A person may paste, press, forward and dictate at once, but does not do so right after each answer: their
 * messages come at any moment between two answers, a machine's always at the same one.
 */
const RULES: Rule[] = [
  { sign: 'echo', inARow: 3, matches: (exchange) => exchange.gapMs <= 3000 && isEcho(exchange) },
  {
    sign: 'same_text',
    inARow: 4,
    matches: ({ said, gapMs }, newest) => gapMs <= 1500 && said.length >= 20 && said === newest.said,
  },
  {
    sign: 'same_text',
    inARow: 8,
    matches: ({ said, gapMs }, newest) => gapMs <= 60_000 && said.length >= 40 && said === newest.said,
  },
  {
    sign: 'too_fast',
    inARow: 6,
    matches: (exchange) => exchange.gapMs <= 1200 && exchange.said.length >= 25 && isUntyped(exchange),
  },
  {
    sign: 'too_fast',
    inARow: 12,
    matches: (exchange) => exchange.gapMs <= 3000 && exchange.said.length >= 80 && isUntyped(exchange),
  },
  { sign: 'ping_pong', inARow: 12, matches: ({ gapMs }) => gapMs <= 800 },
]

/** Refuses to answer a machine: the conversation is handed over, so that somebody sees it. Null: nothing speaks for one. */
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
 * @param after sequence of the last message before the agent began to speak again: what was before it has been judged by a person
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

/** The newest exchanges that nothing interrupts, oldest first. What only a person does begins a new list. */
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
  const said = plain(message.text)
  const last = exchanges.at(-1)
  const newest = asked.at(-1)
  if (!newest) return last ? exchanges.with(-1, { ...last, said: `${last.said} ${said}`.trim() }) : exchanges
  const gapMs = Math.max(0, message.at - newest.at)
  const answered = plain(asked.map(({ text }) => text).join(' '))
  const saidBefore = plain(before.text)
  return [...exchanges, { said, answered, saidBefore, gapMs, sinceOwnMs: message.at - before.at }]
}

/** Whether a customer goes on writing before they are answered, as only people do. */
function isWrittenOn(message: HistoryMessage, asked: HistoryMessage[], own: HistoryMessage[]): boolean {
  const [first] = own
  return asked.length === 0 && first !== undefined && message.at - first.at > TOGETHER_MS
}

/** A button, a number of a list or a command: one press, however long its text is. */
function isByHand({ text }: HistoryMessage, asked: HistoryMessage[]): boolean {
  const choices = asked.flatMap((message) => message.choices ?? [])
  const said = text.trim()
  if (said.startsWith('/')) return true
  return choices.some((choice, at) => plain(choice) === plain(said) || said === String(at + 1))
}

function isUntyped({ said, gapMs, sinceOwnMs }: Exchange): boolean {
  const perSecond = (milliseconds: number) => (said.length * 1000) / Math.max(1, milliseconds)
  return perSecond(gapMs) > TYPED_PER_SECOND && perSecond(sinceOwnMs) > TYPED_PER_SECOND
}

/** Whoever says the same again is not echoing an agent that has repeated their words. */
function isEcho({ said, answered, saidBefore }: Exchange): boolean {
  if (said === saidBefore) return false
  return (answered.length >= 15 && said.includes(answered)) || (said.length >= 40 && answered.includes(said))
}

/** Without what channels add or take away on the way: case, spacing, marks of formatting. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_`~#>|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
