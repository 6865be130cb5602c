// The judge of the kill test must itself see every kind of harm.
import { describe, expect, it } from 'vitest'
import { type Evidence, judge } from './judge.ts'

const innocent: Evidence = {
  acknowledged: ['c1n1', 'c1n2'],
  sent: [
    { chatId: '1', text: 'Re: c1n1' },
    { chatId: '1', text: 'Re: c1n2' },
  ],
  stored: [
    { chatId: '1', author: 'customer', text: 'c1n1', sequence: 1 },
    { chatId: '1', author: 'customer', text: 'c1n2', sequence: 2 },
    { chatId: '1', author: 'agent', text: 'Re: c1n1', sequence: 3 },
    { chatId: '1', author: 'agent', text: 'Re: c1n2', sequence: 4 },
  ],
  parts: [
    { chatId: '1', text: 'Re: c1n1', status: 'sent' },
    { chatId: '1', text: 'Re: c1n2', status: 'sent' },
  ],
  turns: [
    { id: 'a', status: 'done', outcome: 'replied' },
    { id: 'b', status: 'done', outcome: 'replied' },
  ],
  counted: ['a', 'b'],
  passages: [
    { chatId: '1', token: 'c1n1', begunAt: 10, takenAt: 20 },
    { chatId: '1', token: 'c1n2', begunAt: 30, takenAt: 40 },
  ],
  isOrdered: true,
  poisons: 3,
  quarantined: 3,
  refusals: [],
  unknownAllowed: 1,
}
const [first, second] = innocent.sent as [Evidence['sent'][0], Evidence['sent'][0]]
/** The second message has overtaken the first in transit, and was answered first. */
const overtaken: Evidence = {
  ...innocent,
  isOrdered: false,
  sent: [second, first],
  stored: innocent.stored.map((message) => (message.text === 'c1n2' ? { ...message, sequence: 0 } : message)),
  passages: innocent.passages.map((passage) => ({ ...passage, begunAt: 10, takenAt: 40 })),
}

describe('the judge', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(judge(innocent)).toEqual([])
    const unknown = {
      ...innocent,
      parts: innocent.parts.map((part, index) => (index ? { ...part, status: 'unknown' } : part)),
    }
    expect(judge(unknown)).toEqual([])
    expect(judge({ ...unknown, sent: [first] })).toEqual([])
    expect(judge({ ...unknown, sent: [first, { ...second, isUnanswered: true }] })).toEqual([])
    const named = innocent.parts.map((part, index) => (index ? { ...part, externalMessageId: 'x' } : part))
    const asked = { ...innocent, parts: named, sent: [first, { ...second, isUnanswered: true, idMessage: 'x' }] }
    expect(judge(asked)).toEqual([])
    expect(judge({ ...asked, parts: innocent.parts }).join('\n')).toMatch(/sent without confirmation/)
  })

  it('allows messages to be reordered only when they were in transit at the same time', () => {
    expect(judge(overtaken)).toEqual([])
    expect(judge({ ...overtaken, isOrdered: true }).join('\n')).toMatch(/out of order/)
    expect(judge({ ...overtaken, sent: innocent.sent }).join('\n')).toMatch(/out of order/)
    expect(judge({ ...overtaken, passages: innocent.passages }).join('\n')).toMatch(/c1n2 before c1n1/)
  })

  it.each<[string, Partial<Evidence>, RegExp]>([
    ['a lost message', { stored: innocent.stored.slice(1) }, /lost: c1n1/],
    [
      'a doubled message',
      { stored: [...innocent.stored, { chatId: '1', author: 'customer', text: 'c1n1', sequence: 5 }] },
      /stored 2 times/,
    ],
    ['an unanswered message', { stored: innocent.stored.slice(0, 3) }, /answered 0 times: c1n2/],
    [
      'a message answered twice',
      { stored: [...innocent.stored, { chatId: '1', author: 'agent', text: 'c1n1', sequence: 5 }] },
      /answered 2 times/,
    ],
    ['a reply that never arrived', { sent: [first] }, /arrived 0 times though sent/],
    ['a reply that arrived twice', { sent: [first, first, second] }, /arrived 2 times though sent/],
    ['a reply that no agent wrote', { sent: [first, second, { chatId: '1', text: 'c1n3' }] }, /from nowhere/],
    [
      'a reply that is shown as sent without confirmation',
      { sent: [first, { ...second, isUnanswered: true }] },
      /sent without confirmation: Re: c1n2/,
    ],
    [
      'a message stored before one that was taken earlier',
      { stored: overtaken.stored },
      /stored before what came earlier: c1n2 before c1n1/,
    ],
    ['a notification that was not kept aside', { quarantined: 2 }, /2 notifications kept aside, 3/],
    ['a good message that was kept aside', { quarantined: 4 }, /4 notifications kept aside, 3/],
    ['a notification that was refused', { refusals: ['500: half of a JSON'] }, /refused: 500: half of a JSON/],
    ['replies in the wrong order', { sent: [second, first] }, /out of order/],
    [
      'a stuck turn',
      { turns: [...innocent.turns, { id: 'c', status: 'running', outcome: null }] },
      /turn c is running/,
    ],
    ['a stuck part', { parts: [{ chatId: '1', text: 'Re: c1n1', status: 'queued' }] }, /a part is queued/],
    ['a message counted twice', { counted: ['a', 'b', 'b'] }, /3 messages counted/],
    ['a message that was not counted', { counted: ['a'] }, /turn b was counted 0 times/],
    [
      'too much that is unknown',
      { parts: innocent.parts.map((part) => ({ ...part, status: 'unknown' })) },
      /2 sends of unknown/,
    ],
  ])('sees %s', (_, change, complaint) => {
    expect(judge({ ...innocent, ...change }).join('\n')).toMatch(complaint)
  })
})
