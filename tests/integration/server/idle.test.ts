// What a server costs its database while nothing happens.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { withBriefGroups } from '#server/platform/jobs/brief-jobs.ts'
import { jobs } from '#server/work.ts'
import { startApp } from '#tests/app.ts'

/** Until it has come to rest after its start, and how long it is counted then. */
const REST_MS = 5000
const COUNTED_MS = 8000
/** In that time: two a second. It made more than sixty when everything was looked for all the time, and makes about ten. */
const MOST = 16
/** What begins and ends a transaction of statements. */
const TRANSACTION = /^\s*(begin|commit|rollback|set local)/i
/** Queued jobs that schedules begin in an hour: each costs seven transactions. */
const MOST_SCHEDULED = 220

afterEach(() => {
  vi.restoreAllMocks()
})

it('an idle server asks its database for little', async () => {
  const app = await startApp()
  try {
    await sql`delete from jobs.schedule`.execute(app.database.root) // counted below
    await sleep(REST_MS)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await sleep(COUNTED_MS)
    const statements = query.mock.calls.map(([asked]) => textOf(asked)).filter((text) => !TRANSACTION.test(text))
    expect(statements.filter((text) => /installation_brand|model_prices/.test(text))).toHaveLength(0)
    expect(statements.length).toBeLessThanOrEqual(MOST)
  } finally {
    await app.close()
  }
}, 60_000)

it('schedules begin few jobs', () => {
  const crons = withBriefGroups(jobs, pino({ level: 'silent' })).flatMap(({ schedule }) => (schedule ? [schedule] : []))
  const perHour = crons.reduce((sum, cron) => sum + timesPerHour(cron), 0)
  expect(perHour).toBeLessThanOrEqual(MOST_SCHEDULED)
})

function textOf(asked: unknown): string {
  return typeof asked === 'string' ? asked : (asked as { text: string }).text
}

/** Of the schedules that are used here: every minute, every few, or more seldom than hourly. */
function timesPerHour(cron: string): number {
  const [minute = ''] = cron.split(' ')
  if (minute === '*') return 60
  const step = /^\*\/(\d+)$/.exec(minute)?.[1]
  return step ? 60 / Number(step) : 1
}
