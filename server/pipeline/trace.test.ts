// What never stays in the record of a turn.
import { describe, expect, it } from 'vitest'
import { scrubText } from './trace.ts'

describe('scrubText', () => {
  it.each([
    ['the key sk-proj-Abc123_def456ghi789 works', 'the key ••• works'],
    ['gsk_abcdefghij0123456789', '•••'],
    ['bot 123456789:AAH0123456789abcdefghijklmnopqrstuv sends', 'bot ••• sends'],
    ['Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc', 'Authorization: Bearer •••'],
  ])('takes the secret out of %j', (text, expected) => {
    expect(scrubText(text)).toBe(expected)
  })

  it.each([
    'Order 123456 of 12:30 is ready',
    'a risk-free task-oriented pk-list',
    'bearer of good news',
    'https://example.com/sk-lessons',
  ])('leaves %j as it is', (text) => {
    expect(scrubText(text)).toBe(text)
  })
})
