// Which messages are a rating, and which are a comment to one: only those that can be nothing else.
import { describe, expect, it } from 'vitest'
import { type Asked, commentOf, listsByNumber, mayAnswer, scoreOf } from './ratings.rules.ts'

const file = {
  kind: 'image',
  fileId: 'f',
  name: null,
  mimeType: null,
  sizeBytes: null,
  durationSeconds: null,
  text: null,
} as const
const asked: Asked = {
  questionId: 'q1',
  sentAt: 10_500,
  isFresh: true,
  isQuiet: true,
  isLast: true,
  isAfterList: false,
  thanksId: null,
}
const pressed = { externalMessageId: 'q1', answerId: 'a1' }

describe('a rating', () => {
  it.each(['1', '5', ' 3 ', '4\n'])('is a number alone: %j', (text) => {
    expect(scoreOf({ text }, asked)).toBe(Number(text))
  })

  it.each(['0', '6', '10', '5!', '5 звёзд', 'five', '4.5', '-1', '', '1 2', '٣'])('is nothing else: %j', (text) => {
    expect(scoreOf({ text }, asked)).toBeNull()
    expect(scoreOf({ text, repliesTo: 'q1' }, asked)).toBeNull()
  })

  it('is no picture with a number below it, no press, and no call for a person', () => {
    expect(scoreOf({ text: '5', attachments: [file] }, asked)).toBeNull()
    expect(scoreOf({ text: '5', callsPerson: true }, asked)).toBeNull()
    expect(scoreOf({ text: '5', pressed }, asked)).toBeNull()
  })

  it('is no forwarded number, and its comment is no forwarded text', () => {
    const forwarded = { from: 'Aliya', length: 1 }
    expect(scoreOf({ text: '5', forwarded }, asked)).toBeNull()
    expect(commentOf({ text: 'Good', repliesTo: 't1', forwarded }, { ...asked, thanksId: 't1' })).toBeNull()
  })

  it.each<[string, Partial<Asked>]>([
    ['that is not known to be sent', { questionId: null }],
    ['of long ago', { isFresh: false }],
    ['after which something else was begun', { isQuiet: false }],
  ])('is none to a question %s', (_, change) => {
    expect(scoreOf({ text: '5' }, { ...asked, ...change })).toBeNull()
    expect(scoreOf({ text: '5', repliesTo: 'q1' }, { ...asked, ...change })).toBeNull()
  })

  it.each<[string, Partial<Asked>]>([
    ['other words', { isLast: false }],
    ['a list by number', { isAfterList: true }],
  ])('replies to the question after %s', (_, change) => {
    expect(scoreOf({ text: '5' }, { ...asked, ...change })).toBeNull()
    expect(scoreOf({ text: '5', repliesTo: 'q1' }, { ...asked, ...change })).toBe(5)
  })

  it('is no number that replies to something else', () => {
    expect(scoreOf({ text: '5', repliesTo: 'q0' }, asked)).toBeNull()
    expect(scoreOf({ text: '5', quoted: 'How many?' }, asked)).toBeNull()
  })

  it('is no number that was written before the question was sent, to the second', () => {
    expect(scoreOf({ text: '5', sentAt: 9000 }, asked)).toBeNull()
    expect(scoreOf({ text: '5', sentAt: 10_000 }, asked)).toBe(5)
  })

  it('is looked for only where there may be one', () => {
    expect(mayAnswer({ text: 'Hello' }, false)).toBe(false)
    expect(mayAnswer({ text: '5' }, true)).toBe(false)
    expect(mayAnswer({ text: '5' }, false)).toBe(true)
    expect(mayAnswer({ text: 'Hello', repliesTo: 'q1' }, true)).toBe(true)
  })
})

it('a comment to a rating is a reply to the thanks, and nothing else', () => {
  const thanked = { ...asked, thanksId: 't1' }
  expect(commentOf({ text: ' Very quick ', repliesTo: 't1' }, thanked)).toBe('Very quick')
  expect(commentOf({ text: 'Very quick', repliesTo: 'q1' }, thanked)).toBeNull()
  expect(commentOf({ text: 'Very quick' }, thanked)).toBeNull()
  expect(commentOf({ text: 'Very quick', repliesTo: 't1' }, asked)).toBeNull()
  expect(commentOf({ text: ' ', repliesTo: 't1' }, thanked)).toBeNull()
  expect(commentOf({ text: 'Help', repliesTo: 't1', callsPerson: true }, thanked)).toBeNull()
})

it.each([
  ['Choose:\n1. Tea\n2. Coffee', true],
  ['1) Tea', true],
  ['3 - Coffee', true],
  ['We have 2 rooms.', false],
  ['It costs\n1.50 each', false],
])('a list by number is known: %j', (text, isOne) => {
  expect(listsByNumber(text)).toBe(isOne)
})
