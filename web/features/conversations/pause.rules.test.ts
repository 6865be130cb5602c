// Which pauses are offered, how long they are, and what the clock shows.
import { describe, expect, it } from 'vitest'
import { AUTO_RESUME_MAX_MS, AUTO_RESUME_PRESETS_MS } from '#shared/limits.ts'
import { countdownText, lengthOf, offeredTimes } from './pause.rules.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('the times that are offered', () => {
  it("begin with the agent's own, which is offered once", () => {
    expect(offeredTimes(null)).toEqual(AUTO_RESUME_PRESETS_MS)
    expect(offeredTimes(45 * MINUTE)).toEqual([45 * MINUTE, ...AUTO_RESUME_PRESETS_MS])
    expect(offeredTimes(HOUR).filter((time) => time === HOUR)).toHaveLength(1)
    expect(offeredTimes(HOUR)[0]).toBe(HOUR)
  })
})

describe('the length of a pause', () => {
  it.each([
    ['by-hand', null, undefined],
    [`${HOUR}`, null, HOUR],
    ['custom', 90 * MINUTE, 90 * MINUTE],
    ['custom', AUTO_RESUME_MAX_MS, AUTO_RESUME_MAX_MS],
    ['custom', AUTO_RESUME_MAX_MS + 1, null],
    ['custom', MINUTE - 1, null],
    ['custom', Number.NaN, null],
    ['custom', null, null],
  ] as const)('chosen as %s with %s is %s', (choice, custom, expected) => {
    expect(lengthOf(choice, custom)).toBe(expected)
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
