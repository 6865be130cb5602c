// Which pauses are offered, and how long they are.
import { describe, expect, it } from 'vitest'
import { AUTO_RESUME_MAX_MS, AUTO_RESUME_PRESETS_MS } from '#shared/limits.ts'
import { lengthOf, offeredTimes } from './pause.rules.ts'

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
