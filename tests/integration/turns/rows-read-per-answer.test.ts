// The cost of one answer does not depend on other answers in progress: counted in rows that its transactions read. The tables here are
// so small that a sequential scan can be the cheapest plan; that plan is disabled, so that the counts are those of a large table.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordOutcomes } from '#server/domain/messaging/outbox/deliver.store.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const OTHERS = 130
const ROWS_AT_MOST = 120
/** A transaction that conflicts with another one is run, and counted, again: on a busy machine in several rounds. */
const ROUNDS_AT_MOST = 10

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
  await analyse() // as autovacuum does at some time, so that each run uses current plans
  await ask(++chat)
  let read = Number.POSITIVE_INFINITY
  let rounds = 0
  while (read >= ROWS_AT_MOST && rounds < ROUNDS_AT_MOST) {
    counted = []
    await ask(chat)
    read = counted.reduce((sum, rows) => sum + rows, 0)
    rounds++
  }
  expect(world.telegram.sentTo(chat)).toHaveLength(rounds + 1)
  expect(read).toBeGreaterThan(5) // otherwise nothing was counted
  expect(read).toBeLessThan(ROWS_AT_MOST)
}, 240_000) // so many answers take their time on a busy machine

it('reads few rows to delay or drop the next part of an answer, however many parts of others wait', async () => {
  const { id: conversationId, organizationId, connectionId } = await conversationOf(++chat)
  const part = (messageId: Id<'messages'>, number: number, status: 'queued' | 'sending') => ({
    ...{ id: newId('outbox'), organization_id: organizationId, conversation_id: conversationId, status },
    ...{ connection_id: connectionId, message_id: messageId, external_chat_id: String(chat), part: number },
    ...{ text: 'A part', delay_ms: 1000, not_before: new Date(Date.now() + 3_600_000) },
  })
  const messageId = newId('messages')
  const first = part(messageId, 0, 'sending')
  const others = Array.from({ length: 4 * OTHERS }, () => part(newId('messages'), 1, 'queued'))
  await analyse() // the worst moment: no part is open, and many are soon
  await test.database.system('test: parts wait', (db) =>
    db
      .insertInto('outbox')
      .values([first, part(messageId, 1, 'queued'), ...others])
      .execute(),
  )
  const end = { id: first.id, externalMessageId: null, error: null, mayHaveArrived: false, delayMs: 0, logged: null }
  const ends = (['sent', 'failed'] as const).map((status) => ({
    ...end,
    ...{ status, isPaced: true, hasReceipts: false },
  }))
  for (const outcome of ends) {
    const read = await test.database.system('test: an outcome', async (db) => {
      await planAsForLargeTables(db)
      await db.updateTable('outbox').set({ status: 'sending' }).where('id', '=', outcome.id).execute()
      const before = await rowsRead(db)
      await recordOutcomes({ db }, [outcome])
      return (await rowsRead(db)) - before
    })
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(ROWS_AT_MOST)
  }
  const next = (await world.parts(chat)).find((each) => each.message_id === messageId && each.part === 1)
  expect(next).toMatchObject({ status: 'failed', error: 'earlier_part' })
})

/** Updates the planner's statistics. Autovacuum does this at any time. */
async function analyse(): Promise<void> {
  const client = new pg.Client(test.url)
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

async function conversationOf(customer: number) {
  await ask(customer)
  return { ...(await world.conversation(customer)), connectionId: bot.connectionId }
}

async function ask(customer: number): Promise<void> {
  telegram.customerSays(bot.token, customer, 'Do you deliver?')
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  await world.pipeline.settle()
}

/** The database, with the rows recorded that each transaction of an organization reads. */
function counting(database: Database): Database {
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'organization') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      const organization: Database['organization'] = (id, run, options) => {
        const watched = async (db: Db) => {
          await planAsForLargeTables(db)
          const before = await rowsRead(db)
          const value = await run(db)
          counted.push((await rowsRead(db)) - before)
          return value
        }
        const { statements } = options ?? {}
        const more = statements === undefined ? {} : { statements: statements + 4 } // our own
        return target.organization(id, watched, { ...options, ...more })
      }
      return organization
    },
  })
}

/** Also drops plans: those that this connection made while everything was empty. */
async function planAsForLargeTables(db: Db): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(db)
  await sql`discard plans`.execute(db)
}

/** Total so far, by this connection: transactions that ended just now may be among them. */
async function rowsRead(db: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables`.execute(
    db,
  )
  return rows[0]?.read ?? 0
}
