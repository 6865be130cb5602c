// The way back when nobody has written meanwhile: the agent is told that it had handed over and why, and does not do so again for the
// same words. What people have said is told in handoff.stretch.ts.
import { isTakenOver } from '#server/domain/messaging/conversations/conversations.rules.ts'
import { unanswered } from '../turns/reply/guards/unanswered.rules.ts'
import type { HandoffFacts, HistoryMessage, Turn } from '../turns/turn.ts'
import { WHY } from './handoff.stretch.ts'

/** `phrasesThrough`: sequence of the last message before the agent began to speak again. */
type ReturnFacts = Pick<HandoffFacts, 'handoffReason' | 'handoffNote'> & { phrasesThrough: number }

/** Whether a person was called to everything that the turn is about, and the agent answers after all: nobody is called to it once more. */
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
 * What a model is given, with a note where the agent came back from its last handoff: before what was said since, or else before what it
 * is to answer now. Nothing changes where a person has written in that silence, or where it lies too far back.
 *
 * @param kept oldest first, what is to be answered last
 * @param questions how many are to be answered
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

/** Whether a person has written between the answers of the agent before and after this place. */
function hasPersonAround(kept: HistoryMessage[], at: number): boolean {
  const from = kept.findLastIndex(({ author }, index) => index < at && author === 'agent')
  const to = kept.findIndex(({ author }, index) => index >= at && author === 'agent')
  return kept.slice(from + 1, to < 0 ? kept.length : to).some(({ author }) => author === 'operator')
}
