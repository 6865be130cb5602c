// When an alert is sent outside of Parley.
import { expect, it } from 'vitest'
import { defaultAlerts, isQuiet } from '#shared/organizations/alerts.ts'
import { outsideWays, retryAfterMs, undisturbedFrom } from './alerts.rules.ts'

const quietHours = { from: 22, to: 8 }

it.each([
  ['21:59 is before the quiet hours', 'Europe/Moscow', '2026-03-01T18:59:00Z', '2026-03-01T18:59:00Z'],
  ['22:00 waits for the morning', 'Europe/Moscow', '2026-03-01T19:00:00Z', '2026-03-02T05:00:00Z'],
  ['03:10 waits for the morning', 'Europe/Moscow', '2026-03-02T00:10:00Z', '2026-03-02T05:00:00Z'],
  ['half hours of a time zone count', 'Asia/Kolkata', '2026-03-01T20:10:00Z', '2026-03-02T02:30:00Z'],
  [
    'a night in which the clocks change is as long as it is',
    'Europe/Berlin',
    '2026-03-29T00:30:00Z',
    '2026-03-29T06:00:00Z',
  ],
])('%s', (_, timeZone, now, from) => {
  expect(new Date(undisturbedFrom({ quietHours, timeZone }, Date.parse(now)))).toEqual(new Date(from))
})

it('knows quiet hours within a day, and none', () => {
  expect([0, 12, 13, 14].map((hour) => isQuiet({ from: 12, to: 14 }, hour))).toEqual([false, true, true, false])
  expect(isQuiet(null, 3)).toBe(false)
  expect(undisturbedFrom({ quietHours: null, timeZone: 'UTC' }, 7)).toBe(7)
})

it('writes to owners about connections, and to other members only if they have chosen so', () => {
  const place = { timeZone: 'UTC', language: 'en' } as const
  expect(outsideWays(defaultAlerts('owner', place), 'connection')).toEqual(['email'])
  expect(outsideWays(defaultAlerts('owner', place), 'handoff')).toEqual([])
  expect(outsideWays(defaultAlerts('operator', place), 'connection')).toEqual([])
})

it('tries again after ever longer times, and gives up', () => {
  expect([1, 2, 3, 4, 5].map(retryAfterMs)).toEqual([60_000, 120_000, 240_000, 480_000, null])
})
