// Which limit stops a turn, what it takes from which period, and when the team is warned.
import { describe, expect, it } from 'vitest'
import type { Quota } from '#server/domain/billing/quotas.store.ts'
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import { FLOODED } from '#tests/flood.ts'
import type { LimitFacts, Turn } from '../../turns/turn.ts'
import { limitTextFor, waitTextFor } from './limit-text.ts'
import { judge, periodsOf } from './limits.rules.ts'

const NOW = Date.parse('2026-11-30T20:00Z')

type Change = { settings?: Partial<AgentSettings>; limits?: Partial<LimitFacts>; channel?: string; timeZone?: string }

function turnWith({ settings = {}, limits = {}, channel = 'telegram', timeZone = 'UTC' }: Change): Turn {
  return {
    conversation: { channel },
    agent: { id: 'a1', settings: agentSettings.parse({ model: 'a/b', ...FLOODED, ...settings }) },
    timeZone,
    limits: {
      allowance: null,
      atLimit: 'stop',
      limitText: '',
      monthlySpendMicroUsd: null,
      reservedMonth: null,
      reservedDay: null,
      notices: {},
      answersOn: null,
      answersCount: 0,
      language: null,
      ...limits,
    },
  } as unknown as Turn
}

const quota = (period: string, change: Partial<Quota> = {}): Quota => ({
  period,
  used: 0,
  reserved: 0,
  costMicroUsd: 0,
  unpricedCalls: 0,
  isWarned: false,
  ...change,
})
const spam = (change: Partial<AgentSettings['spam']>): Partial<AgentSettings> => ({
  spam: { agentDailyLimit: null, customerDailyLimit: null, warningPercent: 80, text: '', ...change },
})

describe('periodsOf', () => {
  it.each<[string, Change, string[]]>([
    ['nothing without limits', {}, []],
    ['the month of a limited plan', { limits: { allowance: 5 } }, ['2026-11']],
    ['the month where the clock stands', { limits: { allowance: 5 }, timeZone: 'Asia/Almaty' }, ['2026-12']],
    ['nothing of a plan that goes on', { limits: { allowance: 5, atLimit: 'overage' } }, []],
    ['nothing when a message is held already', { limits: { allowance: 5, reservedMonth: '2026-11' } }, []],
    ['the month of a ceiling', { limits: { monthlySpendMicroUsd: 1 } }, ['2026-11']],
    ["the agent's month of its ceiling", { settings: { spending: { monthlyLimitUsd: 1 } } }, ['2026-11 a1']],
    ["the agent's day", { settings: spam({ agentDailyLimit: 3 }) }, ['2026-11-30 a1']],
    ['no day in the test chat', { settings: spam({ agentDailyLimit: 3 }), channel: 'test' }, []],
    [
      'nothing for the limit of a customer, which the conversation knows',
      { settings: spam({ customerDailyLimit: 3 }) },
      [],
    ],
  ])('is %s', (_, change, expected) => {
    expect(periodsOf(turnWith(change), NOW)).toEqual(expected)
  })
})

describe('judge', () => {
  const held = { reservedMonth: '2026-10', reservedDay: '2026-10-31 a1' }
  const daily = spam({ agentDailyLimit: 10 })
  const perCustomer = spam({ customerDailyLimit: 3 })
  const today = (answersCount: number) => ({ answersOn: '2026-11-30', answersCount })

  it.each<[string, Change, Quota[], string | null]>([
    ['no limits', {}, [], null],
    ['one message left', { limits: { allowance: 5 } }, [quota('2026-11', { used: 3, reserved: 1 })], null],
    [
      'the last one reserved',
      { limits: { allowance: 5 } },
      [quota('2026-11', { used: 4, reserved: 1 })],
      'allowance_used_up',
    ],
    ['all used', { limits: { allowance: 5 } }, [quota('2026-11', { used: 5 })], 'allowance_used_up'],
    ['no messages at all', { limits: { allowance: 0 } }, [quota('2026-11')], 'allowance_used_up'],
    ['all used, and one of them held by this turn', { limits: { allowance: 5, ...held } }, [], null],
    [
      'all used where it goes on',
      { limits: { allowance: 5, atLimit: 'overage' } },
      [quota('2026-11', { used: 9 })],
      null,
    ],
    ['money left', { limits: { monthlySpendMicroUsd: 100 } }, [quota('2026-11', { costMicroUsd: 99 })], null],
    [
      'no money left',
      { limits: { monthlySpendMicroUsd: 100 } },
      [quota('2026-11', { costMicroUsd: 100 })],
      'spending_limit',
    ],
    [
      "the agent's money spent",
      { settings: { spending: { monthlyLimitUsd: 0.5 } } },
      [quota('2026-11 a1', { costMicroUsd: 500_000 })],
      'spending_limit',
    ],
    [
      'money of the agent left, of the organization not',
      { settings: { spending: { monthlyLimitUsd: 2 } }, limits: { monthlySpendMicroUsd: 1 } },
      [quota('2026-11', { costMicroUsd: 1 }), quota('2026-11 a1', { costMicroUsd: 1 })],
      'spending_limit',
    ],
    ['an answer of the day left', { settings: daily }, [quota('2026-11-30 a1', { used: 9 })], null],
    [
      'no answer of the day left',
      { settings: daily },
      [quota('2026-11-30 a1', { used: 9, reserved: 1 })],
      'agent_limit',
    ],
    [
      'no answer left but the one held',
      { settings: daily, limits: held },
      [quota('2026-11-30 a1', { used: 10 })],
      null,
    ],
    ['a customer below the limit', { settings: perCustomer, limits: today(2) }, [], null],
    ['a customer at the limit', { settings: perCustomer, limits: today(3) }, [], 'customer_limit'],
    [
      'a customer who was at it yesterday',
      { settings: perCustomer, limits: { answersOn: '2026-11-29', answersCount: 3 } },
      [],
      null,
    ],
    [
      'a customer at the limit by a clock where it is tomorrow',
      { settings: perCustomer, limits: today(3), timeZone: 'Asia/Almaty' },
      [],
      null,
    ],
    [
      'the test chat at the limit of a customer',
      { settings: perCustomer, limits: today(3), channel: 'test' },
      [],
      null,
    ],
    [
      'a customer at the limit and a plan at its end',
      { settings: perCustomer, limits: { ...today(3), allowance: 0 } },
      [quota('2026-11')],
      'customer_limit',
    ],
  ])('%s', (_, change, quotas, refusal) => {
    const verdict = judge(turnWith(change), quotas, NOW)
    expect(verdict.refusal).toBe(refusal)
    expect(verdict.gates.filter((gate) => !gate.hasPassed)).toHaveLength(refusal === null ? 0 : 1)
    if (refusal !== null) expect(verdict.reservation).toEqual({ month: null, day: null })
  })

  it('takes from the month and from the day what the turn does not hold yet', () => {
    const quotas = [quota('2026-11'), quota('2026-11-30 a1')]
    const take = (limits: Partial<LimitFacts>) =>
      judge(turnWith({ settings: daily, limits: { allowance: 5, ...limits } }), quotas, NOW).reservation
    expect(take({})).toEqual({ month: '2026-11', day: '2026-11-30 a1' })
    expect(take({ reservedMonth: '2026-10' })).toEqual({ month: null, day: '2026-11-30 a1' })
    expect(take(held)).toEqual({ month: null, day: null })
    expect(take({ allowance: null, monthlySpendMicroUsd: 5 })).toEqual({ month: null, day: '2026-11-30 a1' })
  })

  it('tells what each gate looked at, calls of unknown price by their number', () => {
    const turn = turnWith({
      settings: { ...spam({ agentDailyLimit: 10, customerDailyLimit: 3 }), spending: { monthlyLimitUsd: 2 } },
      limits: { allowance: 5, monthlySpendMicroUsd: 3_000_000, ...today(1) },
    })
    const quotas = [
      quota('2026-11', { used: 2, reserved: 1, costMicroUsd: 1_500_000, unpricedCalls: 4 }),
      quota('2026-11 a1', { costMicroUsd: 250_000 }),
      quota('2026-11-30 a1', { used: 6 }),
    ]
    expect(judge(turn, quotas, NOW).gates.map(({ gate, facts }) => ({ gate, facts }))).toEqual([
      { gate: 'spam', facts: { customerAnswers: 1, customerLimit: 3, agentAnswers: 6, agentLimit: 10 } },
      {
        gate: 'spending',
        facts: { spentUsd: 1.5, limitUsd: 3, unpricedCalls: 4, agentSpentUsd: 0.25, agentLimitUsd: 2 },
      },
      { gate: 'allowance', facts: { allowance: 5, used: 2, reserved: 1 } },
    ])
  })
})

describe('a warning', () => {
  const customer = (answersCount: number, notices: LimitFacts['notices'] = {}) =>
    judge(
      turnWith({
        settings: spam({ customerDailyLimit: 10, warningPercent: 80 }),
        limits: { answersOn: '2026-11-30', answersCount, notices },
      }),
      [],
      NOW,
    ).warnings
  const agent = (used: number, isWarned = false) =>
    judge(
      turnWith({ settings: spam({ agentDailyLimit: 10, warningPercent: 75 }) }),
      [quota('2026-11-30 a1', { used, isWarned })],
      NOW,
    ).warnings

  it('comes with the answer that reaches the threshold, and with no earlier one', () => {
    expect(customer(6)).toEqual([])
    expect(customer(7)).toEqual(['customer_limit_near'])
    expect(agent(6)).toEqual([])
    expect(agent(7)).toEqual(['agent_limit_near'])
  })

  it('comes once a day', () => {
    expect(customer(8, { customer_limit_near: Date.parse('2026-11-30T00:00Z') })).toEqual([])
    expect(customer(8, { customer_limit_near: Date.parse('2026-11-29T23:59Z') })).toEqual(['customer_limit_near'])
    expect(agent(8, true)).toEqual([])
  })

  it('does not come with a turn that is refused', () => {
    expect(customer(10)).toEqual([])
    expect(agent(10)).toEqual([])
  })
})

describe('limitTextFor', () => {
  it.each([
    ['ru', 'Hello', 'ru'],
    ['ru-RU', '', 'ru'],
    ['en', 'Здравствуйте', 'en'],
    ['run', 'Hello', 'en'],
    [null, 'Здравствуйте', 'ru'],
    [null, 'Hello', 'en'],
    [null, '', 'en'],
  ])('speaks to a customer of the language %j who writes %j in %s', (language, question, expected) => {
    expect(/\p{Script=Cyrillic}/u.test(limitTextFor(language, question))).toBe(expected === 'ru')
  })

  it.each([
    ['ru', 'Сәлем, жеткізу қанша тұрады?'],
    [null, 'Жұмыс уақыты қалай?'],
    ['kk', 'iPhone 15?'],
    ['kk-KZ', ''],
  ])('speaks Kazakh to a customer of the language %j who writes %j', (language, question) => {
    expect(limitTextFor(language, question)).toMatch(/рақмет/)
    expect(waitTextFor(language, question)).toMatch(/жазыңызшы/)
  })

  it('speaks Russian to who writes Russian in a Kazakh messenger', () => {
    expect(limitTextFor('kk', 'Сколько стоит доставка?')).toMatch(/^Спасибо/)
  })
})

describe('a day that is far from its limit', () => {
  const day = (change: Partial<Quota>) => quota('2026-11-30 a1', change)
  const settings = spam({ agentDailyLimit: 5000 })

  it.each<[string, Partial<Quota>, string[]]>([
    ['is not held', { used: 3000 }, []],
    ['is held near the warning', { used: 3900 }, ['2026-11-30 a1']],
    ['is not held between the warning and the limit', { used: 4500, isWarned: true }, []],
    ['is held near the limit', { used: 4700, reserved: 150, isWarned: true }, ['2026-11-30 a1']],
  ])('%s', (_, change, expected) => {
    const turn = turnWith({ settings, limits: { agentDay: day(change) } })
    expect(periodsOf(turn, NOW)).toEqual(expected)
  })

  it('is judged as it was read, and nothing is reserved', () => {
    const turn = turnWith({ settings, limits: { agentDay: day({ used: 3000 }) } })
    const { gates, refusal, reservation } = judge(turn, [], NOW)
    expect({ refusal, reservation }).toEqual({ refusal: null, reservation: { month: null, day: null } })
    expect(gates[0]).toMatchObject({ hasPassed: true, facts: { agentAnswers: 3000, agentLimit: 5000 } })
  })

  it('is held when it is another one than was read, or a small one', () => {
    const yesterday = { agentDay: quota('2026-11-29 a1') }
    expect(periodsOf(turnWith({ settings, limits: yesterday }), NOW)).toEqual(['2026-11-30 a1'])
    const small = turnWith({ settings: spam({ agentDailyLimit: 100 }), limits: { agentDay: day({ used: 0 }) } })
    expect(periodsOf(small, NOW)).toEqual(['2026-11-30 a1'])
  })
})
