// Refuses poolers that lend a connection for one transaction at a time, as PgBouncer does in transaction mode: the locks of servers,
// LISTEN, prepared statements and settings need a session that lasts.
import { StartError } from '#server/platform/lib/start-error.ts'
import { isUnavailable } from './engine.ts'
import { waitForDatabase } from './patience.ts'
import { clientConfig, PostgresClient } from './postgres.client.ts'

/** Of a pooler that has no connection left for us. */
const ANSWER_MS = 5000
const ADVICE =
  'Set DATABASE_URL to the address of PostgreSQL itself (for example port 5432 instead of 6432). Parley keeps a pool of its own of 16 connections.'

/** The part of a session that this check uses. */
export type PooledSession = {
  /** What the greeting named as the process that serves it; a pooler invents a number. */
  readonly announcedPid: number | null
  /** Process that runs the transaction which begins, or the one that is open. */
  begin(): Promise<number>
  commit(): Promise<void>
}

/** @throws StartError when a pooler is in between that Parley cannot work with; the driver's error when there is no answer */
export async function assertSessions(url: string): Promise<void> {
  const clients: PostgresClient[] = []
  const open = async () => {
    const client = new PostgresClient({ ...clientConfig(url, 'check'), query_timeout: ANSWER_MS })
    clients.push(client)
    await client.connect().catch((error: unknown) => {
      throw isOptionRefused(error) ? new StartError(`${describe(error)}\n${ADVICE}`) : error
    })
    return client
  }
  try {
    const first = await waitForDatabase(open)
    await assertSettings(first)
    const lends = await lendsByTransaction(sessionOf(first), async () => sessionOf(await open()))
    if (lends) throw new StartError(`A connection pooler in transaction mode stands before the database.\n${ADVICE}`)
  } finally {
    for (const client of clients) client.destroy(new Error('Not used any more.'))
  }
}

/**
 * Whether one session is served by several processes in turn. A direct connection is not looked at any further.
 * Whichever of two free connections a pooler lends first, one of the two orders shows it.
 */
export async function lendsByTransaction(one: PooledSession, open: () => Promise<PooledSession>): Promise<boolean> {
  const pid = await one.begin()
  await one.commit()
  if (one.announcedPid === pid) return false
  const other = await open()
  try {
    for (const [first, last] of [
      [one, other],
      [other, one],
    ] as const) {
      const before = await one.begin()
      await other.begin()
      await first.commit()
      await last.commit()
      const after = await one.begin()
      await one.commit()
      if (after !== before) return true
    }
    return false
  } catch (error) {
    if (isUnavailable(error)) return true // it has one connection for both
    throw error
  }
}

function sessionOf(client: PostgresClient): PooledSession {
  const { processID } = client as unknown as { processID: number | null }
  return {
    announcedPid: processID,
    async begin() {
      await client.query('begin')
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      return rows[0]?.pid ?? 0
    },
    async commit() {
      await client.query('commit')
    },
  }
}

/** A pooler can be configured to ignore what it does not know. */
async function assertSettings(client: PostgresClient): Promise<void> {
  const { rows } = await client.query<{ value: string }>(`select current_setting('lock_timeout') as value`)
  if (rows[0]?.value === '5s') return
  throw new StartError(
    `A connection pooler stands before the database and drops the settings of connections (lock_timeout is ${rows[0]?.value}, not 5s).\n${ADVICE}`,
  )
}

function isOptionRefused(error: unknown): boolean {
  return error instanceof Error && /startup parameter/i.test(error.message)
}

function describe(error: unknown): string {
  return `A connection pooler, such as PgBouncer, stands before the database and refuses the settings of connections ("${(error as Error).message}").`
}
