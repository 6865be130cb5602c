// What each number of analytics means, and that the inbox lists exactly what stands behind it.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { behind } from '#shared/analytics/links.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { AnalyticsWorld } from '#tests/analytics-world.ts'
import { api, startApp, type TestApp } from '#tests/app.ts'

const MAY = { from: '2026-05-01', to: '2026-05-31' }
const MINUTE = 60_000

let app: TestApp
let world: AnalyticsWorld

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  world = await AnalyticsWorld.open(app)
})

async function figures(filters = {}) {
  return (await world.overview(MAY, filters)).figures
}

/** Asked and answered by the agent. */
async function answered(at = '2026-05-10T10:00Z', options = {}): Promise<Id<'conversations'>> {
  const { conversationId: id } = await world.begin(at, options)
  await world.says(id, 'customer', at)
  await world.says(id, 'agent', Date.parse(at) + MINUTE)
  return id
}

const end = (conversationId: Id<'conversations'>) =>
  world.person.http.mutation(api.conversations.end, { conversationId })
const pause = (conversationId: Id<'conversations'>) =>
  world.person.http.mutation(api.conversations.pause, { conversationId })

describe('an outcome', () => {
  it('is resolved where an answer of the agent is the last word, and unanswered where the customer’s is', async () => {
    const id = await answered()
    expect(await figures()).toMatchObject({ conversations: 1, resolved: 1, unanswered: 0 })
    await world.says(id, 'customer', '2026-05-10T10:05Z')
    expect(await figures()).toMatchObject({ conversations: 1, resolved: 0, unanswered: 1 })
  })

  it('does not follow from notices and ratings', async () => {
    const id = await answered()
    await world.says(id, 'rating', '2026-05-10T11:00Z')
    await world.says(id, 'notice', '2026-05-10T11:01Z')
    expect(await figures()).toMatchObject({ resolved: 1, messages: { customer: 2, agent: 2, operator: 0 } })
    const { conversationId: unanswered } = await world.begin('2026-05-11T10:00Z')
    await world.says(unanswered, 'customer', '2026-05-11T10:00Z')
    await world.says(unanswered, 'notice', '2026-05-11T10:01Z')
    expect(await figures()).toMatchObject({ resolved: 1, unanswered: 1 })
  })

  it('is handed off by the first call, for whatever came later', async () => {
    const id = await answered()
    await pause(id)
    await world.person.http.mutation(api.conversations.resume, { conversationId: id })
    await world.says(id, 'operator', '2026-05-10T12:00Z')
    await world.says(id, 'customer', '2026-05-10T12:01Z')
    await world.says(id, 'agent', '2026-05-10T12:02Z')
    expect(await figures()).toMatchObject({ resolved: 0, handedOff: 1, unanswered: 0 })
    expect((await world.breakdown('reason', MAY)).rows.map(({ key, conversations }) => [key, conversations])).toEqual([
      ['operator', 1],
    ])
  })

  it('is handed off where a person writes uncalled, and not where the customer wants silence', async () => {
    const written = await answered()
    await world.says(written, 'operator', '2026-05-10T12:00Z')
    const stopped = await answered()
    await world.write((db) =>
      sql`update conversations set status = 'paused', pause_reason = 'customer_stop' where id = ${stopped}`.execute(db),
    )
    expect(await figures()).toMatchObject({ resolved: 1, handedOff: 1 })
  })

  it('is reopened where the customer writes soon after the end, which subtracts it from the resolved', async () => {
    const id = await answered()
    await end(id)
    expect(await figures()).toMatchObject({ resolved: 1, everReopened: 0 })
    await world.says(id, 'customer', Date.now())
    await world.says(id, 'agent', Date.now())
    expect(await figures()).toMatchObject({ resolved: 0, reopened: 1, everReopened: 1 })
  })

  it('stays resolved where the customer comes back late, and where the end is undone', async () => {
    const late = await answered()
    await end(late)
    await world.write((db) =>
      sql`update conversation_facts set ended_at = now() - interval '8 days' where conversation_id = ${late}`.execute(
        db,
      ),
    )
    await world.says(late, 'customer', Date.now())
    await world.says(late, 'agent', Date.now())
    const undone = await answered()
    await end(undone)
    await world.person.http.mutation(api.conversations.resume, { conversationId: undone })
    expect(await figures()).toMatchObject({ resolved: 2, everReopened: 0 })
  })
})

describe('times', () => {
  it('of the first response and of the resolution are medians and 90th percentiles', async () => {
    for (const minutes of [1, 2, 3, 4, 10]) {
      const { conversationId: id } = await world.begin('2026-05-10T10:00Z')
      await world.says(id, 'customer', '2026-05-10T10:00Z')
      await world.says(id, 'agent', Date.parse('2026-05-10T10:00Z') + minutes * MINUTE)
      await world.says(id, 'customer', '2026-05-10T11:00Z')
      await world.says(id, 'agent', Date.parse('2026-05-10T11:00Z') + minutes * MINUTE)
    }
    const { firstResponse, resolution } = await figures()
    expect(firstResponse).toEqual({ count: 5, medianMs: 3 * MINUTE, p90Ms: 7.6 * MINUTE })
    expect(resolution).toEqual({ count: 5, medianMs: 63 * MINUTE, p90Ms: 4_056_000 })
  })

  it('are unknown of what was not answered', async () => {
    const { conversationId: id } = await world.begin('2026-05-10T10:00Z')
    await world.says(id, 'customer', '2026-05-10T10:00Z')
    expect(await figures()).toMatchObject({
      firstResponse: { count: 0, medianMs: null, p90Ms: null },
      resolution: { count: 0, medianMs: null, p90Ms: null },
    })
  })
})

it('counts ratings, ignorance and cost with its calls of unknown price', async () => {
  const [a, b] = [await answered(), await answered()]
  await world.rates(a, 5)
  await world.rates(b, 2)
  await world.rates(b, 4)
  await world.asks(a, 'parking', true)
  await world.asks(b, 'parking', false)
  await world.spends(a, 300, '2026-05-10T10:01Z')
  await world.spends(a, null, '2026-06-10T10:01Z')
  await world.spends(b, 500, '2026-05-10T10:01Z')
  expect(await figures()).toMatchObject({
    didNotKnow: 1,
    ratings: { count: 2, average: 4.5, scores: [0, 0, 0, 1, 1] },
    cost: { microUsd: 800, perConversation: 400, perResolution: 400, unpricedCalls: 1, unpricedConversations: 1 },
  })
  const { rows } = await world.breakdown('question', MAY)
  expect(rows).toMatchObject([{ key: 'parking', name: 'parking?', conversations: 2, didNotKnow: 1 }])
  const { spend } = await world.overview(MAY)
  expect(spend).toEqual({
    customers: { messages: 2, costMicroUsd: 800, unpricedCalls: 0 },
    test: { messages: 0, costMicroUsd: 0, unpricedCalls: 0 },
  })
})

it('leaves out test chats and what was deleted, and counts what was archived', async () => {
  const [deleted, archived] = [await answered(), await answered()]
  await world.write((db) =>
    sql`insert into conversations (id, organization_id, agent_id, channel, test_user_id, created_at)
      values ('test-${sql.raw(deleted)}', ${world.organizationId}, ${world.agentId}, 'test', ${world.person.user._id}, '2026-05-10Z')`.execute(
      db,
    ),
  )
  const place = (conversationId: Id<'conversations'>, folder: 'archived' | 'deleted' | 'inbox') =>
    world.person.http.mutation(api.conversations.bulk.place, { conversationIds: [conversationId], folder })
  await place(archived, 'archived')
  await place(deleted, 'deleted')
  expect(await figures()).toMatchObject({ conversations: 1, messages: { customer: 1, agent: 1, conversations: 1 } })
  await place(deleted, 'inbox')
  expect(await figures()).toMatchObject({ conversations: 2, messages: { customer: 2 } })
})

it('narrows every number by agent, channel, assignee and tag', async () => {
  const second = (await world.person.http.mutation(api.agents.create, { name: 'Second' }))._id
  const mine = await answered('2026-05-10T10:00Z', { channel: 'whatsapp', agentId: second })
  const other = await answered()
  await world.person.http.mutation(api.conversations.bulk.assign, {
    conversationIds: [mine],
    assigneeId: world.person.user._id,
  })
  await world.person.http.mutation(api.conversations.bulk.tag, { conversationIds: [mine], tag: 'vip', isOn: true })
  await world.rates(other, 3)
  for (const filters of [
    { agentId: second },
    { channel: 'whatsapp' },
    { assigneeId: world.person.user._id },
    { tag: 'vip' },
  ])
    expect(await figures(filters), JSON.stringify(filters)).toMatchObject({
      conversations: 1,
      ratings: { count: 0 },
      messages: { customer: 1, agent: 1 },
    })
  expect(await figures({ assigneeId: null })).toMatchObject({ conversations: 1, ratings: { count: 1 } })
  const agents = (await world.breakdown('agent', MAY)).rows
  expect(agents.map(({ name, conversations }) => [name, conversations]).sort()).toEqual([
    ['First', 1],
    ['Second', 1],
  ])
  expect((await world.breakdown('operator', MAY)).rows.map(({ key }) => key).sort()).toEqual(
    [null, world.person.user._id].sort(),
  )
  for (const filters of [{}, { agentId: second }, { assigneeId: null }, { tag: 'vip' }] as const)
    expect(await world.unequal(MAY, filters), JSON.stringify(filters)).toEqual([])
})

describe('in its time zone', () => {
  it.each([
    ['Asia/Kolkata', '2026-05-09T18:29:59.999Z', '2026-05-09T18:30Z', '6-00'],
    ['Asia/Kathmandu', '2026-05-09T18:14:59.999Z', '2026-05-09T18:15Z', '6-00'],
    ['America/St_Johns', '2026-05-10T02:29:59.999Z', '2026-05-10T02:30Z', '6-00'],
  ])('%s a day begins off the hour of UTC', async (zone, before, after, hour) => {
    await world.moveTo(zone)
    await answered(before)
    const first = await answered(after)
    await answered('2026-05-10T12:00Z')
    const { bars } = await world.overview({ from: '2026-05-09', to: '2026-05-10' })
    expect(bars.map(({ conversations, messages }) => [conversations, messages.customer])).toEqual([
      [1, 1],
      [2, 2],
    ])
    const { rows } = await world.breakdown('hour', { from: '2026-05-10', to: '2026-05-10' })
    expect(rows[0]).toMatchObject({ key: hour, conversations: 1 })
    expect(await world.count({ facts: { weekday: 6, hour: 0 } })).toBe(1)
    expect(first).toBeTruthy()
    expect(await world.unequal({ from: '2026-05-09', to: '2026-05-10' })).toEqual([])
  })

  it('a day of 25 hours has 25 bars, and the hour that comes twice has two', async () => {
    await world.moveTo('Europe/Berlin')
    await answered('2026-10-25T00:30Z')
    await answered('2026-10-25T01:30Z')
    const { bars } = await world.overview({ from: '2026-10-25', to: '2026-10-25' }, {}, 'hour')
    expect(bars).toHaveLength(25)
    expect(bars.map(({ conversations }) => conversations).slice(0, 5)).toEqual([0, 0, 1, 1, 0])
    expect((await world.breakdown('hour', { from: '2026-10-25', to: '2026-10-25' })).rows).toMatchObject([
      { key: '6-02', conversations: 2 },
    ])
  })

  it('an hour leads to what was written in it, and a day to what was written on it', async () => {
    await world.moveTo('Asia/Kolkata')
    await answered('2026-05-10T10:29:30Z') // asked before four o'clock, answered after it
    await answered('2026-05-10T12:00Z')
    const [day] = (await world.overview({ from: '2026-05-10', to: '2026-05-10' })).bars
    const hours = (await world.overview({ from: '2026-05-10', to: '2026-05-10' }, {}, 'hour')).bars
    const spoken = hours.filter(({ messages }) => messages.customer + messages.agent > 0)
    const counts = await Promise.all(spoken.map((bar) => world.count(behind('written', bar))))
    expect([spoken.length, counts]).toEqual([3, [1, 1, 1]])
    expect(await world.count(behind('written', hours[0] ?? { start: 0, end: 0 }))).toBe(0)
    expect(await world.count(behind('written', day ?? { start: 0, end: 0 }))).toBe(2)
  })

  it('a change of it moves what was counted, and loses nothing', async () => {
    await answered('2026-05-01T01:00Z')
    expect(await figures()).toMatchObject({ conversations: 1, messages: { customer: 1 } })
    await world.moveTo('America/New_York')
    expect(await figures()).toMatchObject({ conversations: 0, messages: { customer: 0 } })
    expect((await world.overview({ from: '2026-04-30', to: '2026-04-30' })).figures).toMatchObject({ conversations: 1 })
  })
})

it('compares with as many days before', async () => {
  await answered('2026-05-07T10:00Z')
  await answered('2026-05-08T10:00Z')
  await answered('2026-05-14T10:00Z')
  const { before, figures, figuresBefore } = await world.overview({ from: '2026-05-08', to: '2026-05-14' })
  expect(before).toMatchObject({ from: '2026-05-01', to: '2026-05-07' })
  expect([figures.conversations, figuresBefore.conversations]).toEqual([2, 1])
})

it.each([
  [{ from: '2026-05-02', to: '2026-05-01' }, 'invalid_range'],
  [{ from: '2024-01-01', to: '2026-05-01' }, 'range_too_long'],
])('refuses the range %j by %s', async (range, code) => {
  const refused = await world.overview(range).catch(appErrorData)
  expect(refused).toMatchObject({ code })
})

it('is live, though facts are not captured themselves', async () => {
  const shown: number[] = []
  const args = { range: MAY, interval: 'day' as const }
  const stop = world.person
    .live()
    .onUpdate(api.analytics.overview, args, ({ figures: { resolved } }) => shown.push(resolved))
  await vi.waitFor(() => expect(shown.at(-1)).toBe(0), { timeout: 20_000 })
  const id = await answered()
  await vi.waitFor(() => expect(shown.at(-1)).toBe(1), { timeout: 20_000 })
  await world.says(id, 'operator', '2026-05-10T12:00Z')
  await vi.waitFor(() => expect(shown.at(-1)).toBe(0), { timeout: 20_000 })
  stop()
})

it('goes with what is removed', async () => {
  const id = await answered()
  const late = await world.says(id, 'customer', '2026-05-20T10:00Z')
  await world.write((db) => sql`delete from messages where id = ${late}`.execute(db))
  expect(await figures()).toMatchObject({ messages: { customer: 1, agent: 1 } })
  await world.write((db) => sql`delete from conversations where id = ${id}`.execute(db))
  expect(await figures()).toMatchObject({ conversations: 0, messages: { customer: 0, agent: 0, conversations: 0 } })
  const left = await world.write((db) => sql`select from message_days`.execute(db))
  expect(left.rows).toEqual([])
})
