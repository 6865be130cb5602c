// The agent's return from a handoff in which no person wrote: a note tells the model that it had handed over and why, so that it does
// not hand over again for the same messages. What operators wrote meanwhile is added in handoff.stretch.ts.
import { isTakenOver } from '#server/domain/messaging/conversations/conversations.rules.ts'
import { unanswered } from '../turns/turn.rules.ts'
import type { HandoffFacts, HistoryMessage, Turn } from '../turns/turn.ts'
import { WHY } from './handoff.stretch.ts'

/** `phrasesThrough`: sequence of the last message before the agent was resumed. */
type ReturnFacts = Pick<HandoffFacts, 'handoffReason' | 'handoffNote'> & { phrasesThrough: number }

/** Whether a person was already called for every question of the turn, and the agent answers after all: they cause no second handoff. */
export function isTakenUpAgain({
  kind,
  history,
  conversation,
}: Pick<Turn, 'kind' | 'history' | 'conversation'>): boolean {
  const { phrasesThrough } = conversation
  const questions = unanswered({ history, conversation })
  return kind === 'reply' && wasCalled(conversation) && questions.every(({ sequence }) => sequence <= phrasesThrough)
}

/**
 * The messages for a model, with a note where the agent came back from its last handoff: before the first message since, or else before
 * the questions to answer now. Unchanged when a person wrote during that pause, or when the return is no longer in `kept`.
 *
 * @param kept oldest first; the questions to answer are the last ones
 * @param questions number of questions to answer
 */
export function withReturn(kept: HistoryMessage[], questions: number, facts: ReturnFacts): HistoryMessage[] {
  const newer = kept.findIndex(({ sequence }) => sequence > facts.phrasesThrough)
  const at = newer < 0 ? kept.length - questions : newer
  const last = kept[at - 1] ?? kept[at]
  if (!wasCalled(facts) || !last || newer === 0 || hasPersonAround(kept, at)) return kept
  const also = newer < 0 ? ', also in the next message' : ''
  const text = `[You had handed this conversation over to a person. Why: ${WHY[facts.handoffReason]}. Nobody has written to the customer since, and it is yours again: answer what is open. Calls for a person up to here${also} were passed on; hand over again only for something new.]`
  const data = facts.handoffNote ? [{ title: 'Your note for the colleague', text: facts.handoffNote }] : null
  const note: HistoryMessage = { ...last, author: 'operator', text, attachments: null }
  return kept.toSpliced(at, 0, data ? { ...note, data } : withoutData(note))
}

function withoutData({ data: _, ...note }: HistoryMessage): HistoryMessage {
  return note
}

function wasCalled<Facts extends Pick<HandoffFacts, 'handoffReason'>>(
  facts: Facts,
): facts is Facts & { handoffReason: NonNullable<HandoffFacts['handoffReason']> } {
  return facts.handoffReason !== null && !isTakenOver(facts.handoffReason)
}

/** Whether an operator wrote between the agent's answers before and after this place. */
function hasPersonAround(kept: HistoryMessage[], at: number): boolean {
  const from = kept.findLastIndex(({ author }, index) => index < at && author === 'agent')
  const to = kept.findIndex(({ author }, index) => index >= at && author === 'agent')
  return kept.slice(from + 1, to < 0 ? kept.length : to).some(({ author }) => author === 'operator')
}
