// Opens the database the configuration names, brings it up to date, and hands out the one object the server works with.
import type { Logger } from '#server/lib/logger.ts'
import type { Database } from './database.ts'
import { rootDatabase } from './dialect.ts'
import type { Engine } from './engine.ts'
import { createLocks } from './locks.ts'
import { migrate } from './migrate.ts'
import type { Peers } from './postgres.peers.ts'
import { createSignals, type Signals } from './signals.ts'
import { runSnapshot } from './snapshot.ts'
import { runTransaction } from './transactions.ts'
import { createWritable } from './writable.ts'
import { pruneWriteLog } from './write-log.ts'

const PRUNE_MS = 60_000

export type DatabaseConfig = {
  /** A PostgreSQL url; undefined: embedded, in `dataDir`; `memory`: embedded, nothing kept. */
  databaseUrl: string | undefined
  dataDir: string
}

/**
 * Opens and migrates the database.
 * @throws StartError in words for an administrator when it cannot be served
 */
export async function openDatabase(config: DatabaseConfig, log: Logger): Promise<Database> {
  const signals = createSignals()
  const { databaseUrl, dataDir } = config
  const url = databaseUrl === 'memory' ? undefined : databaseUrl
  const engine = await openEngine()
  try {
    await migrate(engine)
  } catch (error) {
    await engine.close()
    throw error
  }
  const peers = url === undefined ? undefined : await joinPeers(url, signals, log)
  return serveDatabase({ engine, signals, peers, log })

  function openEngine(): Promise<Engine> {
    if (url !== undefined) return openPostgres(url, log)
    return databaseUrl === 'memory' ? openMemory() : openEmbedded(dataDir, signals, log)
  }
}

/** Loaded only here: no server that people use pays for its memory. */
async function openMemory(): Promise<Engine> {
  const { EmbeddedDatabase } = await import('./embedded.ts')
  const { embeddedEngine } = await import('./embedded.engine.ts')
  return embeddedEngine(await EmbeddedDatabase.open())
}

/** The engine of PostgreSQL on a server of our own. While that is started again, who wants a session waits. */
async function openEmbedded(dataDir: string, signals: Signals, log: Logger): Promise<Engine> {
  const { openEmbeddedPostgres } = await import('./embedded/embedded.ts')
  const server = await openEmbeddedPostgres({ dataDir, log, onRestart: () => signals.fire() })
  const engine = await openPostgres(server.url, log)
  return {
    ...engine,
    async acquire() {
      await server.ready()
      return engine.acquire()
    },
    async close() {
      await engine.close()
      await server.close()
    },
  }
}

async function openPostgres(url: string, log: Logger): Promise<Engine> {
  const { postgresEngine } = await import('./postgres.engine.ts')
  return postgresEngine(url, log)
}

async function joinPeers(url: string, signals: Signals, log: Logger): Promise<Peers> {
  const { connectPeers } = await import('./postgres.peers.ts')
  return connectPeers(url, log, () => signals.fire())
}

type Parts = { engine: Engine; signals: Signals; peers?: Peers | undefined; log: Logger }

/** The database of an engine that is up to date already. */
export function serveDatabase({ engine, signals, peers, log }: Parts): Database {
  const committed = (leavesNothingDue?: boolean) => {
    signals.fire(leavesNothingDue)
    peers?.announce()
  }
  const root = rootDatabase(engine, committed)
  const runner = { engine, committed }
  const prune = () => void pruneWriteLog(root).catch((error) => log.warn({ error }, 'the write log was not pruned'))
  const pruning = setInterval(prune, PRUNE_MS).unref()
  return {
    engine: engine.name,
    multiProcess: peers !== undefined,
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
    withLock: createLocks(peers?.lock),
    isWritable: createWritable((limitMs) => engine.probe(limitMs)),
    async close() {
      clearInterval(pruning)
      await peers?.close()
      await engine.close()
    },
  }
}
