// Local days as moments: daylight saving, zones off the hour, and what is refused.
import { describe, expect, it } from 'vitest'
import type { AnalyticsRange } from '#shared/analytics/analytics.ts'
import { appErrorData } from '#shared/errors.ts'
import { daysBefore, daysOf, edgesOf, periodOf } from './ranges.rules.ts'

const now = Date.parse('2026-11-27T20:30Z')
const days = (from: string, to: string, timeZone: string) => daysOf({ from, to }, timeZone, now)
const iso = (moments: number[]) => moments.map((at) => new Date(at).toISOString().slice(0, 16))
const codeOf = (run: () => unknown) => {
  try {
    return run()
  } catch (error) {
    return appErrorData(error)?.code
  }
}

describe('days', () => {
  it('end with today where the organization is, which may be tomorrow in UTC', () => {
    expect(periodOf(daysOf({ days: 7 }, 'Asia/Almaty', now))).toEqual({
      start: Date.parse('2026-11-21T19:00Z'),
      end: Date.parse('2026-11-28T19:00Z'),
      from: '2026-11-22',
      to: '2026-11-28',
    })
  })

  it('have 23 and 25 hours when clocks change', () => {
    expect(edgesOf(days('2026-03-29', '2026-03-29', 'Europe/Berlin'), 'hour')).toHaveLength(24)
    const autumn = edgesOf(days('2026-10-25', '2026-10-25', 'Europe/Berlin'), 'hour')
    expect(autumn).toHaveLength(26)
    expect(iso([autumn[0] ?? 0, autumn.at(-1) ?? 0])).toEqual(['2026-10-24T22:00', '2026-10-25T23:00'])
  })

  it('begin when the gap ends where midnight is skipped', () => {
    expect(iso([days('2024-09-08', '2024-09-08', 'America/Santiago').start])).toEqual(['2024-09-08T04:00'])
    expect(iso([days('2024-04-26', '2024-04-26', 'Africa/Cairo').start])).toEqual(['2024-04-25T22:00'])
  })

  it('begin at midnight where the hour before it comes twice, and at the earlier one where midnight does', () => {
    const { start, end } = days('2024-10-31', '2024-10-31', 'Africa/Cairo')
    expect(iso([start, end])).toEqual(['2024-10-30T21:00', '2024-10-31T22:00'])
    expect(iso([days('2026-11-01', '2026-11-01', 'America/Havana').start])).toEqual(['2026-11-01T04:00'])
  })

  it('begin off the hour in zones that are', () => {
    expect(iso([days('2026-05-01', '2026-05-01', 'Asia/Kolkata').start])).toEqual(['2026-04-30T18:30'])
    expect(iso([days('2026-05-01', '2026-05-01', 'Asia/Kathmandu').start])).toEqual(['2026-04-30T18:15'])
  })

  it('are as many before', () => {
    expect(periodOf(daysBefore(days('2026-05-08', '2026-05-14', 'UTC')))).toMatchObject({
      from: '2026-05-01',
      to: '2026-05-07',
    })
  })
})

describe('bars', () => {
  it('are weeks from Monday and months of the calendar, cut to the range', () => {
    const range = days('2026-04-29', '2026-05-12', 'UTC')
    const dates = (moments: number[]) => iso(moments).map((text) => text.slice(5, 10))
    expect(dates(edgesOf(range, 'week'))).toEqual(['04-29', '05-04', '05-11', '05-13'])
    expect(dates(edgesOf(range, 'month'))).toEqual(['04-29', '05-01', '05-13'])
    expect(edgesOf(range, 'day')).toHaveLength(15)
  })

  it('meet every quarter of an hour exactly once, in every kind of zone', () => {
    for (const timeZone of [
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'America/New_York',
      'Africa/Cairo',
      'Pacific/Apia',
    ]) {
      const range = days('2024-01-01', '2024-12-31', timeZone)
      const edges = edgesOf(range, 'day')
      expect(edges).toHaveLength(367)
      expect(edges).toEqual([...new Set(edges)].sort((a, b) => a - b))
      expect(edges.every((at) => at % 900_000 === 0)).toBe(true)
    }
  })
})

it.each<[AnalyticsRange, string]>([
  [{ from: '2026-05-02', to: '2026-05-01' }, 'invalid_range'],
  [{ from: '2026-02-30', to: '2026-03-01' }, 'invalid_range'],
  [{ from: '1999-12-31', to: '2026-03-01' }, 'invalid_range'],
  [{ from: '2024-01-01', to: '2026-01-01' }, 'range_too_long'],
])('refuses %j by %s', (range, code) => {
  expect(codeOf(() => daysOf(range, 'UTC', now))).toBe(code)
})

it('takes two years, and refuses more bars than anyone sees', () => {
  const range = days('2024-01-01', '2025-12-31', 'UTC')
  expect(edgesOf(range, 'day')).toHaveLength(732)
  expect(codeOf(() => edgesOf(range, 'hour'))).toBe('too_many_bars')
  expect(edgesOf(days('2026-05-01', '2026-05-31', 'UTC'), 'hour')).toHaveLength(31 * 24 + 1)
})
