// How long a customer waited.
import { describe, expect, it } from 'vitest'
import { medianOf, waits } from './metrics.rules.ts'

describe('waits', () => {
  it('count from the first open question to the next answer, by the agent or by a person', () => {
    const messages = [
      { author: 'customer', at: 0 },
      { author: 'customer', at: 5 },
      { author: 'agent', at: 20 },
      { author: 'agent', at: 90 },
      { author: 'customer', at: 100 },
      { author: 'operator', at: 160 },
      { author: 'customer', at: 500 },
    ] as const
    expect(waits([...messages])).toEqual([20, 60])
    expect(waits([{ author: 'operator', at: 3 }])).toEqual([])
  })
})

describe('medianOf', () => {
  it.each([
    [[], null],
    [[7], 7],
    [[9, 1, 5], 5],
    [[1, 2, 10, 4], 3],
  ])('of %j is %j', (values, expected) => expect(medianOf(values)).toBe(expected))
})
