// Opens the database the configuration names, brings it up to date, and hands out the one object the server works with.
import path from 'node:path'
import type { Logger } from '#server/lib/logger.ts'
import type { Database } from './database.ts'
import { rootDatabase } from './dialect.ts'
import type { Engine } from './engine.ts'
import { createLocks, type OuterLock } from './locks.ts'
import { migrate } from './migrate.ts'
import { createSignals, type Signals } from './signals.ts'
import { runSnapshot } from './snapshot.ts'
import { runTransaction } from './transactions.ts'
import { pruneWriteLog } from './write-log.ts'

const PRUNE_MS = 60_000

export type DatabaseConfig = {
  /** A PostgreSQL url; undefined: embedded, in `dataDir`; `memory`: embedded, nothing kept. */
  databaseUrl: string | undefined
  dataDir: string
  /** In memory only: a dump of a migrated database to start from. */
  dump?: Uint8Array
}

/** An engine with what belongs to it. */
type Opened = {
  engine: Engine
  signals: Signals
  /** Tells other processes of a commit. */
  announce: () => void
  /** Locks between processes; undefined where there is one. */
  lock: OuterLock | undefined
  close: () => Promise<void>
}

/**
 * Opens and migrates the database.
 * @throws Error in words for an administrator when it cannot be served
 */
export async function openDatabase(config: DatabaseConfig, log: Logger): Promise<Database> {
  const isEmbedded = config.databaseUrl === undefined || config.databaseUrl === 'memory'
  const opened = isEmbedded ? await openEmbedded(config, log) : await openPostgres(String(config.databaseUrl), log)
  try {
    await migrate(opened.engine)
  } catch (error) {
    await opened.close()
    throw error
  }
  return serve(opened, log)
}

/** Loaded only here: a server on PostgreSQL does not pay for the embedded database's memory. */
async function openEmbedded({ databaseUrl, dataDir, dump }: DatabaseConfig, log: Logger): Promise<Opened> {
  const { EmbeddedDatabase } = await import('./embedded.ts')
  const { embeddedEngine } = await import('./embedded.engine.ts')
  const signals = createSignals()
  const database = await EmbeddedDatabase.open({
    dir: databaseUrl === 'memory' ? undefined : path.join(dataDir, 'db'),
    dump,
    onRestart: (reason) => {
      log.error({ reason }, 'the embedded database was restarted')
      signals.fire()
    },
  })
  const engine = embeddedEngine(database)
  return { engine, signals, announce: () => {}, lock: undefined, close: () => engine.close() }
}

async function openPostgres(url: string, log: Logger): Promise<Opened> {
  const { postgresEngine } = await import('./postgres.engine.ts')
  const { connectPeers } = await import('./postgres.peers.ts')
  const signals = createSignals()
  const engine = postgresEngine(url, log)
  const peers = connectPeers(url, log, () => signals.fire())
  const close = async () => {
    await peers.close()
    await engine.close()
  }
  return { engine, signals, announce: () => peers.announce(), lock: peers.lock, close }
}

function serve({ engine, signals, announce, lock, close }: Opened, log: Logger): Database {
  const committed = () => {
    signals.fire()
    announce()
  }
  const root = rootDatabase(engine, committed)
  const runner = { engine, committed }
  const prune = () => void pruneWriteLog(root).catch((error) => log.warn({ error }, 'the write log was not pruned'))
  const pruning = setInterval(prune, PRUNE_MS).unref()
  return {
    engine: engine.name,
    multiProcess: engine.name === 'postgres',
    root,
    transaction: (scope, run, options) => runTransaction(runner, scope, run, options),
    organization: (organizationId, run, options) =>
      runTransaction(runner, { kind: 'organization', organizationId }, run, options),
    system(purpose, run, options) {
      log.debug({ purpose }, 'transaction over all organizations')
      return runTransaction(runner, { kind: 'system' }, run, options)
    },
    snapshot: (run) => runSnapshot(engine, run),
    onCommit: (listener) => signals.listen(listener),
    withLock: createLocks(lock),
    async close() {
      clearInterval(pruning)
      await close()
    },
  }
}
