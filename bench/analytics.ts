// How long analytics of a year take over 100,000 conversations and 2,000,000 messages, through the server as a client calls it; compared with
// the plain `group by` over the rows that are counted: what one would write without facts.
import { ConvexHttpClient } from 'convex/browser'
import pg from 'pg'
import { pino } from 'pino'
import { restAll } from '#server/domain/analytics/rest.job.ts'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import { type AnalyticsFilters, type AnalyticsRange, BREAKDOWNS } from '#shared/analytics/analytics.ts'
import { behind } from '#shared/analytics/links.ts'
import { api, startApp } from '#tests/app.ts'
import { signIn } from '#tests/seeds/installation.ts'
import { type BigInbox, OWNER } from './big-inbox.ts'
import { percentile } from './measures.ts'
import { heading, table, target } from './report.ts'

const LIMIT_MS = 300
const DAY_MS = 86_400_000

/** The numbers of a day from the rows themselves: outcomes by the last message, first responses by the first ones, messages by the day. */
const PLAIN = `
  with spoken as (
    select m.conversation_id, (array_agg(m.author order by m.sequence desc))[1] as last_word,
      min(m.created_at) filter (where m.author = 'customer') as asked_at, min(m.created_at) filter (where m.author = 'agent') as answered_at,
      count(*) filter (where m.author = 'customer') as customer, count(*) filter (where m.author = 'agent') as agent
    from messages m group by 1
  )
  select date_trunc('day', c.created_at) as day, count(*), count(*) filter (where s.last_word = 'agent') as resolved,
    sum(s.customer) as customer, sum(s.agent) as agent,
    percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from s.answered_at - s.asked_at)) as first_response
  from conversations c join spoken s on s.conversation_id = c.id
  where c.folder <> 'deleted' and c.created_at > now() - interval '1 year' group by 1`

/** @param isQuick fewer calls */
export async function benchAnalytics(isQuick: boolean, { databaseUrl, agentId, tidy }: BigInbox): Promise<void> {
  heading('Analytics, on PostgreSQL')
  const database = await openDatabase({ databaseUrl, dataDir: '' }, pino({ level: 'silent' }))
  await restAll(database, new Date(), new AbortController().signal) // as its server does every hour
  await tidy()
  const app = await startApp({
    database: { database, url: databaseUrl, close: () => database.close() },
    hasRealPasswords: true,
  })
  const plain = new pg.Client(databaseUrl)
  await plain.connect()
  try {
    const { token } = await signIn(app.url, OWNER)
    const http = new ConvexHttpClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false })
    http.setAuth(token)
    await measureAll(callsOf(http, { agentId }), plain, isQuick ? 10 : 40)
  } finally {
    await plain.end()
    await app.close()
    await database.close()
  }
}

type Calls = Record<string, () => Promise<unknown>>

function callsOf(http: ConvexHttpClient, ofAgent: AnalyticsFilters): Calls {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
  const year: AnalyticsRange = { from: day(364), to: day(0) }
  const overview = (
    interval: 'hour' | 'day' | 'week' | 'month',
    range: AnalyticsRange = year,
    filters: AnalyticsFilters = {},
  ) => http.query(api.analytics.overview, { range, interval, filters })
  const period = { start: Date.now() - 364 * DAY_MS, end: Date.now() }
  return {
    'overview: a year by days': () => overview('day'),
    'overview: a year by months': () => overview('month'),
    'overview: a year, one agent': () => overview('week', year, ofAgent),
    'overview: a year, unassigned': () => overview('week', year, { assigneeId: null }),
    'overview: a year, usual tag': () => overview('week', year, { tag: 'usual' }),
    'overview: 90 days by days': () => overview('day', { days: 90 }),
    'overview: 7 days by hours': () => overview('hour', { days: 7 }),
    ...Object.fromEntries(
      BREAKDOWNS.map((by) => [
        `breakdown of a year: ${by}`,
        () => http.query(api.analytics.breakdown, { by, range: year }),
      ]),
    ),
    'count behind a number of a year': () => http.query(api.conversations.count, behind('resolved', period)),
    'list behind a number of a year': () =>
      http.query(api.conversations.list, {
        paginationOpts: { numItems: 50, cursor: null },
        ...behind('handedOff', period),
      }),
  }
}

async function measureAll(calls: Calls, plain: pg.Client, rounds: number): Promise<void> {
  const bare = await timesOf(Math.ceil(rounds / 8), () => plain.query(PLAIN))
  const rows: [string, number, number, number][] = []
  for (const [name, call] of Object.entries(calls)) {
    const times = await timesOf(rounds, call)
    rows.push([name, percentile(times, 0.5), percentile(times, 0.95), percentile(bare, 0.5) / percentile(times, 0.5)])
  }
  table(
    ['', 'p50 ms', 'p95 ms', 'times faster'],
    [['plain group by, a year by days', percentile(bare, 0.5), percentile(bare, 0.95), 1], ...rows],
  )
  const overview = rows.find(([name]) => name === 'overview: a year by days')
  target('Analytics, a year by days, p95 ms', overview?.[2] ?? Number.NaN, `≤ ${LIMIT_MS}`, '100')
}

/** Milliseconds of each call, after one that warms up. */
async function timesOf(rounds: number, run: () => Promise<unknown>): Promise<number[]> {
  await run()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await run()
    times.push(performance.now() - startedAt)
  }
  return times
}
