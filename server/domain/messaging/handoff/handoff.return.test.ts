// What a model is told when it takes a conversation up again to which nobody has come.
import { describe, expect, it } from 'vitest'
import type { HistoryMessage, Turn } from '../turns/turn.ts'
import { isTakenUpAgain, withReturn } from './handoff.return.ts'

const facts = { handoffReason: 'customer_request' as const, handoffNote: null, phrasesThrough: 2 }

function history(...said: [HistoryMessage['author'], string][]): HistoryMessage[] {
  return said.map(([author, text], at) => ({ sequence: at + 1, author, status: 'complete', text, at }))
}

const authors = (messages: HistoryMessage[]) => messages.map(({ author }) => author)

describe('a conversation that came back without a word of people', () => {
  const said = history(['customer', 'operator please'], ['agent', 'Somebody will come.'], ['customer', 'The price?'])

  it('says so before what was said since, with the reason', () => {
    const told = withReturn(said, 1, facts)
    expect(authors(told)).toEqual(['customer', 'agent', 'operator', 'customer'])
    expect(told[2]?.text).toContain('Why: the customer asked for a person. Nobody has written')
    expect(told[2]?.data).toBeUndefined()
  })

  it('says so before the question when nothing was said since', () => {
    const [question, notice] = said
    const told = withReturn([notice, question] as HistoryMessage[], 1, facts)
    expect(authors(told)).toEqual(['agent', 'operator', 'customer'])
    expect(told[1]?.text).toContain('also in the next message')
  })

  it('goes on saying so once the agent has answered', () => {
    const later = [
      ...said,
      ...history(['agent', ''], ['agent', ''], ['agent', ''], ['agent', 'Ten.'], ['customer', 'Ok']),
    ]
    expect(authors(withReturn(later, 1, facts)).indexOf('operator')).toBe(2)
  })

  it('holds what the agent had noted as data', () => {
    const told = withReturn(said, 1, { ...facts, handoffNote: 'Wants the price.' })
    expect(told[2]?.data).toEqual([{ title: 'Your note for the colleague', text: 'Wants the price.' }])
  })
})

describe('a conversation that is told as it is', () => {
  it.each([
    ['when nothing was ever handed over', { ...facts, handoffReason: null }, history(['customer', 'a'])],
    ['when a person had taken it over', { ...facts, handoffReason: 'operator' as const }, history(['customer', 'a'])],
    [
      'when a person has written meanwhile',
      facts,
      history(['customer', 'a'], ['operator', 'I am here.'], ['customer', 'b']),
    ],
    ['when the handoff lies before all of it', { ...facts, phrasesThrough: 0 }, history(['customer', 'a'])],
  ])('%s', (_, given, said) => {
    expect(withReturn(said, 1, given)).toBe(said)
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

  it('is about something new when anything was said since, or nobody was called', () => {
    expect(isTakenUpAgain(turnOf(0))).toBe(false)
    expect(isTakenUpAgain(turnOf(2))).toBe(false)
    expect(isTakenUpAgain(turnOf(0, { phrasesThrough: 3, handoffReason: null }))).toBe(false)
  })
})
