// Decisions about usage.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { agentDaysOf, daysOf, overviewOf, rangeBefore, splitRange, tornHours, type UsageSum } from './billing.rules.ts'

const at = (text: string) => Date.parse(text)
const sum = (change: Partial<UsageSum>): UsageSum => ({
  day: '2026-03-01',
  category: 'agent_response',
  channel: 'telegram',
  messages: 1,
  tokens: 10,
  costMicroUsd: 5,
  unpricedCalls: 0,
  ...change,
})

describe('tornHours', () => {
  const range = { start: at('2026-03-01T00:00Z'), end: at('2026-03-03T00:00Z') }
  it('are those through which midnight passes', () => {
    expect(tornHours(range, 'Asia/Kathmandu')).toEqual([
      { start: at('2026-03-01T18:00Z'), end: at('2026-03-01T19:00Z') },
      { start: at('2026-03-02T18:00Z'), end: at('2026-03-02T19:00Z') },
    ])
  })

  it('are none where clocks are whole hours off', () => {
    expect(tornHours(range, 'Europe/Moscow')).toEqual([])
  })
})

describe('splitRange', () => {
  it('takes whole hours together and the rest of the edge hours apart', () => {
    expect(splitRange({ start: at('2026-03-01T10:20Z'), end: at('2026-03-01T13:05Z') })).toEqual({
      hours: { start: at('2026-03-01T11:00Z'), end: at('2026-03-01T13:00Z') },
      edges: [
        { start: at('2026-03-01T10:20Z'), end: at('2026-03-01T11:00Z') },
        { start: at('2026-03-01T13:00Z'), end: at('2026-03-01T13:05Z') },
      ],
    })
  })
  it('needs no edges for a range of whole hours', () => {
    const hours = { start: at('2026-03-01T10:00Z'), end: at('2026-03-01T13:00Z') }
    expect(splitRange(hours)).toEqual({ hours, edges: [] })
  })
  it('has only an edge within one hour, and nothing in an empty range', () => {
    const inside = { start: at('2026-03-01T10:10Z'), end: at('2026-03-01T10:20Z') }
    expect(splitRange(inside)).toEqual({ hours: null, edges: [inside] })
    expect(splitRange({ start: 5, end: 5 })).toEqual({ hours: null, edges: [] })
  })
})

describe('rangeBefore', () => {
  it('reaches back over the longest month, and is nothing when the range does so itself', () => {
    const end = at('2026-03-15T00:00Z')
    expect(rangeBefore({ start: at('2026-03-08T00:00Z'), end })).toEqual({
      start: at('2026-02-11T00:00Z'),
      end: at('2026-03-08T00:00Z'),
    })
    expect(rangeBefore({ start: at('2026-02-01T00:00Z'), end })).toBeNull()
  })
})

describe('daysOf', () => {
  it('counts days in the time zone', () => {
    const range = { start: at('2026-03-01T18:00Z'), end: at('2026-03-01T20:00Z') }
    expect(daysOf(range, 'UTC')).toEqual(['2026-03-01'])
    expect(daysOf(range, 'Asia/Almaty')).toEqual(['2026-03-01', '2026-03-02'])
  })
  it('leaves out no day when clocks change, and not the end', () => {
    const range = { start: at('2026-03-07T00:00-05:00'), end: at('2026-03-10T00:00-04:00') }
    expect(daysOf(range, 'America/New_York')).toEqual(['2026-03-07', '2026-03-08', '2026-03-09'])
  })
  it('is empty for an empty range', () => {
    expect(daysOf({ start: 5, end: 5 }, 'UTC')).toEqual([])
  })
})

describe('overviewOf', () => {
  const range = { start: at('2026-03-01T00:00Z'), end: at('2026-03-03T00:00Z') }

  it('adds up messages of all categories, tokens and money', () => {
    const sums = [sum({ messages: 3 }), sum({ category: 'test_message', channel: 'test', day: '2026-03-02' })]
    const overview = overviewOf({ slug: null, name: null, allowance: 10 }, { sums, before: [], range }, 'UTC')
    expect(overview.plan).toEqual({ slug: null, name: 'Parking', allowance: 10 })
    expect(overview.totals).toEqual({
      messages: 4,
      tokens: 20,
      cost: 0.00001,
      unpricedCalls: 0,
      remaining: 6,
      percentage: 0.4,
    })
    expect(overview.timeline).toEqual([
      { key: '2026-03-01', messages: 3 },
      { key: '2026-03-02', messages: 1 },
    ])
    expect(overview.categories.map((category) => category.messages)).toEqual([3, 0, 0, 1, 0])
    expect(overview.channels).toEqual([
      { key: 'telegram', messages: 3 },
      { key: 'test', messages: 1 },
    ])
  })

  it.each([
    [null, 'ok', null, null],
    [100, 'ok', 0.79, 21],
    [98, 'warning', 79 / 98, 19],
    [80, 'critical', 79 / 80, 1],
    [10, 'critical', 1, 0],
    [0, 'critical', 1, 0],
  ])('with an allowance of %j it is %s', (allowance, status, percentage, remaining) => {
    const overview = overviewOf(
      { slug: 'pro', name: 'Pro', allowance },
      { sums: [sum({ messages: 79 })], before: [], range },
      'UTC',
    )
    expect(overview.thresholds.status).toBe(status)
    expect(overview.totals).toMatchObject({ percentage, remaining })
  })

  it('measures the allowance by the calendar month in which the range ends, begun before it or within it', () => {
    const plan = { slug: 'pro', name: 'Pro', allowance: 100 }
    const days = ['2026-02-27', '2026-03-02', '2026-03-09']
    const [february, before, within] = days.map((day) => sum({ day, messages: 10 }))
    const week = { start: at('2026-03-08T00:00Z'), end: at('2026-03-15T00:00Z') }
    const short = overviewOf(
      plan,
      { sums: [sum({ ...within })], before: [sum({ ...february }), sum({ ...before })], range: week },
      'UTC',
    )
    expect(short).toMatchObject({
      period: { key: '2026-03', messages: 20 },
      totals: { messages: 10, remaining: 80, percentage: 0.2 },
    })
    const all = [sum({ ...february }), sum({ ...before }), sum({ ...within })]
    const long = overviewOf(plan, { sums: all, before: [], range: { ...week, start: at('2026-02-01T00:00Z') } }, 'UTC')
    expect(long).toMatchObject({ period: { key: '2026-03', messages: 20 }, totals: { messages: 30, remaining: 80 } })
    const ended = overviewOf(plan, { sums: [], before: [], range: { ...range, end: at('2026-04-01T00:00Z') } }, 'UTC')
    expect(ended.period.key).toBe('2026-03')
    expect(
      overviewOf(plan, { sums: [], before: [], range: { ...range, end: at('2026-03-31T20:00Z') } }, 'Asia/Almaty')
        .period.key,
    ).toBe('2026-04')
  })

  it('shows system messages without counting them', () => {
    const sums = [sum({ messages: 2 }), sum({ category: 'system_message', messages: 5 })]
    const overview = overviewOf({ slug: null, name: null, allowance: 10 }, { sums, before: [], range }, 'UTC')
    expect(overview.totals).toMatchObject({ messages: 2, remaining: 8, tokens: 20 })
    expect(overview.categories.find(({ key }) => key === 'system_message')).toEqual({
      key: 'system_message',
      messages: 5,
    })
    expect(overview.timeline[0]).toEqual({ key: '2026-03-01', messages: 2 })
    expect(overview.channels).toEqual([{ key: 'telegram', messages: 2 }])
  })

  it('lists the five most used channels', () => {
    const sums = [1, 2, 3, 4, 5, 6].map((messages) => sum({ channel: `c${messages}`, messages }))
    const keys = overviewOf(
      { slug: null, name: null, allowance: null },
      { sums, before: [], range },
      'UTC',
    ).channels.map((c) => c.key)
    expect(keys).toEqual(['c6', 'c5', 'c4', 'c3', 'c2'])
  })
})

describe('agentDaysOf', () => {
  const day = (change: { agentId?: string; day?: string; answers?: number; limit?: number | null } = {}) => ({
    agentId: (change.agentId ?? 'a') as Id<'agents'>,
    day: change.day ?? '2026-03-02',
    answers: change.answers ?? 0,
    spam: {
      agentDailyLimit: change.limit === undefined ? 10 : change.limit,
      customerDailyLimit: null,
      warningPercent: 75,
      text: '',
    },
  })

  it.each([
    [7, 'ok'],
    [8, 'warning'],
    [9, 'warning'],
    [10, 'reached'],
    [11, 'reached'],
  ])('with %i of 10 answers, warned from 75 per cent on, it is %s', (answers, status) => {
    expect(agentDaysOf([day({ answers })])).toEqual([{ agentId: 'a', day: '2026-03-02', answers, limit: 10, status }])
  })

  it('tells the newest day of each agent that has a limit', () => {
    const days = [
      day({ agentId: 'b', limit: null }),
      day({ answers: 1 }),
      day({ day: '2026-03-01', answers: 9 }),
      day({ agentId: 'c' }),
    ]
    expect(agentDaysOf(days).map(({ agentId, answers }) => [agentId, answers])).toEqual([
      ['a', 1],
      ['c', 0],
    ])
  })
})
