// An inbox of 100,000 conversations and 2,000,000 messages in a PostgreSQL of its own: made at the first use, for all parts of a run that
// measure what is promised of an inbox of that size.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from '#server/platform/db/tables/database.ts'
import type { Id } from '#shared/ids.ts'
import { createDatabase } from '#tests/database.ts'
import { startPostgres } from '#tests/postgres.ts'
import { type InboxOwner, type InboxSize, seedInbox } from '#tests/seeds/inbox.ts'
import { call, idOf, signUp } from '#tests/seeds/installation.ts'
import { freePort, start, untilReady } from './processes.ts'
import { print, short } from './report.ts'

/** Whose inbox it is. */
export const OWNER = { name: 'Inbox', email: 'inbox@bench.test', password: 'bench-password-1' }

export type BigInbox = {
  databaseUrl: string
  /** Where its servers keep their keys. */
  dataDir: string
  size: InboxSize
  agentId: Id<'agents'>
  userId: Id<'users'>
  /** What the database would do to its tables about once a minute by itself, done now, before what is measured. */
  tidy(): Promise<void>
}
export type BigInboxes = { open(): Promise<BigInbox>; close(): Promise<void> }

/** @param conversations how many instead of 100,000 */
export function bigInboxes(conversations: number): BigInboxes {
  let made: Promise<BigInbox & { stop(): Promise<void> }> | null = null
  return {
    open: () => {
      made ??= make({ conversations, messagesEach: 20 })
      return made
    },
    close: async () => {
      const inbox = await made?.catch(() => null)
      await inbox?.stop()
    },
  }
}

async function make(size: InboxSize): Promise<BigInbox & { stop(): Promise<void> }> {
  const postgres = await startPostgres({ isDurable: true, settings: ['autovacuum=off'] })
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-inbox-'))
  const stop = async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const { url } = await createDatabase(postgres.url)
    const owner = await openShop(url, dataDir)
    const startedAt = performance.now()
    // A connection of the server's gives up on statements that take this long.
    const database = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    })
    await seedInbox(database, owner, size)
    await database.destroy()
    const tidy = () => vacuum(url)
    await tidy()
    const messages = size.conversations * size.messagesEach
    const seconds = short((performance.now() - startedAt) / 1000)
    print(`${size.conversations} conversations, ${messages} messages, made in ${seconds} s`)
    const [agentId] = owner.agentIds as [Id<'agents'>]
    return { databaseUrl: url, size, agentId, userId: owner.userId, dataDir, tidy, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Whatever there is besides the conversations, made through a server, which is gone before they are. */
async function openShop(databaseUrl: string, dataDir: string): Promise<InboxOwner> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = start(['server/main.ts'], {
    ...{ DATABASE_URL: databaseUrl, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error' },
    ...{ PUBLIC_URL: url, DATA_DIR: dataDir },
  })
  try {
    await untilReady(server, `${url}/readyz`)
    const session = await signUp(url, OWNER, OWNER.name)
    const agentIds: Id<'agents'>[] = []
    for (const name of ['First', 'Second', 'Third'])
      agentIds.push(idOf(await call(session, 'mutation', 'agents:create', { name })) as Id<'agents'>)
    const target = { agentId: agentIds[0], name: 'Bench', url: 'https://bench.example' }
    const { connection } = (await call(session, 'action', 'channels/http:provision', target)) as {
      connection: { _id: Id<'channelConnections'> }
    }
    const user = (await call(session, 'query', 'users:current', {})) as { _id: Id<'users'> }
    const organizationId = session.organizationId as Id<'organizations'>
    return { organizationId, agentIds, connectionId: connection._id, userId: user._id }
  } finally {
    await server.stop()
  }
}

async function vacuum(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}
