// Two servers on one PostgreSQL: each shows what the other, or anybody else, has written.
import net from 'node:net'
import type { BaseConvexClient } from 'convex/browser'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import type { Host } from '#server/platform/sync/host.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { addPerson, connectBase, type Person, Seen, startServer, type TestServer } from './server.ts'

let test: TestDatabase
let databases: Database[]
let servers: TestServer[] = []
const clients: BaseConvexClient[] = []

describe('two servers', () => {
  beforeAll(async () => {
    test = await openTestDatabase()
    const second = await openDatabase({ databaseUrl: test.url, dataDir: '' }, pino({ level: 'silent' }))
    databases = [test.database, second]
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })
  afterAll(async () => {
    await databases[1]?.close()
    await test.close()
  })

  async function start(change: (host: Host) => Host = (host) => host): Promise<void> {
    servers = await Promise.all(databases.map((database) => startServer(database, change)))
  }

  function open(
    server: { url: string } | undefined,
    person: Person,
    onFrame: (client: BaseConvexClient) => void = () => {},
  ) {
    if (!server) throw new Error('no server')
    const client = connectBase(server, person, () => onFrame(client))
    clients.push(client)
    return client
  }

  /** The sums of counters a and b as a client of one server sees them, and b alone. */
  function watch(server: TestServer | undefined, person: Person) {
    const [sums, bs] = [new Seen<number>(), new Seen<number>()]
    const client = open(server, person, (at) => {
      const [a, b] = ['a', 'b'].map((slug) => at.localQueryResult('counters:get', { slug }))
      if (typeof a !== 'number' || typeof b !== 'number') return
      sums.push(a + b)
      bs.push(b)
    })
    for (const slug of ['a', 'b']) client.subscribe('counters:get', { slug })
    return { client, sums, bs }
  }

  it.each([
    ['woken by each other', (host: Host): Host => host],
    ['that never hear of each other', (host: Host): Host => ({ ...host, onCommit: () => () => {} })],
  ])('%s converge on the writes of both and of a stranger, and show no moment torn', async (_, change) => {
    await start(change)
    const person = await addPerson(test.database, { counters: ['a', 'b'] })
    const views = servers.map((server) => watch(server, person))
    await Promise.all(views.map(({ bs }) => bs.until((b) => b === 0)))
    for (let i = 0; i < 10; i++) {
      await Promise.all(views.map(({ client }) => client.mutation('counters:transfer', { from: 'a', to: 'b' })))
    }
    await sql`update knowledge_spaces set index_version = index_version + case slug when 'a' then -5 else 5 end
      where organization_id = ${person.organizationId}`.execute(test.database.root)
    await Promise.all(views.map(({ bs }) => bs.until((b) => b === 25)))
    for (const { sums } of views) expect(new Set(sums.values)).toEqual(new Set([0]))
  })

  it('run a mutation once when the client moves from one to the other before it has the answer', async () => {
    let target = 0
    let isFirst = true
    await start((host) => ({
      ...host,
      async mutate(call, onCommitting) {
        const result = await host.mutate(call, onCommitting)
        if (isFirst) {
          isFirst = false
          target = 1
          servers[0]?.cut()
        }
        return result
      },
    }))
    const proxy = net.createServer((from) => {
      const to = net.connect(Number(new URL(servers[target]?.url ?? '').port), '127.0.0.1')
      from.pipe(to).pipe(from)
      for (const socket of [from, to]) socket.on('error', () => [from, to].map((each) => each.destroy()))
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const person = await addPerson(test.database, { counters: ['a'] })
    const client = open({ url: `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}` }, person)
    expect(await client.mutation('counters:increment', { slug: 'a' })).toBe(1)
    expect(await client.mutation('counters:increment', { slug: 'a' })).toBe(2)
    expect(servers[1]?.sync.stats().sockets).toBe(1)
    await client.close()
    proxy.close()
  })

  it('lets locked mutations on one hot row from both servers all succeed', async () => {
    await start()
    const person = await addPerson(test.database, { counters: ['a'] })
    const writers = [0, 1, 0, 1].map((index) => open(servers[index], person))
    const increments = writers.flatMap((writer) =>
      Array.from({ length: 10 }, () => writer.mutation('counters:incrementLocked', { slug: 'a' })),
    )
    const values: number[] = await Promise.all(increments)
    expect(values.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
  })
})
