// Connections break and servers restart: nothing is lost, nothing happens twice, nothing on the screen collapses.
import { ConvexClient } from 'convex/browser'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { CommitUnknownError } from '#server/platform/db/engine/engine.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { seededRandom } from '#tests/random.ts'
import { world } from './functions.ts'
import { addPerson, api, hurry, type Person, quiet, Seen, startServer, type TestServer, tokenFor } from './server.ts'

let test: TestDatabase
let server: TestServer
const clients: ConvexClient[] = []

beforeAll(async () => {
  test = await openTestDatabase()
  server = await startServer(test.database)
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})
afterAll(async () => {
  await server.close()
  await test.close()
})

function open(person: Person, at = server): ConvexClient {
  const client = new ConvexClient(at.url, { ...quiet, unsavedChangesWarning: false })
  client.setAuth(() => tokenFor(person))
  hurry(client.client as never)
  clients.push(client)
  return client
}

it.each([1, 2])('counts 40 increments as exactly 40 through broken connections (seed %i)', async (seed) => {
  const random = seededRandom(seed)
  const client = open(await addPerson(test.database, { counters: ['a'] }))
  const seen = new Seen<number | null>()
  client.onUpdate(api.counters.get, { slug: 'a' }, seen.push)
  await seen.until((value) => value === 0)
  let isDone = false
  const cutting = (async () => {
    for (let cuts = 0; cuts < 12 && !isDone; cuts++) {
      await new Promise((resolve) => setTimeout(resolve, 20 + random.below(100)))
      server.cut()
    }
  })()
  const results: number[] = []
  for (let batch = 0; batch < 8; batch++) {
    const increments = Array.from({ length: 5 }, () => client.mutation(api.counters.increment, { slug: 'a' }))
    results.push(...(await Promise.all(increments)))
  }
  isDone = true
  await cutting
  expect(results).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
  await seen.until((value) => value === 40)
})

it('rejects an interrupted action with an error, and does not run it again', async () => {
  const client = open(await addPerson(test.database))
  const gate = Promise.withResolvers<void>()
  // Tests of other files run in the same process.
  Object.assign(world, { gate: gate.promise, started: [], aborted: [] })
  const names = new Seen<string[]>()
  client.onUpdate(api.knowledge.spaces.names, {}, names.push)
  const interrupted = client.action(api.wire.wait, { key: 'interrupted' })
  const started = new Seen<number>()
  const watching = setInterval(() => started.push(world.started.length), 5)
  await started.until((count) => count === 1)
  server.cut()
  await expect(interrupted).rejects.toThrow('Connection lost while action was in flight')
  gate.resolve()
  // The next action gets through on the new connection, and ends after whatever the old one still did.
  expect(await client.action(api.wire.wait, { key: 'next' })).toBe('next')
  clearInterval(watching)
  expect(world.aborted).toEqual(['interrupted'])
  expect(world.started).toEqual(['interrupted', 'next'])
  await names.until((list) => list.includes('next'))
})

it('shows writes from the server’s downtime, and never an empty result', async () => {
  const person = await addPerson(test.database, { counters: ['a'] })
  const other = await startServer(test.database)
  const client = open(person, other)
  const seen = new Seen<number | null>()
  client.onUpdate(api.counters.get, { slug: 'a' }, seen.push)
  await seen.until((value) => value === 0)
  const blanks: unknown[] = []
  client.client.addOnTransitionHandler(() => {
    const value = client.client.localQueryResult('counters:get', { slug: 'a' })
    if (value === undefined) blanks.push(value)
  })
  const port = Number(new URL(other.url).port)
  await other.close()
  await test.database.organization(person.organizationId, (db) =>
    db.updateTable('knowledge_spaces').set({ index_version: 5 }).execute(),
  )
  const again = await startServer(test.database, (host) => host, port)
  await seen.until((value) => value === 5)
  expect(seen.values).toEqual([0, 5])
  expect(blanks).toEqual([])
  await client.close()
  await again.close()
})

it('becomes current again after the database could not be read for a while', async () => {
  let failures = 0
  const shaky = await startServer(test.database, (host) => ({
    ...host,
    snapshot: (run, party) => (failures-- > 0 ? Promise.reject(new Error('away')) : host.snapshot(run, party)),
  }))
  const client = open(await addPerson(test.database, { counters: ['a'] }), shaky)
  const seen = new Seen<number | null>()
  client.onUpdate(api.counters.get, { slug: 'a' }, seen.push)
  await seen.until((value) => value === 0)
  failures = 3
  expect(await client.mutation(api.counters.increment, { slug: 'a' })).toBe(1)
  expect(seen.values).toEqual([0, 1])
  await client.close()
  await shaky.close()
})

it.each([
  ['and it stands', true],
  ['and it does not', false],
])('runs a mutation once when its commit is uncertain, %s', async (_, stands) => {
  let isFirst = true
  const { database } = test
  const unsure: Database = {
    ...database,
    async transaction(scope, run, options) {
      if (options?.readOnly || !isFirst) return database.transaction(scope, run, options)
      isFirst = false
      if (stands) await database.transaction(scope, run, options)
      throw new CommitUnknownError()
    },
  }
  const unsureServer = await startServer(unsure)
  const client = open(await addPerson(database, { counters: ['a'] }), unsureServer)
  expect(await client.mutation(api.counters.increment, { slug: 'a' })).toBe(1)
  expect(await client.mutation(api.counters.increment, { slug: 'a' })).toBe(2)
  await client.close()
  await unsureServer.close()
})
