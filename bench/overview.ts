// How long the overview of an installation takes with 5,000 organizations and 10,000,000 usage events, through the server as a client calls
// it; compared with the plain sums over the events.
import type { ConvexHttpClient } from 'convex/browser'
import pg from 'pg'
import { pino } from 'pino'
import { sumUpUsage } from '#server/domain/billing/usage-days.job.ts'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import { OVERVIEW_RANGES, type OverviewRange } from '#shared/organizations/overview.ts'
import { api, startApp } from '#tests/app.ts'
import { createDatabase } from '#tests/database.ts'
import { startPostgres } from '#tests/postgres.ts'
import { percentile } from './measures.ts'
import { heading, print, table, target } from './report.ts'

const LIMIT_MS = 300
const ORGANIZATIONS = 5_000
const MEMBERS_EACH = 10
const EVENTS = 10_000_000
/** Over which the events are spread. */
const DAYS = 180
/** Rows of one statement. */
const AT_ONCE = 500_000

/** A few organizations write most, as everywhere. The events come in the order of their time. */
const ADD_EVENTS = `
  insert into usage_events (source_id, organization_id, category, channel, messages, provider, model, input_tokens, output_tokens,
    cost_micro_usd, price_version, occurred_at)
  select 'bench ' || i, 'bench ' || floor(power(random(), 3) * $3)::int, 'agent_response', 'telegram', 1, 'openai',
    'openai/model-' || (i % 12), 800, 90, case when i % 12 = 0 then null else 400 + i % 300 end, 'v',
    now() - (1 - i::float8 / $4) * interval '${DAYS} days'
  from generate_series($1::int, $2::int) i`
const ADD_ORGANIZATIONS = `
  insert into organizations (id, name, owner_id, created_at)
  select 'bench ' || i, 'Organization ' || i, 'bench ' || i + 1, now() - random() * interval '1 year' from generate_series(0, $1::int - 1) i`
const ADD_USERS = `
  insert into users (id, name, email, email_verified, created_at)
  select 'bench ' || i, 'Person ' || i, 'person' || i || '@bench.test', true, now() - random() * interval '1 year' from generate_series(1, $1::int) i`
const PLAIN = `
  select organization_id, sum(messages), sum(input_tokens + output_tokens), sum(cost_micro_usd) from usage_events
  where occurred_at >= now() - interval '30 days' group by 1 order by 2 desc limit 25`

/** @param isQuick a tenth of the events, and fewer calls */
export async function benchOverview(isQuick: boolean): Promise<void> {
  heading('Overview of the installation, on PostgreSQL')
  const postgres = await startPostgres()
  const { url } = await createDatabase(postgres.url)
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, pino({ level: 'silent' }))
  const app = await startApp({ database: { database, url, close: () => database.close() } })
  const plain = new pg.Client(url)
  await plain.connect()
  try {
    const admin = await app.signUp()
    await fill(plain, isQuick ? EVENTS / 10 : EVENTS)
    const began = performance.now()
    await sumUpUsage(database, new Date())
    print(`Days summed up for the first time in ${Math.round((performance.now() - began) / 1000)} s.`)
    await plain.query('vacuum analyze usage_days, model_days, usage_events, organizations, users')
    await measure(admin.http, plain, isQuick ? 10 : 40)
  } finally {
    await plain.end()
    await app.close()
    await database.close()
    await postgres.stop()
  }
}

async function fill(plain: pg.Client, events: number): Promise<void> {
  await plain.query(ADD_USERS, [ORGANIZATIONS * MEMBERS_EACH])
  await plain.query(ADD_ORGANIZATIONS, [ORGANIZATIONS])
  for (let from = 1; from <= events; from += AT_ONCE)
    await plain.query(ADD_EVENTS, [from, Math.min(events, from + AT_ONCE - 1), ORGANIZATIONS, events])
}

async function measure(http: ConvexHttpClient, plain: pg.Client, rounds: number): Promise<void> {
  const calls: [string, () => Promise<unknown>][] = (Object.keys(OVERVIEW_RANGES) as OverviewRange[]).map((range) => [
    `overview of ${range}`,
    () => http.query(api.admin.overview.get, { range }),
  ])
  const rows: (string | number)[][] = []
  let worst = 0
  for (const [name, call] of calls) {
    const taken = await timed(call, rounds)
    worst = Math.max(worst, percentile(taken, 0.95))
    rows.push([name, percentile(taken, 0.5), percentile(taken, 0.95)])
  }
  const bare = await timed(() => plain.query(PLAIN), 5)
  rows.push(['plain sums of the events of 30d', percentile(bare, 0.5), percentile(bare, 0.95)])
  table(['', 'p50 ms', 'p95 ms'], rows)
  print('')
  target('Overview of the installation, p95 ms', worst, `≤ ${LIMIT_MS}`, '100')
}

async function timed(call: () => Promise<unknown>, rounds: number): Promise<number[]> {
  const taken: number[] = []
  await call()
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await call()
    taken.push(performance.now() - began)
  }
  return taken
}
