// What one answer costs does not depend on who else is being answered: counted in rows that its transactions read, in an installation
// so young that the database has no statistics and has kept the plans that it made while everything was empty.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database, Db } from '#server/db/database.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const OTHERS = 80
const ROWS_AT_MOST = 60

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 9000
let counted: number[] = []

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(counting(test.database), telegram)
  await world.start()
  bot = await world.addBot()
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})

it('reads few rows for an answer, however many others were given', async () => {
  for (let other = 0; other < OTHERS; other++) await ask(++chat)
  await ask(++chat)
  counted = []
  await ask(chat)
  const read = counted.reduce((sum, rows) => sum + rows, 0)
  expect(world.telegram.sentTo(chat)).toHaveLength(2)
  expect(read).toBeGreaterThan(5) // else nothing was counted
  expect(read).toBeLessThan(ROWS_AT_MOST)
})

async function ask(customer: number): Promise<void> {
  telegram.customerSays(bot.token, customer, 'Do you deliver?')
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  await world.pipeline.settle()
}

/** The database, with the rows noted that each transaction of an organization reads. */
function counting(database: Database): Database {
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'organization') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      const organization: Database['organization'] = (id, run, options) => {
        const watched = async (db: Db) => {
          const before = await rowsRead(db)
          const value = await run(db)
          counted.push((await rowsRead(db)) - before)
          return value
        }
        const { statements } = options ?? {}
        const more = statements === undefined ? {} : { statements: statements + 2 } // those that count
        return target.organization(id, watched, { ...options, ...more })
      }
      return organization
    },
  })
}

/** So far, by this connection: transactions that ended just now may be among them. */
async function rowsRead(db: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables`.execute(
    db,
  )
  return rows[0]?.read ?? 0
}
