// The weekly summary: for those who want it and may see the numbers, on Mondays of the organization's time zone, once.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { raiseSummaries } from '#server/domain/alerts/summaries.ts'
import { summaryText } from '#server/domain/alerts/summaries.words.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { AlertWay } from '#shared/organizations/alerts.ts'
import { AnalyticsWorld } from '#tests/analytics-world.ts'
import { api, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let world: AnalyticsWorld

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  world = await AnalyticsWorld.open(app, 'Asia/Kolkata')
})

async function want(summary: AlertWay[]): Promise<void> {
  const settings = await world.person.http.query(api.alerts.settings, {})
  await world.person.http.mutation(api.alerts.save, { ...settings, ways: { ...settings.ways, summary } })
}

const raiseAt = (at: string) => raiseSummaries(app.database, new AbortController().signal, new Date(at))
const summaries = async () =>
  (await world.person.http.query(api.alerts.list, {})).filter(({ kind }) => kind === 'summary')

/** Monday, 16 November, 9:00 in India. */
const NINE = '2026-11-16T03:30Z'

it('comes on Monday at nine local time, of the week before, once', async () => {
  await want(['browser'])
  await raiseAt('2026-11-16T03:29Z')
  expect(await summaries()).toEqual([])
  await Promise.all([raiseAt(NINE), raiseAt(NINE)])
  await raiseAt('2026-11-17T10:00Z')
  expect(await summaries()).toMatchObject([{ name: '2026-11-09 – 2026-11-15' }])
})

it('is not repeated when it was seen, and comes again in a week', async () => {
  await want(['browser'])
  await raiseAt(NINE)
  await world.person.http.mutation(api.alerts.markSeen, { alertIds: (await summaries()).map(({ _id }) => _id) })
  await raiseAt('2026-11-16T12:00Z')
  expect(await summaries()).toEqual([])
  await raiseAt('2026-11-23T03:30Z')
  expect(await summaries()).toMatchObject([{ name: '2026-11-16 – 2026-11-22' }])
})

it('still comes on Tuesday when no server ran on Monday, and later no more', async () => {
  await want(['browser'])
  await raiseAt('2026-11-17T18:31Z')
  expect(await summaries()).toEqual([])
  await raiseAt('2026-11-17T18:00Z')
  expect(await summaries()).toHaveLength(1)
})

it('comes also when the numbers of another organization cannot be read', async () => {
  await want(['browser'])
  const kept = world
  world = await AnalyticsWorld.open(app, 'Asia/Kolkata')
  await want(['browser'])
  const broken = [kept.organizationId, world.organizationId].sort()[0]
  const whole = broken === kept.organizationId ? world : kept
  const database = {
    ...app.database,
    organization: ((id, ...rest) =>
      id === broken
        ? Promise.reject(new Error('away'))
        : app.database.organization(id, ...rest)) as Database['organization'],
  }
  await expect(raiseSummaries(database, new AbortController().signal, new Date(NINE))).rejects.toThrow(
    'some summaries were not made',
  )
  world = whole
  expect(await summaries()).toHaveLength(1)
})

it('is off until a member wants it, and not for operators', async () => {
  await raiseAt(NINE)
  expect(await summaries()).toEqual([])
  await want(['browser'])
  await app.database.root
    .updateTable('members')
    .set({ role: 'operator' })
    .where('user_id', '=', world.person.user._id)
    .execute()
  await raiseAt(NINE)
  expect(await summaries()).toEqual([])
})

it('holds the numbers that analytics shows for these days', async () => {
  await want(['email'])
  const { conversationId } = await world.begin('2026-11-09T00:00+05:30')
  await world.says(conversationId, 'customer', '2026-11-09T00:00+05:30')
  await world.says(conversationId, 'agent', '2026-11-09T00:02+05:30')
  await world.begin('2026-11-08T23:59+05:30')
  await raiseAt(NINE)
  const row = await app.database.root
    .selectFrom('alerts')
    .where('organization_id', '=', world.organizationId)
    .where('kind', '=', 'summary')
    .select('details')
    .executeTakeFirstOrThrow()
  expect(row.details?.summary).toMatchObject({
    conversations: 1,
    before: 1,
    resolved: 1,
    firstResponseMs: 120_000,
    rating: null,
  })
  const summary = row.details?.summary
  if (!summary) throw new Error('no summary')
  expect(summaryText({ ...summary, unpricedCalls: 2, rating: 4.25 }, 'en')).toBe(
    [
      ...['Conversations begun: 1 (the week before: 1)', 'Resolved by the agent: 1', 'Handed over: 0', 'Unanswered: 0'],
      ...['First response, median: 2 minutes', 'Average rating: 4.3', 'Cost: $0.00 (calls of unknown price: 2)'],
    ].join('\n'),
  )
})
