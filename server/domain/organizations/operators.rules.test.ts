// In which hours a member takes conversations, and who is next.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { type Candidate, chooseOperator, hoursStateAt } from './operators.rules.ts'

const none = (): number[][] => Array.from({ length: 7 }, () => [])
const at = (time: string) => Date.parse(time)

describe('hours', () => {
  it('never change for a member without hours, one who always works, and one who never works', () => {
    const always = none().map(() => Array.from({ length: 24 }, (_, hour) => hour))
    expect(hoursStateAt(null, 'UTC', 0)).toEqual({ isWithinHours: true, hoursChangeAt: null })
    expect(hoursStateAt(always, 'UTC', 0)).toEqual({ isWithinHours: true, hoursChangeAt: null })
    expect(hoursStateAt(none(), 'UTC', 0)).toEqual({ isWithinHours: false, hoursChangeAt: null })
  })

  it('begin and end by the clock of the organization, half hours of its zone included', () => {
    const monday = none().with(0, [9, 10])
    // Monday the 2nd of March 2026, 09:00 in India is 03:30 in UTC.
    const opening = at('2026-03-02T03:30:00Z')
    const closing = at('2026-03-02T05:30:00Z')
    expect(hoursStateAt(monday, 'Asia/Kolkata', opening - 1)).toEqual({ isWithinHours: false, hoursChangeAt: opening })
    expect(hoursStateAt(monday, 'Asia/Kolkata', opening)).toEqual({ isWithinHours: true, hoursChangeAt: closing })
    const nextWeek = opening + 7 * 24 * 3_600_000
    expect(hoursStateAt(monday, 'Asia/Kolkata', closing)).toEqual({ isWithinHours: false, hoursChangeAt: nextWeek })
  })

  it('follow a change of the clocks', () => {
    // Berlin goes from 02:00 to 03:00 on Sunday the 29th of March 2026.
    const sunday = none().with(6, [3])
    const opening = at('2026-03-29T01:00:00Z')
    expect(hoursStateAt(sunday, 'Europe/Berlin', at('2026-03-28T20:00:00Z')).hoursChangeAt).toBe(opening)
  })
})

describe('whose turn it is', () => {
  const candidate = (name: string, given: Partial<Candidate> = {}): Candidate => ({
    userId: name as Id<'users'>,
    name,
    capacity: 2,
    held: 0,
    lastAssignedAt: null,
    ...given,
  })
  const earlier = new Date(1000)
  const later = new Date(2000)

  it('is that of the member assigned longest ago, and first of those never assigned', () => {
    const both = [candidate('anna', { lastAssignedAt: later }), candidate('boris', { lastAssignedAt: earlier })]
    expect(chooseOperator(both, null)?.name).toBe('boris')
    expect(chooseOperator([...both, candidate('vera')], null)?.name).toBe('vera')
  })

  it('is never that of a member at capacity', () => {
    const full = candidate('anna', { held: 2 })
    expect(chooseOperator([full, candidate('boris', { lastAssignedAt: later })], null)?.name).toBe('boris')
    expect(chooseOperator([full], null)).toBeUndefined()
    expect(chooseOperator([full], full.userId)).toBeUndefined()
  })

  it('is that of the one whose conversation it was already, if they are free', () => {
    const anna = candidate('anna', { lastAssignedAt: later })
    expect(chooseOperator([anna, candidate('boris')], anna.userId)?.name).toBe('anna')
  })
})
