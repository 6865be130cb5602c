// Lengths of pauses in words and on the clock.
import { describe, expect, it } from 'vitest'
import { countdownText, durationText, PAUSE_CHOICES } from './pause.rules.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('the length of a pause', () => {
  it.each([
    [MINUTE, 'en', '1 minute'],
    [30 * MINUTE, 'en', '30 minutes'],
    [HOUR, 'en', '1 hour'],
    [24 * HOUR, 'en', '1 day'],
    [72 * HOUR, 'en', '3 days'],
    [168 * HOUR, 'en', '1 week'],
    [5 * MINUTE, 'ru', '5 минут'],
    [2 * HOUR, 'ru', '2 часа'],
  ])('of %d ms in %s is %s', (milliseconds, locale, text) => {
    expect(durationText(milliseconds, locale)).toBe(text)
  })

  it('has a different text for each preset', () => {
    const texts = PAUSE_CHOICES.map((choice) => choice && durationText(choice, 'ru'))
    expect(new Set(texts).size).toBe(PAUSE_CHOICES.length)
  })
})

describe('the countdown', () => {
  it.each([
    [0, '0:00'],
    [-5000, '0:00'],
    [1, '0:01'],
    [65_000, '1:05'],
    [HOUR + 2 * MINUTE + 30_000, '1:02:30'],
  ])('%d ms before the end shows %s', (left, text) => {
    expect(countdownText(1_000_000 + left, 1_000_000)).toBe(text)
  })
})
