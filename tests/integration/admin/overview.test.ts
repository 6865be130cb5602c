// What the installation uses: sums of past days and the events since agree with all events, however often days are summed up.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordUsage, uncountMessages } from '#server/domain/billing/billing.store.ts'
import { sumUpUsage } from '#server/domain/billing/usage-days.job.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { type InstallationOverview, OVERVIEW_RANGES, type OverviewRange } from '#shared/organizations/overview.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { seededRandom } from '#tests/random.ts'

const DAY_MS = 86_400_000
const MODELS = ['openai/gpt-5-mini', 'openai/unheard-of', null] as const
let app: TestApp
let admin: Person
const organizations: Id<'organizations'>[] = []
beforeAll(async () => {
  app = await startApp()
  admin = await app.signUp({ organization: 'First' })
  for (const person of [
    admin,
    await app.signUp({ organization: 'Second' }),
    await app.signUp({ organization: 'Idle' }),
  ])
    organizations.push(person.organization._id)
})
afterAll(() => app.close())

const overview = (range: OverviewRange): Promise<InstallationOverview> =>
  admin.http.query(api.admin.overview.get, { range })
const inOrganization = <T>(at: number, run: Parameters<typeof app.database.organization<T>>[1]) =>
  app.database.organization(organizations[at] as Id<'organizations'>, run)

let events = 0
async function use(
  at: number,
  daysAgo: number,
  { model, cost, messages }: { model: string | null; cost: number | null; messages: number },
) {
  const organizationId = organizations[at] as Id<'organizations'>
  const sourceId = `event ${++events}`
  const provider = 'openai' as const
  const priced = cost === null ? null : 'v'
  const call =
    model === null
      ? null
      : { provider, model, inputTokens: 10, outputTokens: 5, costMicroUsd: cost, priceVersion: priced }
  await inOrganization(at, (db) =>
    recordUsage(
      { db, organizationId },
      {
        ...{ sourceId, agentId: null, category: 'agent_response', channel: 'telegram', messages, call },
        occurredAt: new Date(Date.now() - daysAgo * DAY_MS),
      },
    ),
  )
  return sourceId
}

/** The same as the overview's totals, of the events themselves. */
async function plain(days: number) {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  return app.database.system('test: all events', async (db) => {
    const { rows } = await sql`
      select coalesce(sum(messages), 0)::float8 as messages, coalesce(sum(input_tokens + output_tokens), 0)::float8 as tokens,
        coalesce(sum(cost_micro_usd), 0)::float8 as "costMicroUsd",
        (count(*) filter (where model is not null and cost_micro_usd is null))::float8 as "unpricedCalls"
      from usage_events where occurred_at >= ${new Date(today + DAY_MS - days * DAY_MS)}`.execute(db)
    return rows[0]
  })
}

describe('the overview', () => {
  it('is for administrators of the installation only', async () => {
    const other = await app.signUp({ organization: 'Curious' })
    organizations.push(other.organization._id)
    const refused = other.http.query(api.admin.overview.get, { range: '7d' })
    await expect(refused).rejects.toSatisfy((error) => appErrorData(error)?.code === 'admin_required')
  })

  it('shows nothing used before anything is', async () => {
    const { totals, days, topOrganizations, topModels, organizations: all } = await overview('7d')
    expect(totals).toEqual({ messages: 0, tokens: 0, costMicroUsd: 0, unpricedCalls: 0 })
    expect(days).toHaveLength(7)
    expect([topOrganizations, topModels]).toEqual([[], []])
    expect(all).toMatchObject({ count: organizations.length, fresh: organizations.length, active: 0 })
  })

  it('agrees with all events before and after their days are summed up, and with messages taken back later', async () => {
    const random = seededRandom(7)
    for (let at = 0; at < 60; at++) {
      const model = MODELS[random.below(3)] ?? null
      const cost = model === 'openai/gpt-5-mini' ? random.below(900) : null
      await use(random.below(2), random.below(100), { model, cost, messages: 1 })
    }
    const agrees = async () => {
      for (const range of Object.keys(OVERVIEW_RANGES) as OverviewRange[]) {
        const { totals, days, topOrganizations } = await overview(range)
        expect(totals).toEqual(await plain(OVERVIEW_RANGES[range]))
        const sum = (rows: readonly { messages: number }[]) => rows.reduce((all, { messages }) => all + messages, 0)
        expect([sum(days), sum(topOrganizations)]).toEqual([totals.messages, totals.messages])
      }
    }
    await agrees()
    await sumUpUsage(app.database, new Date())
    await agrees()
    const late = await use(0, 1, { model: MODELS[0], cost: 77, messages: 1 })
    await use(0, 0, { model: MODELS[0], cost: 5, messages: 1 })
    const organizationId = organizations[0] as Id<'organizations'>
    await inOrganization(0, (db) => uncountMessages({ db, organizationId }, [late]))
    for (let times = 0; times < 2; times++) await sumUpUsage(app.database, new Date())
    await agrees()
  })

  it('lists organizations by their messages and models by their cost', async () => {
    for (let at = 0; at < 80; at++) await use(1, 2, { model: 'openai/dear', cost: 10_000, messages: 1 })
    await sumUpUsage(app.database, new Date())
    const { topOrganizations, topModels, modelCount, organizations: all } = await overview('30d')
    expect(topOrganizations.map(({ name }) => name)).toEqual(['Second', 'First'])
    expect(topModels[0]).toMatchObject({ name: 'openai/dear', calls: 80, costMicroUsd: 800_000, unpricedCalls: 0 })
    expect(topModels.find(({ name }) => name === 'openai/unheard-of')?.unpricedCalls).toBeGreaterThan(0)
    expect([modelCount, all.active]).toEqual([3, 2])
  })
})
