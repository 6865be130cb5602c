// The databases of a bench: one for the server, one for the floor.
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { createDatabase } from '#tests/database.ts'
import { startPostgres } from '#tests/postgres.ts'
import { cpuMs } from './processes.ts'

/** The database engine of the server. */
export type Engine = 'postgres' | 'embedded'
/**
 * `server`: environment of the server. `floor`: URL of the floor's database. `databaseCpu`: processor time so far of a database in separate
 * processes, milliseconds.
 */
export type Stores = {
  server: Record<string, string>
  floor: string
  databaseCpu: () => number
  /** The maintenance that the database runs about once a minute, run before the measurement: otherwise it would slow down part of it. */
  tidy(): Promise<void>
  close(): Promise<void>
}

/** New databases for the server and for the floor. `folder`: where the server keeps its database. */
export async function openStores(engine: Engine, folder: string): Promise<Stores> {
  const dataDir = path.join(folder, engine)
  const postgres = await startPostgres({ isDurable: true, settings: ['autovacuum=off'] })
  const floor = await createDatabase(postgres.url)
  const postmaster = await postmasterOf(postgres.url)
  if (engine === 'embedded') {
    return {
      server: { DATA_DIR: dataDir },
      floor: floor.url,
      databaseCpu: () => cpuMs(postmaster, true) + embeddedCpu(dataDir),
      tidy: () => query(floor.url, 'vacuum analyze').then(() => undefined),
      close: () => postgres.stop(),
    }
  }
  const own = await createDatabase(postgres.url)
  return {
    server: { DATA_DIR: dataDir, DATABASE_URL: own.url },
    floor: floor.url,
    databaseCpu: () => cpuMs(postmaster, true),
    async tidy() {
      for (const { url } of [own, floor]) await query(url, 'vacuum analyze')
    },
    close: () => postgres.stop(),
  }
}

/** Processor time of the PostgreSQL that the server runs on its data folder, milliseconds; 0 while there is none. */
function embeddedCpu(dataDir: string): number {
  const file = path.join(dataDir, 'postgres', 'data', 'postmaster.pid')
  if (!fs.existsSync(file)) return 0
  return cpuMs(Number(fs.readFileSync(file, 'utf8').split('\n')[0]), true)
}

async function postmasterOf(url: string): Promise<number> {
  const [row] = await query(url, "select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid")
  return Number(row?.pid ?? 0)
}

/** @returns the rows of the last statement */
async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  let rows: Record<string, unknown>[] = []
  for (const statement of statements) rows = (await client.query(statement)).rows
  await client.end()
  return rows
}
