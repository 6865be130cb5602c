// Jobs: queued with the transaction, run at least once, local ones only where their files are.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '#server/platform/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { defineJob, type Job } from './jobs.ts'
import { grantSending, splitStatements } from './pg-boss.database.ts'
import { createJobs, type Jobs } from './pg-boss.ts'

type Context = { runs: string[] }

let test: TestDatabase
let started: Jobs[]
let ctx: Context

const note = defineJob<{ text: string }, Context>({
  name: 'test.note',
  limitSeconds: 10,
  concurrency: 2,
  async run(context, { text }) {
    context.runs.push(text)
  },
})

beforeEach(async () => {
  test = await openTestDatabase()
  started = []
  ctx = { runs: [] }
})
afterEach(async () => {
  await Promise.all(started.map((jobs) => jobs.stop()))
  await test.close()
})

async function start(jobs: Job<never, Context>[], fileStoreId: string = randomUUID()): Promise<Jobs> {
  const created = createJobs({ database: test.database, fileStoreId, log: createLogger('silent') })
  started.push(created)
  await created.start(jobs, ctx)
  return created
}

describe('sending', () => {
  it('runs a job after the transaction commits, in every scope', async () => {
    const jobs = await start([note])
    const organizationId = 'o'.repeat(32) as Id<'organizations'>
    await test.database.organization(organizationId, (db) => jobs.send(db, note, { text: 'organization' }))
    await test.database.system('test', (db) => jobs.send(db, note, { text: 'system' }))
    await jobs.settle()
    expect(ctx.runs.sort()).toEqual(['organization', 'system'])
  })

  it('runs each of several jobs that are sent at once, and none where there are none', async () => {
    const jobs = await start([note])
    const texts = Array.from({ length: 30 }, (_, at) => `${at}`)
    const send = (data: { text: string }[]) => test.database.system('test', (db) => jobs.sendAll(db, note, data))
    await send([])
    await send(texts.map((text) => ({ text })))
    await jobs.settle()
    expect(ctx.runs.sort()).toEqual(texts.sort())
  })

  it('runs no job of a transaction that is rolled back', async () => {
    const jobs = await start([note])
    const failing = test.database.system('test', async (db) => {
      await jobs.send(db, note, { text: 'lost' })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await jobs.settle()
    expect(ctx.runs).toEqual([])
  })

  it('does not run a job before its time', async () => {
    const jobs = await start([note])
    const at = new Date(Date.now() + 3_600_000)
    await test.database.system('test', (db) => jobs.send(db, note, { text: 'later' }, { at }))
    await jobs.settle()
    expect(ctx.runs).toEqual([])
  })

  it('runs a job when its time has come, though nothing is committed then', async () => {
    const jobs = await start([note])
    const at = new Date(Date.now() + 500)
    await test.database.system('test', (db) => jobs.send(db, note, { text: 'later' }, { at }))
    await vi.waitFor(() => expect(ctx.runs).toEqual(['later']), { timeout: 10_000, interval: 50 })
  })
})

describe('sending the same work again and again', () => {
  it('does it at once, and once more for all that comes later', async () => {
    const jobs = await start([note])
    const send = (key: string) =>
      test.database.system('test', (db) => jobs.send(db, note, { text: key }, { merged: { key, everySeconds: 3_600 } }))
    for (let time = 0; time < 5; time++) await send('one')
    await send('other')
    await jobs.settle()
    expect(ctx.runs.sort()).toEqual(['one', 'other'])
    const { rows } = await sql`select data from jobs.job where name = ${note.name} and start_after > now()`.execute(
      test.database.root,
    )
    expect(rows).toEqual([{ data: { text: 'one' } }])
  })
})

describe('starting', () => {
  const hourly = { ...note, name: 'test.hourly', schedule: '0 * * * *' }
  const stored = async () => {
    const { rows } = await sql`select q.name, q.expire_seconds, q.updated_on, s.cron, s.updated_on as scheduled_on
      from jobs.queue q left join jobs.schedule s on s.name = q.name where q.name like 'test.%' order by q.name`.execute(
      test.database.root,
    )
    return rows
  }

  it('writes nothing where the queues are as they are to be, and jobs can be sent at once', async () => {
    await (await start([note, hourly])).stop()
    const before = await stored()
    const again = await start([note, hourly])
    await test.database.system('test', (db) => again.send(db, note, { text: 'sent' }))
    await again.settle()
    expect(ctx.runs).toEqual(['sent'])
    expect(await stored()).toEqual(before)
  })

  it('changes a limit and a schedule that are others now', async () => {
    await (await start([note, hourly])).stop()
    await start([
      { ...note, limitSeconds: 20 },
      { ...hourly, schedule: '30 * * * *' },
    ])
    expect(await stored()).toMatchObject([
      { name: 'test.hourly', cron: '30 * * * *' },
      { name: 'test.note', expire_seconds: 20 },
    ])
  })

  it('grants the right to send from several servers at the same moment', async () => {
    await start([note])
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 4 }, () => grantSending(test.database.root)))
  })
})

describe('running', () => {
  it('tries a failed job again', async () => {
    let attempts = 0
    const again = Promise.withResolvers<void>()
    const failing = defineJob<object, Context>({
      name: 'test.failing',
      limitSeconds: 10,
      concurrency: 1,
      async run() {
        if (++attempts === 2) again.resolve()
        else throw new Error('first time')
      },
    })
    const jobs = await start([failing])
    await test.database.system('test', (db) => jobs.send(db, failing, {}))
    await again.promise
    expect(attempts).toBe(2)
  })

  it('runs local jobs only where the same files are', async () => {
    const local = { ...note, name: 'test.local', isLocal: true }
    const here = await start([local], 'store-a')
    const elsewhere: Context = { runs: [] }
    const other = createJobs({ database: test.database, fileStoreId: 'store-b', log: createLogger('silent') })
    started.push(other)
    await other.start([local], elsewhere)
    await test.database.system('test', (db) => here.send(db, local, { text: 'here' }))
    await here.settle()
    expect([ctx.runs, elsewhere.runs]).toEqual([['here'], []])
  })

  it('aborts what runs when it is stopped, and another process takes it up', async () => {
    const began = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<void>()
    let isFirst = true
    const long = defineJob<object, Context>({
      name: 'test.long',
      limitSeconds: 60,
      concurrency: 1,
      async run(context, _, signal) {
        if (!isFirst) {
          context.runs.push('taken up')
          return
        }
        isFirst = false
        signal.addEventListener('abort', () => aborted.resolve())
        began.resolve()
        await new Promise(() => {})
      },
    })
    const first = await start([long])
    await test.database.system('test', (db) => first.send(db, long, {}))
    await began.promise
    await first.stop()
    await aborted.promise
    const second = await start([long])
    await expect.poll(() => ctx.runs, { timeout: 20_000 }).toEqual(['taken up'])
    await second.settle()
  })
})

describe('scripts', () => {
  it('are split at their semicolons only', () => {
    const script = `begin; select 'a;''b', ";", $$x;$$, $f$ ; $$ ; $f$; -- c;d
      insert into t /* ; */ values (1); ; commit;`
    expect(splitStatements(script)).toEqual([
      'begin',
      `select 'a;''b', ";", $$x;$$, $f$ ; $$ ; $f$`,
      `-- c;d\n      insert into t /* ; */ values (1)`,
      'commit',
    ])
  })
})
