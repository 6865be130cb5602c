// The note for a model that resumes a conversation in which no person answered.
import { describe, expect, it } from 'vitest'
import type { HistoryMessage, Turn } from '../turns/turn.ts'
import { isTakenUpAgain, withReturn } from './handoff.return.ts'

const facts = { handoffReason: 'customer_request' as const, handoffNote: null, phrasesThrough: 2 }

function history(...lines: [HistoryMessage['author'], string][]): HistoryMessage[] {
  return lines.map(([author, text], at) => ({ sequence: at + 1, author, status: 'complete', text, at }))
}

const authors = (messages: HistoryMessage[]) => messages.map(({ author }) => author)

describe('a conversation that was resumed without a message of an operator', () => {
  const messages = history(
    ['customer', 'operator please'],
    ['agent', 'Somebody will come.'],
    ['customer', 'The price?'],
  )

  it('has the note with the reason before the messages since', () => {
    const result = withReturn(messages, 1, facts)
    expect(authors(result)).toEqual(['customer', 'agent', 'operator', 'customer'])
    expect(result[2]?.text).toContain('Why: the customer asked for a person. Nobody has written')
    expect(result[2]?.data).toBeUndefined()
  })

  it('has the note before the question when there are no messages since', () => {
    const [question, notice] = messages
    const result = withReturn([notice, question] as HistoryMessage[], 1, facts)
    expect(authors(result)).toEqual(['agent', 'operator', 'customer'])
    expect(result[1]?.text).toContain('also in the next message')
  })

  it('keeps the note once the agent has answered', () => {
    const later = [
      ...messages,
      ...history(['agent', ''], ['agent', ''], ['agent', ''], ['agent', 'Ten.'], ['customer', 'Ok']),
    ]
    expect(authors(withReturn(later, 1, facts)).indexOf('operator')).toBe(2)
  })

  it('has the agent’s own note as data', () => {
    const result = withReturn(messages, 1, { ...facts, handoffNote: 'Wants the price.' })
    expect(result[2]?.data).toEqual([{ title: 'Your note for the colleague', text: 'Wants the price.' }])
  })
})

describe('a conversation that stays unchanged', () => {
  it.each([
    ['when nothing was ever handed over', { ...facts, handoffReason: null }, history(['customer', 'a'])],
    ['when a person had taken it over', { ...facts, handoffReason: 'operator' as const }, history(['customer', 'a'])],
    [
      'when a person has written meanwhile',
      facts,
      history(['customer', 'a'], ['operator', 'I am here.'], ['customer', 'b']),
    ],
    ['when the handoff lies before all of it', { ...facts, phrasesThrough: 0 }, history(['customer', 'a'])],
  ])('%s', (_, given, messages) => {
    expect(withReturn(messages, 1, given)).toBe(messages)
  })
})

describe('a turn', () => {
  const turnOf = (answeredThrough: number, changes: object = {}) =>
    ({
      kind: 'reply',
      history: history(['customer', 'operator'], ['agent', 'Somebody will come.'], ['customer', 'The price?']),
      conversation: { ...facts, answeredThrough, ...changes },
    }) as unknown as Turn

  it('takes up again what a person was called to', () => {
    expect(isTakenUpAgain(turnOf(0, { phrasesThrough: 3 }))).toBe(true)
  })

  it('is about something new when there are messages since, or no person was called', () => {
    expect(isTakenUpAgain(turnOf(0))).toBe(false)
    expect(isTakenUpAgain(turnOf(2))).toBe(false)
    expect(isTakenUpAgain(turnOf(0, { phrasesThrough: 3, handoffReason: null }))).toBe(false)
  })
})
