// A fresh, migrated database for a test file: embedded in memory, or on the server that TEST_DATABASE_URL names.
import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { Database } from '#server/db/database.ts'
import { embeddedEngine } from '#server/db/embedded.engine.ts'
import { EmbeddedDatabase } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase, serveDatabase } from '#server/db/open.ts'
import { createSignals } from '#server/db/signals.ts'
import { rewoundThreads } from './embedded-threads.ts'
import { withLockOrder } from './lock-order.ts'

export type TestDatabase = {
  database: Database
  /** Of the fresh database on the PostgreSQL server; undefined when embedded. */
  url?: string
  close(): Promise<void>
}

const DATABASE_FOLDER = path.resolve(import.meta.dirname, '../server/db')
/** What is made once and kept for later runs. */
export const CACHE_FOLDER = path.resolve(import.meta.dirname, '../.cache')

/**
 * Opens a database that nobody else uses. Closing it throws everything away.
 * `settings`: of every connection, on the PostgreSQL server only.
 */
export async function openTestDatabase(settings: string[] = []): Promise<TestDatabase> {
  const log = pino({ level: 'silent' })
  const server = process.env.TEST_DATABASE_URL
  if (!server) {
    const embedded = await EmbeddedDatabase.open({ dump: await migratedDump(), threads: rewoundThreads })
    const database = serveDatabase({ engine: withLockOrder(embeddedEngine(embedded)), signals: createSignals(), log })
    return { database, close: () => database.close() }
  }
  const { url, drop } = await createDatabase(server, settings, await migratedTemplate(server))
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, log)
  const close = async () => {
    await database.close()
    await drop()
  }
  return { database, url, close }
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
    const log = pino({ level: 'silent' })
    await (await openDatabase({ databaseUrl: url, dataDir: '' }, log)).close()
    await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
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

/** The dump of a migrated embedded database. */
export async function migratedDump(): Promise<Uint8Array> {
  return fs.readFileSync(await migratedArchive())
}

/** The file that holds this dump, a compressed archive; made once for each state of the schema. */
async function migratedArchive(): Promise<string> {
  const file = path.join(CACHE_FOLDER, `database-${schemaVersion()}.tar.gz`)
  if (fs.existsSync(file)) return file
  const embedded = await EmbeddedDatabase.open()
  await migrate(embeddedEngine(embedded))
  const dump = await embedded.dump()
  await embedded.close()
  fs.mkdirSync(CACHE_FOLDER, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  fs.writeFileSync(unfinished, dump)
  // Test workers make it at the same time: each finds a whole file or none, and the first stays, which others may have begun with.
  linkUnlessThere(unfinished, file)
  fs.rmSync(unfinished)
  return file
}

function linkUnlessThere(from: string, to: string): void {
  try {
    fs.linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Changes with every file that shapes the database. */
export function schemaVersion(): string {
  const names = fs.readdirSync(DATABASE_FOLDER, { recursive: true, encoding: 'utf8' }).sort()
  const hash = createHash('sha256')
  for (const name of names) {
    if (name.endsWith('.ts') && !name.endsWith('.test.ts'))
      hash.update(fs.readFileSync(path.join(DATABASE_FOLDER, name)))
  }
  return hash.digest('hex').slice(0, 16)
}
