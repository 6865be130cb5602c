// What probes and screens learn of the database: ready means that a message can be stored, alive that the process is.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import { createWritable } from '#server/platform/db/engine/writable.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { createMigratedDatabase } from '#tests/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/fakes/database-proxy.ts'

describe('the probes of a server', () => {
  let url: string
  let drop: () => Promise<void>
  let proxy: DatabaseProxy
  let app: TestApp
  let admin: pg.Client
  beforeAll(async () => {
    ;({ url, drop } = await createMigratedDatabase())
    proxy = await startDatabaseProxy(url)
    const database = await openDatabase({ databaseUrl: proxy.url, dataDir: '' }, pino({ level: 'silent' }))
    app = await startApp({ database: { database, url: proxy.url, close: () => database.close() } })
  })
  afterAll(async () => {
    await app.close()
    await app.database.close()
    await proxy.close()
    await drop()
  })
  beforeEach(async () => {
    admin = new pg.Client(url)
    await admin.connect()
  })
  afterEach(() => admin.end())

  const probe = async (path: string) => (await fetch(app.url + path)).status
  const probes = () => Promise.all(['/readyz', '/api/health', '/livez'].map(probe))
  /** Changes a setting of all connections made from now on, and ends those that are there. */
  const set = async (setting: string) => {
    await admin.query(
      `set default_transaction_read_only = off; alter database "${new URL(url).pathname.slice(1)}" ${setting}`,
    )
    proxy.cut()
  }
  /** An answer may be a second old. */
  const become = async (statuses: number[]) => {
    await expect.poll(probes, { timeout: 20_000, interval: 100 }).toEqual(statuses)
  }
  const GOOD = [200, 200, 200]
  const BAD = [503, 503, 200]

  it('say in words what they know', async () => {
    const answer = await fetch(`${app.url}/api/health`)
    expect([answer.status, await answer.json(), answer.headers.get('cache-control')]).toEqual([
      200,
      { database: 'ok' },
      'no-store',
    ])
    proxy.away = true
    await become(BAD)
    expect(await (await fetch(`${app.url}/api/health`)).json()).toEqual({ database: 'unavailable' })
    proxy.away = false
    await become(GOOD)
  })

  it.each([
    ['takes no writes, as a standby', 'set default_transaction_read_only = on', 'reset default_transaction_read_only'],
    ['gives the role no right to write', 'set role = pg_read_all_data', 'reset role'],
  ])('see a database that %s', async (_, spoil, mend) => {
    await set(spoil)
    await become(BAD)
    await set(mend)
    await become(GOOD)
  })

  it.each([
    ['the row is written', 'create trigger full_disk before insert or update on write_probe'],
    ['it is committed', 'create constraint trigger full_disk after insert or update on write_probe initially deferred'],
  ])('see a disk that is full when %s', async (_, trigger) => {
    await admin.query(`create or replace function full_disk() returns trigger language plpgsql as
      $$ begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
    await admin.query(`${trigger} for each row execute function full_disk()`)
    await become(BAD)
    await admin.query('drop trigger full_disk on write_probe')
    await become(GOOD)
  })

  it('ask the disk for new blocks: a row that is changed in its place needs none', async () => {
    const files = async () => {
      const { rows } = await admin.query(
        'select temp_files::int as files from pg_stat_database where datname = current_database()',
      )
      return rows[0].files as number
    }
    const before = await files()
    const isMore = async () => {
      await probe('/readyz')
      return (await files()) > before
    }
    await expect.poll(isMore, { timeout: 20_000, interval: 300 }).toBe(true)
  })

  it('see a database that takes a statement and does not answer', async () => {
    await admin.query('begin; lock table write_probe')
    await become(BAD)
    await admin.query('rollback')
    await become(GOOD)
  })

  it('see a connection on which nothing comes any more', async () => {
    proxy.bytesBefore = 1
    proxy.befalls = (name) => (name === 'parley probe' ? 'silent' : 'nothing')
    proxy.cut()
    await become(BAD)
    proxy.befalls = () => 'nothing'
    await become(GOOD)
  })
})

describe('whether the database takes writes', () => {
  it('is found out once for all who ask', async () => {
    let probes = 0
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const isWritable = createWritable(() => {
      probes++
      return answered
    })
    const asked = [isWritable(), isWritable(), isWritable()]
    answer()
    expect(await Promise.all(asked)).toEqual([true, true, true])
    expect([await isWritable(), probes]).toEqual([true, 1])
  })

  it('is no when that is not found out in time', async () => {
    const isWritable = createWritable(async () => void (await sleep(60_000, undefined, { ref: false })))
    expect(await isWritable()).toBe(false)
  })
})
