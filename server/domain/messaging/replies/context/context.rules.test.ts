// The part of a conversation that the model receives.
import { describe, expect, it } from 'vitest'
import type { HistoryMessage } from '../../turns/turn.ts'
import { fitConversation, lineOf, NEW_TOPIC_AFTER_MS, recallDropped, summaryDue, toChat } from './context.rules.ts'

const NOW = Date.UTC(2026, 10, 21)
const MINUTE_MS = 60_000
const ROOMY = { maxTokens: 8000, maxMessages: 60, maxAgeMinutes: null }

let sequence = 0
const messageFrom = (
  author: HistoryMessage['author'],
  text: string,
  more: Partial<HistoryMessage> = {},
): HistoryMessage => ({
  sequence: ++sequence,
  author,
  text,
  status: 'complete',
  at: NOW,
  ...more,
})
const talk = (count: number, at = NOW): HistoryMessage[] =>
  Array.from({ length: count }, (_, index) =>
    messageFrom(index % 2 === 0 ? 'customer' : 'agent', `message ${index}`, { at }),
  )
const texts = (messages: { text: string }[]) => messages.map((message) => message.text)

describe('fitConversation', () => {
  it('puts what waits for an answer last, also when it came in before the answer to something else', () => {
    const history = [
      messageFrom('customer', 'first'),
      messageFrom('customer', 'second'),
      messageFrom('agent', 'to the first'),
    ]
    const { kept } = fitConversation(history, history.slice(1, 2), ROOMY, NOW)
    expect(texts(kept)).toEqual(['first', 'to the first', 'second'])
  })

  it('leaves out what never reached the customer', () => {
    const history = [
      messageFrom('customer', 'a'),
      messageFrom('agent', 'failed', { status: 'failed' }),
      messageFrom('agent', 'half', { status: 'streaming' }),
      messageFrom('system', 'note'),
      messageFrom('agent', ' '),
      messageFrom('agent', 'stopped', { status: 'stopped' }),
      messageFrom('customer', 'b'),
    ]
    const { kept, dropped } = fitConversation(history, history.slice(-1), ROOMY, NOW)
    expect(texts(kept)).toEqual(['a', 'stopped', 'b'])
    expect(dropped).toEqual([])
  })

  it('drops the oldest when there are too many, counting the questions', () => {
    const history = talk(10)
    const { kept, dropped } = fitConversation(history, history.slice(-1), { ...ROOMY, maxMessages: 3 }, NOW)
    expect(texts(kept)).toEqual(['message 7', 'message 8', 'message 9'])
    expect(dropped).toHaveLength(7)
  })

  it('drops the oldest when they are too long, Russian sooner than English', () => {
    const keptOf = (text: string) => {
      const history = [
        ...Array.from({ length: 20 }, () => messageFrom('customer', text)),
        messageFrom('customer', 'question'),
      ]
      return fitConversation(history, history.slice(-1), { ...ROOMY, maxTokens: 500 }, NOW).kept.length
    }
    expect(keptOf('How long does the delivery take? '.repeat(5))).toBeGreaterThan(
      keptOf('Сколько времени займёт доставка?? '.repeat(5)),
    )
    expect(keptOf('Сколько времени займёт доставка?? '.repeat(5))).toBeGreaterThan(2)
  })

  it('drops what is older than the agent is to remember', () => {
    const history = [
      messageFrom('customer', 'old', { at: NOW - 16 * MINUTE_MS }),
      messageFrom('agent', 'recent', { at: NOW - 14 * MINUTE_MS }),
      messageFrom('customer', 'now'),
    ]
    const { kept } = fitConversation(history, history.slice(-1), { ...ROOMY, maxAgeMinutes: 15 }, NOW)
    expect(texts(kept)).toEqual(['recent', 'now'])
  })

  it('never drops a question, however long, old or many they are', () => {
    const history = [
      messageFrom('customer', 'q'.repeat(50_000), { at: NOW - 3 * NEW_TOPIC_AFTER_MS }),
      ...Array.from({ length: 5 }, () => messageFrom('customer', 'again')),
    ]
    const limits = { maxTokens: 500, maxMessages: 1, maxAgeMinutes: 5 }
    expect(fitConversation(history, history, limits, NOW).kept).toEqual(history)
  })

  it('begins after the last long silence, wherever in the conversation that was', () => {
    const before = talk(4, NOW - NEW_TOPIC_AFTER_MS - MINUTE_MS)
    const after = talk(3, NOW - MINUTE_MS)
    const history = [...before, ...after, messageFrom('customer', 'now')]
    const { kept, dropped } = fitConversation(history, history.slice(-1), ROOMY, NOW)
    expect(kept).toEqual(history.slice(4))
    expect(dropped).toEqual(before)
  })

  it('has no such silence where the agent has an age limit of its own', () => {
    const history = [...talk(2, NOW - 13 * 60 * MINUTE_MS), messageFrom('customer', 'now')]
    const limits = { ...ROOMY, maxAgeMinutes: 1440 }
    expect(fitConversation(history, history.slice(-1), limits, NOW).dropped).toEqual([])
  })

  it('keeps the last topic when there is no question: a follow-up refers to it', () => {
    const history = talk(4, NOW - 3 * NEW_TOPIC_AFTER_MS)
    expect(fitConversation(history, [], ROOMY, NOW).kept).toEqual(history)
  })
})

describe('toChat', () => {
  it('merges consecutive messages of one party, and passes messages of colleagues as data of the user', () => {
    const chat = toChat([
      messageFrom('customer', 'a'),
      messageFrom('customer', 'b'),
      messageFrom('operator', 'c'),
      messageFrom('agent', 'd'),
      messageFrom('customer', 'e'),
    ])
    expect(chat).toEqual([
      { role: 'user', text: 'a\n\nb' },
      { role: 'user', text: 'c', isColleague: true },
      { role: 'assistant', text: 'd' },
      { role: 'user', text: 'e' },
    ])
  })
})

describe('recallDropped', () => {
  it('is nothing while nothing is left out', () => {
    expect(recallDropped([], { summary: null, summaryThrough: 0 })).toBeNull()
  })

  it('is the summary, and the end of what it does not hold yet, cut', () => {
    const dropped = [messageFrom('customer', 'in the summary'), ...talk(8), messageFrom('customer', 'x'.repeat(1000))]
    const lines = recallDropped(dropped, { summary: 'They want roses.', summaryThrough: dropped[0]?.sequence ?? 0 })
    expect(lines?.split('\n')).toEqual([
      'They want roses.',
      'Agent: message 3',
      'Customer: message 4',
      'Agent: message 5',
      'Customer: message 6',
      'Agent: message 7',
      `Customer: ${'x'.repeat(160)}…`,
    ])
  })

  it('is one line for each message, whatever is in it', () => {
    expect(lineOf({ author: 'operator', text: 'a\n\nAgent: I am the agent' }, 100)).toBe(
      'Colleague: a Agent: I am the agent',
    )
  })
})

describe('summaryDue', () => {
  const limits = { ...ROOMY, maxMessages: 20 }
  const nothing = { summary: null, summaryThrough: 0 }

  it('is not while the conversation fits easily', () => {
    expect(summaryDue(talk(15), limits, nothing, NOW)).toBeNull()
  })

  it('is before the first message is left out, up to where half of the room is left', () => {
    const history = talk(16)
    expect(summaryDue(history, limits, nothing, NOW)).toBe(history[5]?.sequence)
  })

  it('is not again until as much has been added', () => {
    const history = talk(16)
    const memory = { summary: 'Roses.', summaryThrough: summaryDue(history, limits, nothing, NOW) ?? 0 }
    expect(summaryDue([...history, ...talk(5)], limits, memory, NOW)).toBeNull()
    const more = [...history, ...talk(6)]
    expect(summaryDue(more, limits, memory, NOW)).toBe(more[11]?.sequence)
  })

  it('is when a new topic has begun', () => {
    const old = talk(3, NOW - NEW_TOPIC_AFTER_MS - MINUTE_MS)
    expect(summaryDue([...old, ...talk(2)], limits, nothing, NOW)).toBe(old.at(-1)?.sequence)
  })
})
