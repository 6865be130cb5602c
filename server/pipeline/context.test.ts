// The conversation as the model reads it.
import { describe, expect, it } from 'vitest'
import { toChat } from './context.ts'
import type { HistoryMessage } from './turn.store.ts'

let sequence = 0
const said = (author: HistoryMessage['author'], text: string, status: HistoryMessage['status'] = 'complete') => ({
  sequence: sequence++,
  author,
  text,
  status,
})

describe('toChat', () => {
  it('joins what one side says in a row, and never counts people to the model', () => {
    const history = [
      said('customer', 'a'),
      said('customer', 'b'),
      said('agent', 'c'),
      said('agent', 'd'),
      said('operator', 'e'),
      said('customer', 'f'),
    ]
    expect(toChat(history, history.slice(-1))).toEqual([
      { role: 'user', text: 'a\n\nb' },
      { role: 'assistant', text: 'c\n\nd' },
      { role: 'user', text: 'e' },
      { role: 'user', text: 'f' },
    ])
  })

  it('puts what waits for an answer last, also when it came in before the answer to something else', () => {
    const history = [said('customer', 'first'), said('customer', 'second'), said('agent', 'to the first')]
    expect(toChat(history, history.slice(1, 2)).map((message) => message.text)).toEqual([
      'first',
      'to the first',
      'second',
    ])
  })

  it('leaves out what never reached the customer', () => {
    const history = [
      said('customer', 'a'),
      said('agent', '', 'failed'),
      said('agent', 'half', 'streaming'),
      said('customer', 'b'),
    ]
    expect(
      toChat(
        history,
        history.filter((message) => message.author === 'customer'),
      ),
    ).toEqual([{ role: 'user', text: 'a\n\nb' }])
  })

  it('drops the oldest when it grows too long, never the question', () => {
    const history = [
      said('customer', 'old '.repeat(5000)),
      said('agent', 'older answer'),
      said('customer', 'q'.repeat(30_000)),
    ]
    expect(toChat(history, history.slice(-1))).toEqual([{ role: 'user', text: 'q'.repeat(30_000) }])
    const short = [said('customer', 'old '.repeat(6000)), said('agent', 'answer'), said('customer', 'question')]
    expect(toChat(short, short.slice(-1)).map((message) => message.text)).toEqual(['answer', 'question'])
  })
})
