// A few outages of each kind; all of them: `npm run chaos:database`. The restarts need a PostgreSQL of their own.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RestartablePostgres, startOwnPostgres } from '#tests/postgres.ts'
import { runOutages } from './database.ts'

/** Far more than it takes, and less than a lease. */
const ANSWERED_WITHIN_MS = 10_000

let postgres: RestartablePostgres
beforeAll(async () => {
  postgres = await startOwnPostgres({ isDurable: true })
}, 120_000)
afterAll(() => postgres.stop())

it('no server exits, and no message is lost, duplicated or left unanswered when the database goes away', async () => {
  const { complaints, ...figures } = await runOutages(postgres, { terminations: 4, restarts: 2, spoilt: 4 })
  console.log(figures)
  expect(complaints).toEqual([])
  expect(figures.kills).toBe(10)
  expect(figures.messages).toBeGreaterThan(100)
  expect(figures.unknown).toBe(0)
  expect(figures.untilAnswer.most).toBeLessThan(ANSWERED_WITHIN_MS)
}, 900_000)
