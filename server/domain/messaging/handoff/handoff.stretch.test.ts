// What a model is told of the time in which people spoke.
import { describe, expect, it } from 'vitest'
import type { HandoffFacts, HistoryMessage } from '../turns/turn.ts'
import { findUnsummarised, STRETCH_TOKENS, withHumanStretches } from './handoff.stretch.ts'

const facts: HandoffFacts = { handoffReason: null, handoffNote: null, stretchSummary: null, stretchThrough: 0 }
const LONG = 'long '.repeat(STRETCH_TOKENS)

function history(...said: [HistoryMessage['author'], string][]): HistoryMessage[] {
  return said.map(([author, text], at) => ({ sequence: at + 1, author, status: 'complete', text })) as HistoryMessage[]
}

describe('a conversation in which only the agent spoke', () => {
  it('stays as it is', () => {
    const said = history(['customer', 'a'], ['agent', 'b'], ['system', ''], ['customer', 'c'])
    expect(withHumanStretches(said, facts)).toEqual(said)
    expect(findUnsummarised(said, facts)).toBeNull()
  })
})

describe('a human stretch', () => {
  const said = history(
    ['customer', 'operator!'],
    ['operator', 'Hello, Olga here.'],
    ['customer', 'Is it ready?'],
    ['system', 'a line for the team'],
    ['operator', 'Tomorrow.'],
    ['customer', 'And the price?'],
  )

  it('is one message of an operator with the words of both, up to the last of the operator', () => {
    const told = withHumanStretches(said, facts)
    expect(told.map(({ author }) => author)).toEqual(['customer', 'operator', 'customer'])
    expect(told[1]?.data).toEqual([
      {
        title: 'What was said while you were silent',
        text: 'Operator: Hello, Olga here.\nCustomer: Is it ready?\nOperator: Tomorrow.',
      },
    ])
    expect(told[1]?.text).not.toContain('Tomorrow.')
    expect(told[2]).toBe(said[5])
  })

  it('says why the agent was silent, and what it had noted', () => {
    const told = withHumanStretches(said, { ...facts, handoffReason: 'missing_knowledge', handoffNote: 'Wants a date' })
    expect(told[1]?.text).toContain('Why: you did not know the answer.')
    expect(told[1]?.data?.[0]).toEqual({ title: 'Your note for the colleague', text: 'Wants a date' })
  })

  it('ends with an answer of the agent; only the last one is told with the reason', () => {
    const twice = history(
      ['operator', 'first'],
      ['agent', 'answer'],
      ['customer', 'more'],
      ['operator', 'second'],
      ['customer', 'thanks'],
    )
    const told = withHumanStretches(twice, { ...facts, handoffReason: 'policy' })
    expect(told.map(({ author }) => author)).toEqual(['operator', 'agent', 'customer', 'operator', 'customer'])
    expect(told[0]?.text).not.toContain('Why:')
    expect(told[3]?.text).toContain('Why: your instructions leave the matter to people.')
  })

  it('is not ended by an answer that never was', () => {
    const failed = history(['operator', 'first'], ['agent', ''], ['operator', 'second'])
    expect(withHumanStretches(failed, facts)).toHaveLength(1)
  })
})

describe('a long human stretch', () => {
  const said = history(['customer', 'a'], ['operator', LONG], ['operator', 'The end.'])

  it('waits for a summary, once', () => {
    expect(findUnsummarised(said, facts)).toMatchObject({ through: 3, text: expect.stringContaining('Operator: long') })
    expect(findUnsummarised(said, { ...facts, stretchSummary: 'Short.', stretchThrough: 3 })).toBeNull()
    expect(findUnsummarised(said, { ...facts, stretchSummary: 'Older.', stretchThrough: 2 })).not.toBeNull()
  })

  it('is told by its summary', () => {
    const told = withHumanStretches(said, { ...facts, stretchSummary: 'Olga promised a refund.', stretchThrough: 3 })
    expect(told[1]?.data).toEqual([
      { title: 'What was said while you were silent, in short', text: 'Olga promised a refund.' },
    ])
  })

  it('is told by its end as long as there is none', () => {
    const text = withHumanStretches(said, facts)[1]?.data?.[0]?.text ?? ''
    expect(text).toContain('Operator: The end.')
    expect(text.length).toBeLessThan(LONG.length)
  })
})
