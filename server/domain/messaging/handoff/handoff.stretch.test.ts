// Human stretches as the model receives them.
import { describe, expect, it } from 'vitest'
import type { HandoffFacts, HistoryMessage } from '../turns/turn.ts'
import { findUnsummarised, STRETCH_TOKENS, withHumanStretches } from './handoff.stretch.ts'

const facts: HandoffFacts = { handoffReason: null, handoffNote: null, stretchSummary: null, stretchThrough: 0 }
const LONG = 'long '.repeat(STRETCH_TOKENS)

function history(...lines: [HistoryMessage['author'], string][]): HistoryMessage[] {
  return lines.map(([author, text], at) => ({ sequence: at + 1, author, status: 'complete', text })) as HistoryMessage[]
}

describe('a conversation in which only the agent spoke', () => {
  it('stays as it is', () => {
    const messages = history(['customer', 'a'], ['agent', 'b'], ['system', ''], ['customer', 'c'])
    expect(withHumanStretches(messages, facts)).toEqual(messages)
    expect(findUnsummarised(messages, facts)).toBeNull()
  })
})

describe('a human stretch', () => {
  const messages = history(
    ['customer', 'operator!'],
    ['operator', 'Hello, Olga here.'],
    ['customer', 'Is it ready?'],
    ['system', 'a line for the team'],
    ['operator', 'Tomorrow.'],
    ['customer', 'And the price?'],
  )

  it('is one message of an operator with the words of both, up to the last of the operator', () => {
    const result = withHumanStretches(messages, facts)
    expect(result.map(({ author }) => author)).toEqual(['customer', 'operator', 'customer'])
    expect(result[1]?.data).toEqual([
      {
        title: 'What was said while you were silent',
        text: 'Operator: Hello, Olga here.\nCustomer: Is it ready?\nOperator: Tomorrow.',
      },
    ])
    expect(result[1]?.text).not.toContain('Tomorrow.')
    expect(result[2]).toBe(messages[5])
  })

  it('has the reason for the pause, and the agent’s note', () => {
    const result = withHumanStretches(messages, {
      ...facts,
      handoffReason: 'missing_knowledge',
      handoffNote: 'Wants a date',
    })
    expect(result[1]?.text).toContain('Why: you did not know the answer.')
    expect(result[1]?.data?.[0]).toEqual({ title: 'Your note for the colleague', text: 'Wants a date' })
  })

  it('ends with an answer of the agent; only the last one has the reason', () => {
    const twice = history(
      ['operator', 'first'],
      ['agent', 'answer'],
      ['customer', 'more'],
      ['operator', 'second'],
      ['customer', 'thanks'],
    )
    const result = withHumanStretches(twice, { ...facts, handoffReason: 'policy' })
    expect(result.map(({ author }) => author)).toEqual(['operator', 'agent', 'customer', 'operator', 'customer'])
    expect(result[0]?.text).not.toContain('Why:')
    expect(result[3]?.text).toContain('Why: your instructions leave the matter to people.')
  })

  it('is not ended by an answer that never was', () => {
    const failed = history(['operator', 'first'], ['agent', ''], ['operator', 'second'])
    expect(withHumanStretches(failed, facts)).toHaveLength(1)
  })
})

describe('a long human stretch', () => {
  const messages = history(['customer', 'a'], ['operator', LONG], ['operator', 'The end.'])

  it('waits for a summary, once', () => {
    expect(findUnsummarised(messages, facts)).toMatchObject({
      through: 3,
      text: expect.stringContaining('Operator: long'),
    })
    expect(findUnsummarised(messages, { ...facts, stretchSummary: 'Short.', stretchThrough: 3 })).toBeNull()
    expect(findUnsummarised(messages, { ...facts, stretchSummary: 'Older.', stretchThrough: 2 })).not.toBeNull()
  })

  it('is replaced by its summary', () => {
    const result = withHumanStretches(messages, {
      ...facts,
      stretchSummary: 'Olga promised a refund.',
      stretchThrough: 3,
    })
    expect(result[1]?.data).toEqual([
      { title: 'What was said while you were silent, in short', text: 'Olga promised a refund.' },
    ])
  })

  it('is replaced by its end as long as there is no summary', () => {
    const text = withHumanStretches(messages, facts)[1]?.data?.[0]?.text ?? ''
    expect(text).toContain('Operator: The end.')
    expect(text.length).toBeLessThan(LONG.length)
  })
})
