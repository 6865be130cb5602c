// The clock on the wall of an organization and the moment it means, wherever the browser is.
import { describe, expect, it } from 'vitest'
import { localMoment, momentFrom } from './local-moment.ts'

describe('the clock on the wall', () => {
  it.each([
    ['2026-03-01T09:30', 'Asia/Almaty', '2026-03-01T04:30:00Z'],
    ['2026-07-15T00:00', 'America/New_York', '2026-07-15T04:00:00Z'],
    ['2026-12-31T23:59', 'UTC', '2026-12-31T23:59:00Z'],
    ['2026-03-29T01:30', 'Europe/Berlin', '2026-03-29T00:30:00Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
    ['2026-10-25T12:00', 'Europe/Berlin', '2026-10-25T11:00:00Z'],
  ])('%s in %s is %s, and back', (text, timeZone, moment) => {
    const at = momentFrom(text, timeZone)
    expect(at).toBe(Date.parse(moment))
    expect(localMoment(at ?? 0, timeZone)).toBe(text)
  })

  it('leaves an hour out when it is set forward: that is the one after it', () => {
    const at = momentFrom('2026-03-29T02:30', 'Europe/Berlin') ?? 0
    expect(localMoment(at, 'Europe/Berlin')).toBe('2026-03-29T03:30')
  })

  it('is nothing while the field is incomplete', () => {
    expect(momentFrom('', 'UTC')).toBeUndefined()
    expect(momentFrom('2026-', 'UTC')).toBeUndefined()
    expect(momentFrom('2026-13-40T25:61', 'UTC')).toBeUndefined()
  })
})
