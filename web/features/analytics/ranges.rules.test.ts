// Which days can be asked for, and by which interval.
import { expect, it } from 'vitest'
import { dayCount, intervalFor, isDay, rangeProblem } from './ranges.rules.ts'

it('knows the days of the calendar', () => {
  expect(['2026-02-28', '2028-02-29'].map(isDay)).toEqual([true, true])
  expect(['2026-02-29', '2026-13-01', '2026-1-1', '', 'today'].map(isDay)).toEqual([false, false, false, false, false])
})

it('counts both ends, also over a change of clocks', () => {
  expect(dayCount({ from: '2026-03-28', to: '2026-03-30' })).toBe(3)
  expect(dayCount({ from: '2026-03-28', to: '2026-03-28' })).toBe(1)
  expect(dayCount({ days: 90 })).toBe(90)
})

it('picks an interval by which there is something to see', () => {
  expect([1, 2, 7, 30, 45, 46, 90, 200, 201, 731].map(intervalFor)).toEqual([
    ...['hour', 'hour', 'day', 'day', 'day', 'week', 'week', 'week', 'month', 'month'],
  ])
})

it('refuses what the server would refuse, by the same codes', () => {
  expect(rangeProblem({ from: '2026-03-02', to: '2026-03-01' }, 'day')).toBe('invalid_range')
  expect(rangeProblem({ from: '2024-01-01', to: '2026-01-01' }, 'month')).toBe('range_too_long')
  expect(rangeProblem({ from: '2026-01-01', to: '2026-02-28' }, 'hour')).toBe('too_many_bars')
  expect(rangeProblem({ from: '2024-01-01', to: '2025-12-31' }, 'day')).toBeNull()
  expect(rangeProblem({ days: 30 }, 'hour')).toBeNull()
})
