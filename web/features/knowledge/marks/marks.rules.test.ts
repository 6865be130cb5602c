// From days to instants and back.
import { describe, expect, it } from 'vitest'
import { validityAt } from '#shared/knowledge/knowledge-marks.ts'
import { fromDays, toDays } from './marks.rules.ts'

const HOUR_MS = 3_600_000

describe('the days in which a source is found', () => {
  it.each([
    { first: '2026-03-01', last: '2026-03-31' },
    { first: '2026-10-25', last: '2026-10-25' },
    { first: '', last: '2026-12-31' },
    { first: '2026-01-01', last: '' },
    { first: '', last: '' },
  ])('come back as they were chosen: %o', (days) => {
    expect(toDays(fromDays(days))).toEqual(days)
  })

  it('count to the end of the last one', () => {
    const marks = { tags: [], ...fromDays({ first: '2026-03-01', last: '2026-03-31' }) }
    const at = (month: number, day: number, hour: number) => new Date(2026, month - 1, day, hour).getTime()
    expect(validityAt(marks, at(3, 31, 23))).toBe('valid')
    expect(validityAt(marks, at(4, 1, 0))).toBe('expired')
    expect(validityAt(marks, at(3, 1, 0))).toBe('valid')
    expect(validityAt(marks, at(3, 1, 0) - HOUR_MS)).toBe('waiting')
  })
})
