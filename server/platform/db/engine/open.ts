// Opens the database the configuration names, brings it up to date, and hands out the one object the server works with.
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Database } from '../database.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../embedded/embedded.ts'
import { createSignals, type Signals } from '../live/signals.ts'
import { pruneWriteLog, watchChanges } from '../live/write-log.ts'
import { migrate } from '../migrate.ts'
import { createNamedLocks } from '../named-locks.ts'
import { runSnapshot } from '../snapshot.ts'
import { runTransaction } from '../transactions.ts'
import { explainConnection } from './connection-failure.rules.ts'
import { rootDatabase } from './dialect.ts'
import type { Engine } from './engine.ts'
import { type FairEngine, fairEngine, systemParty } from './fair-connections.ts'
import { connectListenNotify, type ListenNotify } from './listen-notify.ts'
import { assertSessions } from './pooler-check.ts'
import { postgresEngine } from './postgres.engine.ts'
import { createWritable } from './writable.ts'

const PRUNE_MS = 60_000
/** Between two announcements of who is active here. */
const ACTIVITY_MS = 500
/** More are not announced: a notification holds 8,000 bytes. */
const ACTIVE_MOST = 100

export type DatabaseConfig = {
  /** A PostgreSQL url; undefined: a server of our own on the files in `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
}

/**
 * Opens and migrates the database.
 * @throws StartError in words for an administrator when it cannot be served
 */
export async function openDatabase({ databaseUrl, dataDir }: DatabaseConfig, log: Logger): Promise<Database> {
  if (databaseUrl !== undefined) {
    await assertSessions(databaseUrl).catch((error: unknown) => {
      throw explainConnection(error, databaseUrl)
    })
  }
  const signals = createSignals()
  const onRestart = () => signals.fire()
  const own = databaseUrl === undefined ? await openEmbeddedPostgres({ dataDir, log, onRestart }) : null
  const url = databaseUrl ?? own?.url ?? ''
  const engine = own ? onOwnServer(postgresEngine(url, log), own) : postgresEngine(url, log)
  try {
    await migrate(engine)
  } catch (error) {
    const explained = own ? own.explain(error) : explainConnection(error, url)
    await engine.close()
    throw explained
  }
  const fair = fairEngine(engine)
  const peers = connectListenNotify(url, log, { onHint: () => signals.fire(), onActivity: fair.hear })
  return serveDatabase({ engine: fair, signals, peers, log })
}

/** While our server is started again, callers that want a session wait for it. */
function onOwnServer(engine: Engine, server: EmbeddedPostgres): Engine {
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

type Parts = { engine: FairEngine; signals: Signals; peers: ListenNotify; log: Logger }

/** The database of an engine that is up to date already. */
export function serveDatabase({ engine, signals, peers, log }: Parts): Database {
  const committed = (skipsDispatch?: boolean) => {
    signals.fire(skipsDispatch)
    peers.announce()
  }
  const root = rootDatabase(engine, committed)
  const runner = { engine, committed }
  const prune = () => void pruneWriteLog(root).catch((error) => log.warn({ error }, 'the write log was not pruned'))
  const pruning = setInterval(prune, PRUNE_MS).unref()
  const announcing = setInterval(() => announceActivity(engine, peers), ACTIVITY_MS).unref()
  return {
    root,
    silentRoot: rootDatabase(engine),
    transaction: (scope, run, options) => runTransaction(runner, scope, run, options),
    organization: (organizationId, run, options) =>
      runTransaction(runner, { kind: 'organization', organizationId }, run, options),
    system(purpose, run, options) {
      log.debug({ purpose }, 'transaction over all organizations')
      return runTransaction({ ...runner, party: systemParty() }, { kind: 'system' }, run, options)
    },
    snapshot: (run, party) => runSnapshot(engine, run, party),
    watch: (position) => watchChanges(engine, position),
    onCommit: (listener) => signals.listen(listener),
    withLock: createNamedLocks(peers.lock),
    isWritable: createWritable((limitMs) => engine.probe(limitMs)),
    async close() {
      clearInterval(pruning)
      clearInterval(announcing)
      await peers.close()
      await engine.close()
    },
  }
}

/** Servers on one database are fair together: each limits whom the others serve too. */
function announceActivity(engine: FairEngine, peers: ListenNotify): void {
  const groups = engine.active(ACTIVE_MOST)
  if (groups.length > 0) peers.announceActivity(groups)
}
