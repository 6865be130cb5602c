// Which messages are a rating, and which may be what is said to one.
import { describe, expect, it } from 'vitest'
import { commentOf, scoreOf } from './ratings.rules.ts'

const file = {
  kind: 'image',
  fileId: 'f',
  name: null,
  mimeType: null,
  sizeBytes: null,
  durationSeconds: null,
  text: null,
} as const

describe('a rating', () => {
  it.each(['1', '5', ' 3 ', '4\n'])('is a number alone: %j', (text) => {
    expect(scoreOf({ text })).toBe(Number(text))
  })

  it.each(['0', '6', '10', '5!', '5 звёзд', 'five', '4.5', '-1', '', '1 2', '٣'])('is nothing else: %j', (text) => {
    expect(scoreOf({ text })).toBeNull()
  })

  it('is no picture with a number below it, and no call for a person', () => {
    expect(scoreOf({ text: '5', attachments: [file] })).toBeNull()
    expect(scoreOf({ text: '5', callsPerson: true })).toBeNull()
  })
})

describe('what is said to a rating', () => {
  it('is words, and no question', () => {
    expect(commentOf({ text: ' Very quick ' })).toBe('Very quick')
    expect(commentOf({ text: 'And where is my order?' })).toBeNull()
    expect(commentOf({ text: 'Look', attachments: [file] })).toBeNull()
    expect(commentOf({ text: ' ' })).toBeNull()
  })
})
