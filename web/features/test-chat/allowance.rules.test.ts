// The warning that few messages are left, of the plan's month or of the agent's day.
import { describe, expect, it } from 'vitest'
import { nearDailyLimit, nearLimit } from './allowance.rules.ts'

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

describe('the warning of a daily limit', () => {
  const spam = { agentDailyLimit: 10, customerDailyLimit: 5, warningPercent: 80 }
  const on = (answers: number, day = '2026-11-21') => ({ day, answers })
  const near = (agent?: ReturnType<typeof on>, customer?: ReturnType<typeof on>, settings: Partial<typeof spam> = {}) =>
    nearDailyLimit({ ...spam, ...settings }, '2026-11-21', { agent, customer })

  it('comes at the share that the agent has for it, and tells what is left', () => {
    expect(near(on(7), on(3))).toBeNull()
    expect(near(on(8), on(3))).toEqual({ of: 'agent', remaining: 2 })
    expect(near(on(7), on(4))).toEqual({ of: 'customer', remaining: 1 })
    expect(near(on(12), on(4))).toEqual({ of: 'agent', remaining: 0 })
  })

  it('is about today alone, and about limits that are set', () => {
    expect(near(on(10, '2026-11-20'), on(5, '2026-11-20'))).toBeNull()
    expect(near()).toBeNull()
    expect(
      nearDailyLimit({ ...spam, agentDailyLimit: null, customerDailyLimit: null }, '2026-11-21', {
        agent: on(99),
        customer: on(99),
      }),
    ).toBeNull()
  })
})
