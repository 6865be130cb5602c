// Queues as administrators see them, on what pg-boss really keeps.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { AppError } from '#shared/errors.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { defineJob } from './jobs.ts'
import { createJobs, type Jobs } from './pg-boss.ts'
import { listFailing, listQueues, retryFailed } from './queues.store.ts'

type Context = { failure: unknown; runs: number }

const shaky = defineJob<object, Context>({
  name: 'test.shaky',
  limitSeconds: 10,
  concurrency: 1,
  async run(context) {
    context.runs++
    if (context.failure) throw context.failure
  },
})

let test: TestDatabase
let jobs: Jobs
let ctx: Context
beforeEach(async () => {
  test = await openTestDatabase()
  ctx = { failure: null, runs: 0 }
  jobs = createJobs({ database: test.database, fileStoreId: randomUUID(), log: createLogger('silent') })
  await jobs.start([shaky], ctx)
})
afterEach(async () => {
  await jobs.stop()
  await test.close()
})

const inSystem = <T>(
  run: (ctx: { db: Parameters<Parameters<TestDatabase['database']['system']>[1]>[0] }) => Promise<T>,
) => test.database.system('test', (db) => run({ db }))
const send = (at?: Date) => inSystem(({ db }) => jobs.send(db, shaky, {}, at && { at }))
const failing = () => inSystem((store) => listFailing(store, 10))

/** Sends one whose first attempt fails, and takes all further attempts from it. */
async function fail(failure: unknown): Promise<string> {
  ctx.failure = failure
  await send()
  await vi.waitFor(async () => expect(await failing()).toHaveLength(1), { timeout: 45_000, interval: 50 })
  const { rows } = await sql<{ id: string }>`
    update jobs.job set state = 'failed', completed_on = now() where state = 'retry' returning id`.execute(
    test.database.root,
  )
  const [row] = rows
  if (!row) throw new Error('the job was tried again already')
  return row.id
}

it('counts what waits now, and not what is for later', async () => {
  await jobs.stop()
  await send(new Date(Date.now() + 3_600_000))
  expect(await inSystem(listQueues)).toEqual([])
  const at = new Date(Date.now() - 60_000)
  await send(at)
  await send()
  expect(await inSystem(listQueues)).toEqual([{ name: shaky.name, waiting: 2, running: 0, failed: 0, oldestAt: at }])
})

it.each([
  [
    'a refusal of a provider',
    new AdapterError('rate_limited', '429 for +7 701'),
    { kind: 'provider', detail: 'rate_limited' },
  ],
  ['a refusal of ours', new AppError('storage_full'), { kind: 'refused', detail: 'storage_full' }],
  ['a mistake', new TypeError('anna@example.com is no number'), { kind: 'program', detail: 'TypeError' }],
  [
    'an unreachable host',
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    { kind: 'network', detail: 'ECONNREFUSED' },
  ],
])('names %s without its words', async (_, failure, cause) => {
  await fail(failure)
  expect(await failing()).toMatchObject([{ queue: shaky.name, attempts: 1, nextAt: null, cause }])
})

it('queues a failed job again, once', async () => {
  const id = await fail(new Error('once'))
  ctx.failure = null
  expect(await inSystem((store) => retryFailed(store, 'test.other', id))).toBe(false)
  expect(await inSystem((store) => retryFailed(store, shaky.name, 'no id'))).toBe(false)
  expect(await inSystem((store) => retryFailed(store, shaky.name, id))).toBe(true)
  await jobs.settle()
  expect(ctx.runs).toBe(2)
  expect(await failing()).toEqual([])
  expect(await inSystem((store) => retryFailed(store, shaky.name, id))).toBe(false)
})
