// Usage: counted once, summed exactly, live.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordUsage, type UsageEvent } from '#server/domain/billing/billing.store.ts'
import { listQuotas, openQuotas } from '#server/domain/billing/quotas.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { appErrorData } from '#shared/errors.ts'
import type { AgentDay, MonthSpend } from '#shared/organizations/billing.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)
let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const event = (change: Partial<UsageEvent> = {}): UsageEvent => ({
  sourceId: newId(),
  agentId: null,
  category: 'agent_response',
  channel: 'telegram',
  messages: 1,
  call: { provider: 'openai', model: 'm', inputTokens: 100, outputTokens: 20, costMicroUsd: 30, priceVersion: '1' },
  occurredAt: new Date('2026-05-01T10:30:00Z'),
  ...change,
})

function record(person: Person, ...events: UsageEvent[]) {
  const { _id: organizationId } = person.organization
  return app.database.organization(organizationId, async (db) => {
    const counted = []
    for (const one of events) counted.push(await recordUsage({ db, organizationId }, one))
    return counted
  })
}

const overview = (person: Person, start: string, end: string) =>
  person.http.query(api.billing.getOrganizationUsageOverview, {
    organizationId: person.organization._id,
    timeRange: { start: at(start), end: at(end) },
  })

describe('recording', () => {
  it('counts an event once, however often it is recorded', async () => {
    const person = await app.signUp()
    const one = event()
    expect(await record(person, one, one)).toEqual([true, false])
    expect(await record(person, one)).toEqual([false])
    expect((await overview(person, '2026-05-01T00:00Z', '2026-05-02T00:00Z')).totals).toMatchObject({
      messages: 1,
      tokens: 120,
      cost: 0.00003,
    })
  })

  it('counts nothing when the transaction is rolled back', async () => {
    const person = await app.signUp()
    const { _id: organizationId } = person.organization
    const undone = app.database.organization(organizationId, async (db) => {
      await recordUsage({ db, organizationId }, event())
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect((await overview(person, '2026-05-01T00:00Z', '2026-05-02T00:00Z')).totals.messages).toBe(0)
  })

  it('loses nothing when many are recorded at the same time', async () => {
    const person = await app.signUp()
    await Promise.all(Array.from({ length: 40 }, () => record(person, event())))
    expect((await overview(person, '2026-05-01T00:00Z', '2026-05-02T00:00Z')).totals.messages).toBe(40)
  })
})

describe('the overview', () => {
  it('includes part of an hour exactly, the end exclusive', async () => {
    const person = await app.signUp()
    const times = ['09:59:59.999', '10:10', '10:59:59', '11:00', '12:30', '13:04:59.999', '13:05']
    await record(person, ...times.map((time) => event({ occurredAt: new Date(`2026-05-01T${time}Z`) })))
    const messages = async (start: string, end: string) =>
      (await overview(person, `2026-05-01T${start}Z`, `2026-05-01T${end}Z`)).totals.messages
    expect(await messages('10:00', '13:05')).toBe(5)
    expect(await messages('10:10', '10:59:59')).toBe(1)
    expect(await messages('09:00', '14:00')).toBe(7)
    expect(await messages('11:00', '11:00')).toBe(0)
  })

  it('counts an hour through which midnight passes on two days', async () => {
    const person = await app.signUp()
    await person.http.mutation(api.organizations.update, { patch: { timeZone: 'Asia/Kathmandu' } })
    await record(
      person,
      event({ occurredAt: new Date('2026-04-30T18:14:59.999Z') }),
      event({ messages: 2, occurredAt: new Date('2026-04-30T18:15Z') }),
    )
    const { period, timeline, totals } = await overview(person, '2026-04-30T00:00Z', '2026-05-02T00:00Z')
    expect([totals.messages, period]).toEqual([3, { key: '2026-05', messages: 2 }])
    expect(timeline.map(({ key, messages }) => [key, messages])).toEqual([
      ['2026-04-30', 1],
      ['2026-05-01', 2],
      ['2026-05-02', 0],
    ])
  })

  it('reports categories, channels, days and calls without a price', async () => {
    const person = await app.signUp()
    const call = event().call
    await record(
      person,
      event({ messages: 2 }),
      event({ category: 'test_message', channel: 'test', occurredAt: new Date('2026-05-02T08:00Z') }),
      event({ messages: 0, call: call && { ...call, costMicroUsd: null, priceVersion: null } }),
      event({ messages: 1, call: null }),
    )
    expect(await overview(person, '2026-04-30T00:00Z', '2026-05-03T00:00Z')).toEqual({
      plan: { slug: 'parking', name: 'Parking', allowance: 1000 },
      period: { key: '2026-05', messages: 4 },
      totals: { messages: 4, tokens: 360, cost: 0.00006, unpricedCalls: 1, remaining: 996, percentage: 0.004 },
      unpricedModels: [{ model: 'm', calls: 1 }],
      thresholds: { status: 'ok' },
      categories: [
        { key: 'agent_response', messages: 3 },
        { key: 'system_message', messages: 0 },
        { key: 'helper_generation', messages: 0 },
        { key: 'test_message', messages: 1 },
        { key: 'follow_up', messages: 0 },
      ],
      timeline: [
        { key: '2026-04-30', messages: 0 },
        { key: '2026-05-01', messages: 3 },
        { key: '2026-05-02', messages: 1 },
      ],
      channels: [
        { key: 'telegram', messages: 3 },
        { key: 'test', messages: 1 },
      ],
    })
  })

  it('counts days in the time zone of the organization', async () => {
    const person = await app.signUp()
    await app.database.root
      .updateTable('organizations')
      .set({ time_zone: 'Asia/Almaty' })
      .where('id', '=', person.organization._id)
      .execute()
    await record(person, event({ occurredAt: new Date('2026-05-01T20:30Z') }))
    const { timeline } = await overview(person, '2026-04-30T19:00Z', '2026-05-02T19:00Z')
    expect(timeline).toEqual([
      { key: '2026-05-01', messages: 0 },
      { key: '2026-05-02', messages: 1 },
    ])
  })

  it('applies the organization’s own limit in preference to that of its plan', async () => {
    const person = await app.signUp()
    const set = (values: { plan?: string; monthly_limit?: number }) =>
      app.database.root.updateTable('organizations').set(values).where('id', '=', person.organization._id).execute()
    await app.database.root.updateTable('plans').set({ monthly_messages: 100 }).where('slug', '=', 'pro').execute()
    await record(person, event({ messages: 9 }))
    await set({ plan: 'pro' })
    const ofPlan = await overview(person, '2026-05-01T00:00Z', '2026-05-02T00:00Z')
    expect(ofPlan.plan).toEqual({ slug: 'pro', name: 'Pro', allowance: 100 })
    await set({ monthly_limit: 10 })
    const own = await overview(person, '2026-05-01T00:00Z', '2026-05-02T00:00Z')
    expect(own).toMatchObject({
      plan: { allowance: 10 },
      totals: { remaining: 1, percentage: 0.9 },
      thresholds: { status: 'warning' },
    })
  })

  it('reports the rest of the month’s allowance for any range, and counts no system messages', async () => {
    const person = await app.signUp()
    await app.database.root
      .updateTable('organizations')
      .set({ monthly_limit: 10 })
      .where('id', '=', person.organization._id)
      .execute()
    await record(
      person,
      event({ messages: 9, occurredAt: new Date('2026-04-30T23:59Z') }),
      event({ messages: 2, occurredAt: new Date('2026-05-01T00:10Z') }),
      event({ messages: 3, occurredAt: new Date('2026-05-20T10:30Z') }),
      event({ messages: 4, category: 'system_message', occurredAt: new Date('2026-05-20T10:31Z') }),
    )
    expect(await overview(person, '2026-05-20T10:00Z', '2026-05-20T11:00Z')).toMatchObject({
      period: { key: '2026-05', messages: 5 },
      totals: { messages: 3, remaining: 5, percentage: 0.5 },
      categories: expect.arrayContaining([{ key: 'system_message', messages: 4 }]),
    })
    expect(await overview(person, '2026-04-01T00:00Z', '2026-05-21T00:00Z')).toMatchObject({
      period: { key: '2026-05', messages: 5 },
      totals: { messages: 14, remaining: 5 },
    })
  })

  it('updates an open page as soon as something is counted', async () => {
    const person = await app.signUp()
    const timeRange = { start: at('2026-05-01T00:00Z'), end: at('2026-05-02T00:00Z') }
    const seen = new Promise<void>((done) => {
      const args = { organizationId: person.organization._id, timeRange }
      person.live().onUpdate(api.billing.getOrganizationUsageOverview, args, ({ totals }) => {
        if (totals.messages === 1) done()
      })
    })
    await record(person, event())
    await seen
  })

  it('accepts a range from the beginning of time, and refuses an invalid one', async () => {
    const person = await app.signUp()
    await record(person, event({ occurredAt: new Date() }))
    const ask = (start: number, end: number) =>
      person.http.query(api.billing.getOrganizationUsageOverview, {
        organizationId: person.organization._id,
        timeRange: { start, end },
      })
    const everything = await ask(0, Date.now() + HOUR)
    expect(everything.totals.messages).toBe(1)
    expect(everything.timeline.length).toBeLessThanOrEqual(2)
    for (const [start, end] of [
      [2, 1],
      [0, 8e15],
      [-8e15, 8e15],
      [8.6e15, 8.6e15],
    ] as const) {
      const code = await ask(start, end).catch((error) => appErrorData(error)?.code)
      expect(code).toBe('invalid_arguments')
    }
  })
})

describe('the day of a limited agent', () => {
  it('is reported live with the effective limit, and not before it is counted', async () => {
    const person = await app.signUp()
    const { _id: organizationId } = person.organization
    const agent = await person.http.mutation(api.agents.create, { name: 'Helper' })
    const spam = { agentDailyLimit: 4, customerDailyLimit: null, warningPercent: 50, text: '' }
    await person.http.mutation(api.agents.update, { id: agent._id, patch: { spam } })
    expect(await person.http.query(api.billing.listAgentDays, {})).toEqual([])
    const inOrganization = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
      app.database.organization(organizationId, (db) => run({ db, organizationId }))
    await inOrganization((ctx) => openQuotas(ctx, [`2026-05-01 ${agent._id}`, '2026-05']))
    const seen = new Promise<AgentDay[]>((done) => {
      person.live().onUpdate(api.billing.listAgentDays, {}, (days) => {
        if (days[0]?.status === 'warning') done(days)
      })
    })
    await record(person, event({ agentId: agent._id, messages: 2 }), event({ agentId: null, messages: 9 }))
    expect(await seen).toEqual([{ agentId: agent._id, day: '2026-05-01', answers: 2, limit: 4, status: 'warning' }])
  })
})

describe('the spending of a month', () => {
  const month = '2026-05'
  const spend = (person: Person, of = month) => person.http.query(api.billing.getMonthSpend, { month: of })
  const priced = (costMicroUsd: number | null): UsageEvent['call'] => {
    const { call } = event()
    return call && { ...call, costMicroUsd }
  }

  it('is reported by agent, the most expensive first, as ceilings count it: including deleted agents, calls without an agent, and calls without a price', async () => {
    const person = await app.signUp()
    const { _id: organizationId } = person.organization
    const add = async (name: string) => (await person.http.mutation(api.agents.create, { name }))._id
    const [cheap, dear, gone] = [await add('Cheap'), await add('Dear'), await add('Gone')]
    await add('Silent')
    await record(
      person,
      event({ agentId: cheap, call: priced(400_000) }),
      event({ agentId: dear, call: priced(900_000), messages: 2 }),
      event({ agentId: dear, call: priced(100_000), category: 'helper_generation' }),
      event({ agentId: dear, call: priced(null), messages: 0 }),
      event({ agentId: dear, call: null, category: 'system_message' }),
      event({ agentId: gone, call: priced(500_000) }),
      event({ agentId: null, call: priced(100), category: 'helper_generation', messages: 0 }),
      event({ agentId: dear, call: priced(7_000_000), occurredAt: new Date('2026-06-01T00:00Z') }),
    )
    await person.http.mutation(api.agents.remove, { id: gone })
    const spending = await spend(person)
    const line = { isDeleted: false, limitUsd: null, unpricedCalls: 0, messages: 1, tokens: 120 }
    expect(spending).toEqual({
      total: { messages: 5, tokens: 720, costUsd: 1.9001, unpricedCalls: 1 },
      limitUsd: null,
      agents: [
        { ...line, agentId: dear, name: 'Dear', costUsd: 1, messages: 3, tokens: 360, unpricedCalls: 1 },
        { ...line, agentId: gone, name: 'Gone', costUsd: 0.5, isDeleted: true },
        { ...line, agentId: cheap, name: 'Cheap', costUsd: 0.4 },
        { ...line, agentId: null, name: '', costUsd: 0.0001, messages: 0 },
        { ...line, agentId: expect.any(String), name: 'Silent', costUsd: 0, messages: 0, tokens: 0 },
      ],
    })
    const periods = [month, `${month} ${dear}`]
    const gate = await app.database.organization(organizationId, async (db) => {
      await openQuotas({ db, organizationId }, periods)
      return listQuotas({ db, organizationId }, periods)
    })
    const byPeriod = gate.sort((a, b) => a.period.localeCompare(b.period))
    expect(byPeriod.map(({ used, costMicroUsd, unpricedCalls }) => [used, costMicroUsd, unpricedCalls])).toEqual([
      [5, 1_900_100, 1],
      [3, 1_000_000, 1],
    ])
  })

  it('is shown with the ceilings in force, not with those of a draft', async () => {
    const person = await app.signUp()
    const { _id } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    const limit = (monthlyLimitUsd: number, isDraft: boolean) =>
      person.http.mutation(api.agents.update, { id: _id, patch: { spending: { monthlyLimitUsd } }, isDraft })
    await limit(5, false)
    await limit(50, true)
    await person.http.mutation(api.organizations.update, { patch: { monthlySpendLimitUsd: 12.5 } })
    expect(await spend(person)).toMatchObject({ limitUsd: 12.5, agents: [{ name: 'Helper', limitUsd: 5 }] })
  })

  it('grows on an open page, and loses nothing when many are recorded at the same time', async () => {
    const person = await app.signUp()
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    const seen = new Promise<MonthSpend>((done) => {
      person.live().onUpdate(api.billing.getMonthSpend, { month }, (spending) => {
        if (spending.total.messages === 40) done(spending)
      })
    })
    await Promise.all(Array.from({ length: 40 }, () => record(person, event({ agentId, call: priced(25_000) }))))
    expect((await seen).agents).toMatchObject([{ agentId, messages: 40, tokens: 4800, costUsd: 1 }])
  })

  it('follows the time zone of the organization', async () => {
    const person = await app.signUp()
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    const thisMonth = new Date().toISOString().slice(0, 7)
    const lastMonth = new Date(Date.parse(`${thisMonth}-01T00:00Z`) - 1).toISOString().slice(0, 7)
    const costs = async () => [
      (await spend(person, lastMonth)).total.costUsd,
      (await spend(person, thisMonth)).total.costUsd,
    ]
    const occurredAt = new Date(`${thisMonth}-01T00:30Z`)
    await record(person, event({ agentId, call: priced(1_000_000), occurredAt }))
    expect(await costs()).toEqual([0, 1])
    await person.http.mutation(api.organizations.update, { patch: { timeZone: 'America/New_York' } })
    expect(await costs()).toEqual([1, 0])
    await record(person, event({ agentId, call: priced(500_000), occurredAt }))
    expect(await costs()).toEqual([1.5, 0])
  })
})
