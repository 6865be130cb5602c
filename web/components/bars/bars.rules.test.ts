// Heights of bars.
import { expect, it } from 'vitest'
import { barHeight } from './bars.rules.ts'

it('draws the tallest day full, and none lower than 6 percent', () => {
  expect([barHeight(50, 50), barHeight(25, 50), barHeight(1, 1000), barHeight(0, 50), barHeight(0, 0)]).toEqual([
    100, 50, 6, 6, 6,
  ])
})
