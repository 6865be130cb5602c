// Several servers on one PostgreSQL: they start together, wake each other and share locks.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { createDatabase, testServer } from '#tests/database.ts'
import { startDatabaseProxy } from '#tests/fakes/database-proxy.ts'
import { addAgent, addOrganization } from '#tests/rows.ts'
import { acquireLock, runInOneProcess } from './acquire-lock.ts'
import type { Database } from './database.ts'
import { pauseMs } from './engine/listen-notify.ts'
import { openDatabase } from './engine/open.ts'

const server = testServer()
const log = pino({ level: 'silent' })

describe('two servers on one PostgreSQL', () => {
  let url: string
  let drop: () => Promise<void>
  let databases: [Database, Database]
  beforeAll(async () => {
    ;({ url, drop } = await createDatabase(server))
    const open = () => openDatabase({ databaseUrl: url, dataDir: '' }, log)
    databases = await Promise.all([open(), open()]) // both find an empty database
  })
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()))
    await drop()
  })

  const cutAll = () =>
    onServer(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}' and pid <> pg_backend_pid()`,
    )
  /** How many sessions hold the lock `kept`. */
  const holders = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_locks where locktype = 'advisory' and granted
        and (classid::bigint << 32) | objid::bigint = hashtextextended('kept', 0)`.execute(databases[0].root)
    return rows.map(({ count }) => count)
  }

  test('migrate it once', async () => {
    expect(await databases[1].root.selectFrom('plans').select('slug').execute()).toHaveLength(4)
  })

  test('tell each other of commits', async () => {
    const [one, two] = databases
    const organizationId = await addOrganization(one)
    const heard = Promise.withResolvers<void>()
    const stop = two.onCommit(() => heard.resolve())
    const before = await two.snapshot(async (snapshot) => snapshot.position)
    await addAgent(one, organizationId)
    await heard.promise
    stop()
    const changes = await two.snapshot((snapshot) => snapshot.changesSince(before))
    expect(changes?.map(({ table }) => table)).toContain('agents')
  })

  test('see a commit that no server announced', async () => {
    const heard = Promise.withResolvers<void>()
    const stop = databases[0].onCommit(() => heard.resolve())
    await onServer(url, `update plans set name = name || '!' where slug = 'pro'`)
    await heard.promise
    stop()
  })

  test('limit an organization on one of them while another is active on the other', async () => {
    const [one, two] = databases
    const [neighbour, hostile] = [await addOrganization(one), await addOrganization(one)]
    const read = (database: Database) => database.organization(neighbour, async (db) => sql`select 1`.execute(db))
    const busy = setInterval(() => void read(one).catch(() => {}), 50)
    try {
      const limited = async () => expect([1, 2, 3]).toContain(await connectionsAtOnce(two, hostile))
      await vi.waitFor(limited, { timeout: 30_000, interval: 1000 })
    } finally {
      clearInterval(busy)
    }
  })

  test('do not run work under one name at the same time', async () => {
    let running = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    }
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => databases[index % 2 === 0 ? 0 : 1].withLock('work', work)),
    )
    expect(most).toBe(1)
  })

  test('keep the locks that they hold when their connections are cut', async () => {
    const [one, two] = databases
    const held = await acquireLock(one, 'kept')
    await cutAll()
    await reconnected(one)
    await reconnected(two)
    await expect.poll(() => holders(), { timeout: 20_000 }).toContain(1)
    let isTaken = false
    const waiting = two.withLock('kept', async () => {
      isTaken = true
    })
    await two.withLock('another', async () => {})
    expect([isTaken, held.lost.aborted]).toEqual([false, false])
    await held.release()
    await waiting
  })

  test('hear that a lock was taken by another server while they had no connection', async () => {
    const proxy = await startDatabaseProxy(url)
    const away = await openDatabase({ databaseUrl: proxy.url, dataDir: '' }, log)
    const held = await acquireLock(away, 'lost')
    proxy.away = true
    const other = await acquireLock(databases[1], 'lost')
    proxy.away = false
    await expect.poll(() => held.lost.aborted, { timeout: 20_000 }).toBe(true)
    await held.release()
    await other.release()
    await away.close()
    await proxy.close()
  })

  test('do what one of them is to do in the other when it is lost there', async () => {
    const proxy = await startDatabaseProxy(url)
    const away = await openDatabase({ databaseUrl: proxy.url, dataDir: '' }, log)
    const stopping = new AbortController()
    const runs: string[] = []
    const start = (name: string, database: Database) =>
      runInOneProcess({ database, name: 'one', signal: stopping.signal, onError: () => {} }, async (signal) => {
        runs.push(`${name} begins`)
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        runs.push(`${name} ends`)
      })
    const first = start('first', away)
    await expect.poll(() => runs).toEqual(['first begins'])
    const second = start('second', databases[1])
    proxy.away = true
    await expect.poll(() => runs, { timeout: 20_000 }).toEqual(['first begins', 'second begins'])
    proxy.away = false
    await expect.poll(() => runs, { timeout: 20_000 }).toEqual(['first begins', 'second begins', 'first ends'])
    stopping.abort()
    await Promise.all([first, second])
    await away.close()
    await proxy.close()
  })

  test('work on after every connection was cut', async () => {
    const [one] = databases
    const organizationId = await addOrganization(one)
    await cutAll()
    await addAgent(one, organizationId)
    expect(await one.withLock('after', async () => 'done')).toBe('done')
    const heard = Promise.withResolvers<void>()
    const stop = databases[1].onCommit(() => heard.resolve())
    await addAgent(one, organizationId)
    await heard.promise
    stop()
  })
})

describe('notifications of commits', () => {
  test('begin when another process is heard', async () => {
    const { url, drop } = await createDatabase(server)
    const other = new pg.Client(url)
    await other.connect()
    await other.query('listen parley_commits')
    const heard: string[] = []
    let arrived = Promise.withResolvers<void>()
    const next = () => {
      arrived = Promise.withResolvers()
      return arrived.promise
    }
    other.on('notification', ({ payload }) => {
      if (payload === 'other') return
      heard.push(payload ?? '')
      arrived.resolve()
    })
    const present = next()
    const database = await openDatabase({ databaseUrl: url, dataDir: '' }, log)
    await present // sends a heartbeat
    const organizationId = await addOrganization(database)
    await addAgent(database, organizationId)
    await sleep(30)
    expect(heard).toHaveLength(1)

    const answered = next()
    await other.query(`select pg_notify('parley_commits', 'other')`)
    await answered
    const announced = next()
    await addAgent(database, organizationId)
    await announced
    expect(new Set(heard.map((text) => text.split(' ')[0])).size).toBe(1)
    expect(heard.at(-1)).not.toContain(' ')

    await database.close()
    await other.end()
    await drop()
  })
})

test('that a process is there is no reason for others to look for commits', async () => {
  const { url, drop } = await createDatabase(server)
  const [other, watched] = [new pg.Client(url), await openDatabase({ databaseUrl: url, dataDir: '' }, log)]
  await other.connect()
  const notify = (announced: string) => other.query(`select pg_notify('parley_commits', '${announced}')`)
  let hints = 0
  let hinted = Promise.withResolvers<void>()
  watched.onCommit(() => {
    hints++
    hinted.resolve()
  })
  await notify('other here') // first heartbeat heard: its earlier commits were announced to no one
  await hinted.promise
  // The commits of the start are found by polling too, until there are no more.
  for (let before = -1; before !== hints; await sleep(3000)) before = hints
  hints = 0
  hinted = Promise.withResolvers()
  for (let at = 0; at < 5; at++) await notify('other here')
  await notify('other') // processed after the heartbeats
  await hinted.promise
  expect(hints).toBe(1)

  await watched.close()
  await other.end()
  await drop()
})

test('who waits long for a lock asks for it seldom, and soon enough after its holder has died', () => {
  const pauses = Array.from({ length: 100 }, (_, attempt) => pauseMs(attempt, 0.5))
  const askedFor = (ms: number) =>
    pauses.findIndex((_, at) => pauses.slice(0, at).reduce((sum, each) => sum + each, 0) > ms)
  expect(askedFor(1000)).toBeGreaterThan(8)
  expect(Math.max(...pauses)).toBe(1300)
  expect(pauseMs(99, 1)).toBeLessThan(2000)
})

describe('a database user without the right to create roles', () => {
  const name = `parley_poor_${process.pid}`
  let cleanUp: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const step of cleanUp.reverse()) await step()
    cleanUp = []
  })

  test('gets the statements that an administrator has to run, and starts once they were run', async () => {
    await onServer(server, `create role ${name} login password 'poor'`)
    cleanUp.push(() => onServer(server, `drop role ${name}`))
    const { url, drop } = await createDatabase(server)
    cleanUp.push(drop)
    const databaseName = new URL(url).pathname.slice(1)
    await onServer(server, `alter database ${databaseName} owner to ${name}`)
    const own = new URL(url)
    own.username = name
    own.password = 'poor'
    const open = () => openDatabase({ databaseUrl: own.toString(), dataDir: '' }, log)
    await expect(open()).rejects.toThrow(`grant parley_app, parley_system to ${name}`)
    await onServer(server, `grant parley_app, parley_system to ${name}`)
    const database = await open()
    const organizationId = await addOrganization(database)
    await addAgent(database, organizationId)
    const agents = await database.organization(organizationId, (db) => db.selectFrom('agents').select('id').execute())
    expect(agents).toHaveLength(1)
    await database.close()
  })
})

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Takes a lock as soon as the connection for locks is there again: who asks while it is being cut is refused. */
async function reconnected(database: Database): Promise<void> {
  const takes = () => database.withLock('connected again', async () => true).catch(() => false)
  await expect.poll(takes, { timeout: 20_000 }).toBe(true)
}

/** How many of ten transactions of an organization are under way before any of them ends. */
async function connectionsAtOnce(database: Database, organizationId: Id<'organizations'>): Promise<number> {
  const gate = Promise.withResolvers<void>()
  let started = 0
  const all = Array.from({ length: 10 }, () =>
    database.organization(organizationId, async (db) => {
      started++
      await sql`select 1`.execute(db)
      await gate.promise
    }),
  )
  await sleep(30)
  gate.resolve()
  const atOnce = started
  await Promise.all(all)
  return atOnce
}
