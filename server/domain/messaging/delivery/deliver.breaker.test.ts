// Circuit breaking for a provider that cannot be reached.
import { describe, expect, it } from 'vitest'
import { createBreaker } from './deliver.breaker.ts'

describe('the breaker', () => {
  it('lets everything through until five failures in a row, then one send every thirty seconds', () => {
    const breaker = createBreaker()
    for (let failure = 0; failure < 5; failure++) {
      expect(breaker.waitMs('a', 0)).toBe(0)
      breaker.failed('a', 0)
    }
    expect(breaker.waitMs('a', 1000)).toBe(29_000)
    expect(breaker.waitMs('b', 1000)).toBe(0)
    expect(breaker.waitMs('a', 30_000)).toBe(0)
    expect(breaker.waitMs('a', 30_001)).toBeGreaterThan(0)
  })

  it('resets its failures with the first success', () => {
    const breaker = createBreaker()
    for (let failure = 0; failure < 9; failure++) breaker.failed('a', 0)
    breaker.succeeded('a')
    breaker.failed('a', 0)
    expect(breaker.waitMs('a', 0)).toBe(0)
  })
})
