// The warning that few messages of the plan are left.
import { expect, it } from 'vitest'
import { nearLimit } from './allowance.rules.ts'

type Overview = Parameters<typeof nearLimit>[0]

function overview(remaining: number | null, status: Overview['thresholds']['status'], key = '2026-11'): Overview {
  const totals = { messages: 0, tokens: 0, cost: 0, unpricedCalls: 0, remaining, percentage: null }
  return { totals, thresholds: { status }, period: { key, messages: 0 } }
}

it('is silent while there is enough, and without a limit', () => {
  expect(nearLimit(overview(500, 'ok'))).toBeNull()
  expect(nearLimit(overview(null, 'ok'))).toBeNull()
})

it('tells what is left and when the month of the plan is over', () => {
  expect(nearLimit(overview(12, 'warning'))).toEqual({ remaining: 12, resetsOn: '2026-12-01' })
  expect(nearLimit(overview(-3, 'critical', '2026-12'))).toEqual({ remaining: 0, resetsOn: '2027-01-01' })
})
