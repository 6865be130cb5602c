// Which queries are run, for whom, and how often: shared results, narrow invalidation, and isolation of organizations.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { runs } from './functions.ts'
import { addPerson, api, type Clients, openClients, type Person, Seen, startServer, type TestServer } from './server.ts'

let test: TestDatabase
let server: TestServer
let clients: Clients

beforeAll(async () => {
  test = await openTestDatabase()
  server = await startServer(test.database)
  clients = openClients(server)
})
beforeEach(() => clients.close())
afterAll(async () => {
  await clients.close()
  await server.close()
  await test.close()
})

function watch(person: Person, slug: string): Seen<number | null> {
  const seen = new Seen<number | null>()
  clients.open(person).onUpdate(api.counters.get, { slug }, seen.push)
  return seen
}

/** Runs of the counter query during `work`. */
async function runsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = runs['counters:get'] ?? 0
  await work()
  return (runs['counters:get'] ?? 0) - before
}

/** Resolves when everything committed so far has been shown: a marker written after it has arrived. */
async function settled(person: Person): Promise<void> {
  const client = clients.open(person)
  const marker = `marker-${Math.random()}`
  const seen = new Seen<string[]>()
  client.onUpdate(api.knowledge.spaces.names, {}, seen.push)
  await client.mutation(api.knowledge.spaces.create, { slug: marker })
  await seen.until((names) => names.includes(marker))
}

it('runs a query of 20 clients of one organization once, and once for each change', async () => {
  const person = await addPerson(test.database, { counters: ['a'] })
  const first = watch(person, 'a')
  await first.until((value) => value === 0)
  let seen: Seen<number | null>[] = []
  const joining = await runsDuring(async () => {
    seen = Array.from({ length: 19 }, () => watch(person, 'a'))
    await Promise.all(seen.map((one) => one.until((value) => value === 0)))
  })
  expect(joining).toBe(0)
  const writer = clients.open(person)
  const changing = await runsDuring(async () => {
    await writer.mutation(api.counters.increment, { slug: 'a' })
    await Promise.all(seen.map((one) => one.until((value) => value === 1)))
  })
  expect(changing).toBe(1)
})

it('leaves the queries of other organizations alone', async () => {
  const [ours, theirs] = [
    await addPerson(test.database, { counters: ['a'] }),
    await addPerson(test.database, { counters: ['a'] }),
  ]
  const [ourView, theirView] = [watch(ours, 'a'), watch(theirs, 'a')]
  await Promise.all([ourView, theirView].map((view) => view.until((value) => value === 0)))
  const count = await runsDuring(async () => {
    await clients.open(ours).mutation(api.counters.increment, { slug: 'a' })
    await ourView.until((value) => value === 1)
    await settled(theirs)
  })
  // Ours for the change; theirs only because `settled` writes to their own table of spaces.
  expect(count).toBe(2)
  expect(theirView.values).toEqual([0])
})

it('sends nothing for a write that changes nothing', async () => {
  const person = await addPerson(test.database, { counters: ['a'] })
  const view = watch(person, 'a')
  await view.until((value) => value === 0)
  await clients.open(person).mutation(api.counters.touch, { slug: 'a' })
  await settled(person)
  expect(view.values).toEqual([0])
})

it('shows writes that bypass our functions: raw SQL, a row moved to another organization, a cascade', async () => {
  const [ours, theirs] = [await addPerson(test.database, { counters: ['moving'] }), await addPerson(test.database)]
  const [ourView, theirView] = [watch(ours, 'moving'), watch(theirs, 'moving')]
  await Promise.all([ourView.until((value) => value === 0), theirView.until((value) => value === null)])

  const { root } = test.database
  await sql`update knowledge_spaces set index_version = 7 where organization_id = ${ours.organizationId}`.execute(root)
  await ourView.until((value) => value === 7)

  await sql`update knowledge_spaces set organization_id = ${theirs.organizationId}
    where organization_id = ${ours.organizationId}`.execute(root)
  await Promise.all([ourView.until((value) => value === null), theirView.until((value) => value === 7)])

  await sql`delete from organizations where id = ${theirs.organizationId}`.execute(root)
  await theirView.until((value) => value === null)
})

it('answers a foreign organizationId like one that does not exist', async () => {
  const [ours, theirs] = [
    await addPerson(test.database, { counters: ['a'] }),
    await addPerson(test.database, { counters: ['a'] }),
  ]
  const client = clients.open(ours)
  const { bySlug } = api.knowledge.spaces
  expect(await client.query(bySlug, { slug: 'a', organizationId: ours.organizationId })).toBe('a')
  const refusal = async (args: { slug: string; organizationId: Person['organizationId'] }) =>
    appErrorData(await client.query(bySlug, args).catch((error: unknown) => error))
  const foreign = await refusal({ slug: 'a', organizationId: theirs.organizationId })
  expect(foreign).toMatchObject({ code: 'not_found' })
  expect(await refusal({ slug: 'missing', organizationId: ours.organizationId })).toEqual(foreign)
})

it('never mixes two callers of the same query', async () => {
  const people = [await addPerson(test.database), await addPerson(test.database)]
  const views = people.map((person) => {
    const seen = new Seen<{ email: string }>()
    clients.open(person).onUpdate(api.people.me, {}, seen.push)
    return seen
  })
  const emails = await Promise.all(views.map(async (view) => (await view.until(() => true)).email))
  expect(new Set(emails).size).toBe(2)
})
