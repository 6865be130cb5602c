// The PostgreSQL that Parley makes and runs itself, where no DATABASE_URL names another: in the data folder, reached through a socket.
import fs from 'node:fs'
import net from 'node:net'
import { explainFileError } from '#server/platform/lib/data-folder.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { lockDataDir } from '../data-dir-lock.ts'
import { socketFolder } from '../engine/socket-address.ts'
import { possibleAccounts } from './account.ts'
import { prepareBinaries } from './binaries.ts'
import { assertOpenable, type Cluster, clusterIn, makeCluster, OWNER, ownerOf, repairRights } from './cluster.ts'
import { PostgresServer } from './server.ts'

/** PostgreSQL names its socket by a port, also where it listens at none. */
const SOCKET_PORT = 5432
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`
/** Ports that are tried, in case another program takes one in the moment between. */
const PORT_ATTEMPTS = 3

export type EmbeddedOptions = {
  /** Everything is in `postgres/` below it. */
  dataDir: string
  log: Logger
  /** The server died and was restarted: committed data is there, uncommitted data is lost. */
  onRestart(): void
  /** By default the platform's: a loopback port where there are no socket files. */
  network?: 'socket' | 'loopback'
}
export type EmbeddedPostgres = {
  /** Address of the database, for this process. */
  url: string
  /** Resolves at once while the server runs; while it is started again, when it runs or after a few seconds. */
  ready(): Promise<void>
  /** An error that the database has answered, in words where the server has written why. */
  explain(error: unknown): unknown
  /** Stops the server, within three seconds. Safe to repeat. */
  close(): Promise<void>
}
type Address = { url: string; listen: string[]; release(): void }

/**
 * Starts the database of a data folder, which is made at the first start.
 * @throws StartError in words when the folder is taken, cannot be used or opened, or PostgreSQL does not run on this system
 */
export async function openEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = clusterIn(options.dataDir)
  try {
    const unlock = await lockDataDir(cluster.folder)
    try {
      return await open(cluster, options, unlock)
    } catch (error) {
      unlock()
      throw error
    }
  } catch (error) {
    throw explainFileError(error, cluster.folder)
  }
}

async function open(cluster: Cluster, options: EmbeddedOptions, unlock: () => void): Promise<EmbeddedPostgres> {
  assertOpenable(options.dataDir, cluster)
  const runtime = prepareBinaries(possibleAccounts(ownerOf(cluster)), cluster.folder)
  await makeCluster(cluster, runtime)
  repairRights(cluster, runtime.account)
  const network = options.network ?? (process.platform === 'win32' ? 'loopback' : 'socket')
  const { log, onRestart } = options
  for (let attempt = 1; ; attempt++) {
    const address = network === 'socket' ? socketAddress(cluster) : await loopbackAddress(cluster)
    try {
      const server = await PostgresServer.start({ cluster, runtime, listen: address.listen, log, onRestart })
      let closing: Promise<void> | undefined
      const closeOnce = () => {
        closing ??= close(server, address, unlock)
        return closing
      }
      const explain = (error: unknown) => server.explain(error)
      return { url: address.url, ready: () => server.ready(), explain, close: closeOnce }
    } catch (error) {
      address.release()
      if (network === 'socket' || attempt === PORT_ATTEMPTS) throw error
    }
  }
}

async function close(server: PostgresServer, address: Address, unlock: () => void): Promise<void> {
  await server.stop()
  address.release()
  unlock()
}

/** In the data folder, which only the account of PostgreSQL and root can enter: who can reach the socket can read the files as well. */
function socketAddress({ data }: Cluster): Address {
  const { path: folder, release } = socketFolder(data, SOCKET_NAME)
  return {
    url: `postgres://${OWNER}@localhost:${SOCKET_PORT}/postgres?host=${encodeURIComponent(folder)}`,
    listen: ['listen_addresses=', 'unix_socket_directories=.', `port=${SOCKET_PORT}`],
    release,
  }
}

async function loopbackAddress({ passwordFile }: Cluster): Promise<Address> {
  const password = fs.readFileSync(passwordFile, 'utf8').trim()
  const port = await freePort()
  return {
    url: `postgres://${OWNER}:${password}@127.0.0.1:${port}/postgres`,
    listen: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`],
    release: () => {},
  }
}

/** A port of this machine that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}
