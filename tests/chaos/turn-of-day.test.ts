// Over some days everything has had its turn, once.
import { expect, it } from 'vitest'
import { turnOfDay } from './turn-of-day.ts'

it('gives everything its turn', () => {
  const days = [0, 1, 2].map((day) => turnOfDay(['a', 'b', 'c', 'd'], 3, day * 24 * 3_600_000))
  expect(days).toEqual([['a', 'd'], ['b'], ['c']])
})
