// What the clock of a pause shows.
import { expect, it } from 'vitest'
import { countdownText } from './countdown.ts'

it.each([
  [0, '0:00'],
  [-5000, '0:00'],
  [1, '0:01'],
  [65_000, '1:05'],
  [3_750_000, '1:02:30'],
])('%d ms before the end it shows %s', (left, text) => {
  expect(countdownText(1_000_000 + left, 1_000_000)).toBe(text)
})
