// The agent's return after operators wrote while it was paused: their messages as data for the model, not as its own words.
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import type { PauseReason } from '#shared/messaging/conversations.ts'
import type { HandoffFacts, HistoryMessage } from '../turns/turn.ts'

/** Stretches of up to this many tokens are passed to the model verbatim; longer ones are summarised. */
export const STRETCH_TOKENS = 800
/** Characters per token: a conservative estimate for Russian and English. */
const CHARACTERS_PER_TOKEN = 3

/** Messages of operators and customers between two answers of the agent: from the operator's first message to the last. */
export type Stretch = { from: number; to: number; text: string; through: number }

/** Why the agent was paused, in words for the model. */
export const WHY: Record<PauseReason, string> = {
  operator: 'a colleague chose to answer',
  operator_reply: 'a colleague chose to answer',
  operator_elsewhere: 'a colleague chose to answer',
  operator_phrase: 'a colleague chose to answer',
  customer_request: 'the customer asked for a person',
  customer_stop: 'the customer wanted no answers from you',
  missing_knowledge: 'you did not know the answer',
  tool_failure: 'something did not work',
  policy: 'your instructions leave the matter to people',
  promise: 'you promised that somebody would see to it',
  guard: 'you are to leave the matter to people',
  model_failure: 'you could not be reached',
  availability: 'it was outside of your hours',
  limit: 'you had reached a limit',
  machine_talk: 'the messages came as fast as only a machine writes',
}

/**
 * The conversation with each human stretch as one operator message: its text explains the stretch, and its data holds what was written
 * in it, so that a customer cannot fake a colleague's words. All other messages are passed through as the same objects.
 *
 * @param history oldest first
 */
export function withHumanStretches(history: HistoryMessage[], facts: HandoffFacts): HistoryMessage[] {
  const stretches = findStretches(history)
  const last = stretches.at(-1)
  return history.flatMap((message, at) => {
    const stretch = stretches.find(({ from, to }) => from <= at && at <= to)
    if (!stretch) return [message]
    if (at !== stretch.to) return []
    return [toStretchMessage(message, stretch, stretch === last ? facts : null)]
  })
}

/** The last human stretch when it is too long to be passed verbatim and has no summary yet; else null. */
export function findUnsummarised(history: HistoryMessage[], facts: HandoffFacts): Stretch | null {
  const last = findStretches(history).at(-1)
  return last && isLong(last) && facts.stretchThrough !== last.through ? last : null
}

function findStretches(history: HistoryMessage[]): Stretch[] {
  const spans: { from: number; to: number }[] = []
  let isOpen = false
  for (const [at, { author, text }] of history.entries()) {
    const last = spans.at(-1)
    if (author === 'agent' && text.trim() !== '') isOpen = false
    if (author !== 'operator') continue
    if (isOpen && last) last.to = at
    else spans.push({ from: at, to: at })
    isOpen = true
  }
  return spans.map(({ from, to }) => toStretch(history, from, to))
}

function toStretch(history: HistoryMessage[], from: number, to: number): Stretch {
  const lines = history
    .slice(from, to + 1)
    .filter(({ author, text }) => (author === 'operator' || author === 'customer') && text.trim() !== '')
    .map(({ author, text }) => `${author === 'operator' ? 'Operator' : 'Customer'}: ${text}`)
  return { from, to, text: lines.join('\n'), through: history[to]?.sequence ?? 0 }
}

function isLong({ text }: Stretch): boolean {
  return text.length > STRETCH_TOKENS * CHARACTERS_PER_TOKEN
}

function toStretchMessage(message: HistoryMessage, stretch: Stretch, facts: HandoffFacts | null): HistoryMessage {
  const why = facts?.handoffReason ? ` Why: ${WHY[facts.handoffReason]}.` : ''
  const text = `[A colleague took over here, and you were silent.${why} What follows was said by people, not by you. Then you answer again: keep to what the colleague has said, and do not repeat it.]`
  const note = facts?.handoffNote ? [{ title: 'Your note for the colleague', text: facts.handoffNote }] : []
  return { ...message, text, data: [...note, contentOf(stretch, facts)] }
}

function contentOf(stretch: Stretch, facts: HandoffFacts | null): DataBlock {
  const title = 'What was said while you were silent'
  if (!isLong(stretch)) return { title, text: stretch.text }
  const summary = facts?.stretchThrough === stretch.through ? facts.stretchSummary : null
  // Without a summary, keep the end: the customer is most likely to refer to it.
  return summary
    ? { title: `${title}, in short`, text: summary }
    : { title: `${title}, its end`, text: stretch.text.slice(-STRETCH_TOKENS * CHARACTERS_PER_TOKEN).toWellFormed() }
}
