// A fresh, migrated database for a test file, on the PostgreSQL that TEST_DATABASE_URL names (tests/global-setup.ts).
import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { Database } from '#server/platform/db/database.ts'
import { fairEngine } from '#server/platform/db/engine/fair-connections.ts'
import { connectListenNotify } from '#server/platform/db/engine/listen-notify.ts'
import { openDatabase, serveDatabase } from '#server/platform/db/engine/open.ts'
import { postgresEngine } from '#server/platform/db/engine/postgres.engine.ts'
import { createSignals } from '#server/platform/db/live/signals.ts'
import { withLockOrder } from './lock-order.ts'

export type TestDatabase = {
  database: Database
  /** Of the fresh database on the PostgreSQL server. */
  url: string
  close(): Promise<void>
}

/** Files that decide which job queues exist. */
const JOBS_FILES = ['node_modules/pg-boss/package.json', 'server/platform/jobs/pg-boss.ts', 'server/work.ts']
const DATABASE_FOLDER = path.resolve(import.meta.dirname, '../server/platform/db')

/** The server that test databases are made on. */
export function testServer(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url)
    throw new Error(
      'TEST_DATABASE_URL is not set: tests/global-setup.ts sets it; set it yourself to run without that file.',
    )
  return url
}

/**
 * Opens a database that no other test uses. Closing it throws everything away. A transaction that locks out of order fails.
 *
 * @param settings of every connection, as `name = value`
 */
export async function openTestDatabase(settings: string[] = []): Promise<TestDatabase> {
  const log = pino({ level: 'silent' })
  const { url, drop } = await createMigratedDatabase(settings)
  const signals = createSignals()
  const engine = fairEngine(withLockOrder(postgresEngine(url, log)))
  const peers = connectListenNotify(url, log, { onHint: () => signals.fire(), onActivity: engine.hear })
  const database = serveDatabase({ engine, signals, peers, log })
  const close = async () => {
    await database.close()
    await drop()
  }
  return { database, url, close }
}

/** A fresh, migrated database that no process has opened yet. */
export async function createMigratedDatabase(settings: string[] = []): Promise<{ url: string; drop(): Promise<void> }> {
  const server = testServer()
  return createDatabase(server, settings, await migratedTemplate(server))
}

/** A database on a server, without `template` an empty one: for tests that bring their own schema. */
export async function createDatabase(
  server: string,
  settings: string[] = [],
  template = 'template0',
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `parley_test_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name} template ${template} encoding 'UTF8'`)
  for (const setting of settings) await onServer(server, `alter database ${name} set ${setting}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.toString(), drop: () => onServer(server, `drop database if exists ${name} with (force)`) }
}

/** The name of a migrated database on the server, from which others are copied; made once for each state of the schema. */
async function migratedTemplate(server: string): Promise<string> {
  const name = `parley_migrated_${schemaVersion()}`
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]) // test workers want it at the same time
    const made = await client.query('select from pg_database where datname = $1', [name])
    if (made.rows.length > 0) return name
    const { url } = await createDatabase(server)
    const database = await openDatabase({ databaseUrl: url, dataDir: '' }, pino({ level: 'silent' }))
    await makeQueues(database)
    await database.close()
    await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

/** Of all jobs but those that need a file store: a server that finds them starts sooner. Nothing runs in them, and nothing is due. */
async function makeQueues(database: Database): Promise<void> {
  const [{ createJobs }, { jobs }] = await Promise.all([
    import('#server/platform/jobs/pg-boss.ts'),
    import('#server/work.ts'),
  ])
  const made = createJobs({ database, fileStoreId: '', log: pino({ level: 'silent' }) })
  const shared = jobs.filter(({ isLocal }) => !isLocal)
  await made.start(
    shared.map(({ schedule: _, ...job }) => ({ ...job, concurrency: 0 })),
    undefined as never,
  )
  await made.stop()
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Changes with every file that shapes the database. */
function schemaVersion(): string {
  const names = fs.readdirSync(DATABASE_FOLDER, { recursive: true, encoding: 'utf8' }).sort()
  const hash = createHash('sha256')
  for (const file of JOBS_FILES) hash.update(fs.readFileSync(path.resolve(import.meta.dirname, '..', file)))
  for (const name of names) {
    if (name.endsWith('.ts') && !name.endsWith('.test.ts'))
      hash.update(fs.readFileSync(path.join(DATABASE_FOLDER, name)))
  }
  return hash.digest('hex').slice(0, 16)
}
