// What a server costs its database while nothing happens.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { releaseHolds } from '#server/domain/billing/holds.job.ts'
import { embedChunks } from '#server/domain/knowledge/documents/embeddings/embeddings.job.ts'
import { endInactive } from '#server/platform/auth/sessions.store.ts'
import { watchFileStores } from '#server/platform/files/watch-stores.ts'
import { withBriefGroups } from '#server/platform/jobs/brief-jobs.ts'
import { jobs } from '#server/work.ts'
import { startApp } from '#tests/app.ts'
import { openTestDatabase } from '#tests/database.ts'

/** Until it has come to rest after its start, and how long it is counted then. */
const REST_MS = 5000
const COUNTED_MS = 8000
/** In that time: two a second. It made more than sixty when everything was looked for all the time, and makes about ten. */
const MOST = 16
/** Longer than the pause between two looks for commits of others after one was found. */
const QUIET_MS = 2500
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

it('a sweep that finds nothing is no commit: each has everything that waits for commits look for two seconds', async () => {
  const test = await openTestDatabase()
  const { database } = test
  const log = pino({ level: 'silent' })
  const onCommit = vi.fn()
  database.onCommit(onCommit)
  await sleep(QUIET_MS)
  try {
    while (onCommit.mock.calls.length > 0) {
      // those of the start are found by polling, too
      onCommit.mockClear()
      await sleep(QUIET_MS)
    }
    await database.system('test', endInactive)
    await releaseHolds(database, new Date())
    await embedChunks({ database, embeddings: null }, AbortSignal.timeout(60_000))
    const stop = await watchFileStores({ database, files: { id: 'store' }, log })
    stop()
    expect(onCommit).not.toHaveBeenCalled()
  } finally {
    await test.close()
  }
})

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
