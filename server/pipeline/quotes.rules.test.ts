// What a model is told of replies and of groups.
import { describe, expect, it } from 'vitest'
import { withQuotes } from './quotes.rules.ts'

const message = { sequence: 1, author: 'customer' as const, status: 'complete' as const, text: 'And this one?', at: 0 }

describe('withQuotes', () => {
  it('gives what is replied to as data, and searches by both', () => {
    const [told] = withQuotes([{ ...message, quoted: 'The red kettle' }])
    expect(told).toMatchObject({ text: 'And this one?', subject: 'The red kettle\nAnd this one?' })
    expect(told?.data).toMatchObject([{ text: 'The red kettle' }])
  })

  it('keeps what else came with the message', () => {
    const picture = { title: 'What the attached picture shows', text: 'A kettle' }
    const [told] = withQuotes([{ ...message, subject: 'A kettle', data: [picture], quoted: 'Which one?' }])
    expect(told?.subject).toBe('Which one?\nA kettle')
    expect(told?.data?.map(({ text }) => text)).toEqual(['A kettle', 'Which one?'])
  })

  it('names who of a group speaks, and searches without the name', () => {
    const [told] = withQuotes([{ ...message, speaker: 'Anna' }])
    expect(told).toMatchObject({ text: 'Anna: And this one?', subject: 'And this one?' })
  })

  it('leaves everything else as it is', () => {
    expect(withQuotes([message])).toEqual([message])
  })
})
