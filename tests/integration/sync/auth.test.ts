// The identity behind a connection, and what happens when it changes while the connection is open.
import { ConvexClient } from 'convex/browser'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { runs } from './functions.ts'
import {
  addPerson,
  api,
  type Clients,
  connectHttp,
  openClients,
  type Person,
  quiet,
  Seen,
  startServer,
  type TestServer,
  tokenFor,
} from './server.ts'

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

type Me = { email: string; role: string }

/** Follows `people:me` and the client's own view of being signed in. */
function follow(client: ConvexClient) {
  const [me, errors] = [new Seen<Me>(), new Seen<unknown>()]
  client.onUpdate(api.people.me, {}, me.push, errors.push)
  return { me, errors, refused: () => errors.until((error) => appErrorData(error)?.code === 'unauthenticated') }
}

function endSession(person: Person): Promise<unknown> {
  return test.database.system('test: end a session', (db) =>
    db.deleteFrom('sessions').where('id', '=', person.sessionId).execute(),
  )
}

it('confirms a sign-in and shows the caller', async () => {
  const isIn = new Seen<boolean>()
  const { me } = follow(clients.open(await addPerson(test.database), { onAuth: isIn.push }))
  await isIn.until((value) => value)
  expect(await me.until(() => true)).toMatchObject({ role: 'user' })
})

it('runs nothing again when the client shows a fresh token of the same session', async () => {
  const person = await addPerson(test.database, { counters: ['a'] })
  const before = runs['counters:get'] ?? 0
  const client = new ConvexClient(server.url, { ...quiet, unsavedChangesWarning: false })
  const fresh = new Seen<boolean>()
  client.setAuth(async ({ forceRefreshToken }) => {
    fresh.push(forceRefreshToken)
    return tokenFor(person)
  })
  const seen = new Seen<number | null>()
  client.onUpdate(api.counters.get, { slug: 'a' }, seen.push)
  // The client fetches a second token as soon as the first is confirmed.
  await fresh.until((forced) => forced)
  await client.mutation(api.counters.touch, { slug: 'a' })
  await client.close()
  // Once for the subscription, once for the touch.
  expect((runs['counters:get'] ?? 0) - before).toBe(2)
  expect(seen.values).toEqual([0])
})

it('turns a signed-out client anonymous', async () => {
  const token = await tokenFor(await addPerson(test.database, { counters: ['a'] }))
  const client = clients.open(null)
  const forced = new Seen<boolean>()
  client.setAuth(async ({ forceRefreshToken }) => {
    forced.push(forceRefreshToken)
    return token
  })
  const { me, refused } = follow(client)
  await me.until(() => true)
  // The client fetches a second token as soon as the first is confirmed; one that arrives after a sign-out would sign it in again.
  await forced.until((isForced) => isForced)
  await client.mutation(api.counters.touch, { slug: 'a' })
  client.client.clearAuth()
  await refused()
})

it('recovers from a rejected token when the next one is good', async () => {
  const person = await addPerson(test.database)
  const client = new ConvexClient(server.url, { ...quiet, unsavedChangesWarning: false })
  client.setAuth(async ({ forceRefreshToken }) => (forceRefreshToken ? tokenFor(person) : 'not.a.token'))
  const { me, errors } = follow(client)
  await me.until(() => true)
  expect(errors.values).toEqual([])
  await client.close()
})

it('lets a client whose tokens are all rejected continue anonymously', async () => {
  const client = new ConvexClient(server.url, { ...quiet, unsavedChangesWarning: false })
  const isIn = new Seen<boolean>()
  let fetched = 0
  client.setAuth(async () => `bad.${fetched++}.token`, isIn.push)
  const plans = new Seen<string[]>()
  client.onUpdate(api.wire.plans, {}, plans.push)
  await isIn.until((value) => !value)
  await plans.until((slugs) => slugs.length > 0)
  await client.close()
})

it('asks for a new token when one expires, and is not anonymous in between', async () => {
  const person = await addPerson(test.database, { counters: ['a'] })
  const client = new ConvexClient(server.url, { ...quiet, unsavedChangesWarning: false })
  let fetched = 0
  // Two seconds are left, but by its dates the token looks fresh: the client does not renew it in time by itself.
  client.setAuth(async () => (fetched++ < 2 ? tokenFor(person, { lifetime: 2, age: 3600 }) : tokenFor(person)))
  const { me, errors } = follow(client)
  await me.until(() => true)
  await vi.waitUntil(() => fetched >= 3, { timeout: 45_000 })
  expect(await client.mutation(api.counters.increment, { slug: 'a' })).toBe(1)
  expect(errors.values).toEqual([])
  await client.close()
})

it('reaches open sockets when a role changes', async () => {
  const person = await addPerson(test.database)
  const client = clients.open(person)
  const { me } = follow(client)
  const counts = new Seen<number>()
  const refusals = new Seen<unknown>()
  client.onUpdate(api.people.organizations, {}, counts.push, refusals.push)
  await me.until(({ role }) => role === 'user')
  await refusals.until((error) => appErrorData(error)?.code === 'admin_required')
  const become = (role: 'admin' | 'user') =>
    test.database.system('test: change a role', (db) =>
      db.updateTable('users').set({ role }).where('id', '=', person.userId).execute(),
    )
  await become('admin')
  await Promise.all([me.until(({ role }) => role === 'admin'), counts.until((count) => count > 0)])
  const before = refusals.values.length
  await become('user')
  await me.until(({ role }) => role === 'user')
  await vi.waitUntil(() => refusals.values.length > before, { timeout: 45_000 })
})

it('reaches open sockets when a membership ends', async () => {
  const person = await addPerson(test.database, { counters: ['a'] })
  const client = clients.open(person)
  const [seen, errors] = [new Seen<number | null>(), new Seen<unknown>()]
  client.onUpdate(api.counters.get, { slug: 'a' }, seen.push, errors.push)
  await seen.until((value) => value === 0)
  await test.database.system('test: end a membership', (db) =>
    db.deleteFrom('members').where('user_id', '=', person.userId).execute(),
  )
  await errors.until((error) => appErrorData(error)?.code === 'organization_required')
})

it('sends nothing more on open sockets when the session ends, and refuses its token', async () => {
  const person = await addPerson(test.database, { counters: ['a'] })
  const other = await addPerson(test.database)
  // The same organization, so that another member can still write there.
  await test.database.system('test: move', (db) =>
    db
      .updateTable('members')
      .set({ organization_id: person.organizationId })
      .where('user_id', '=', other.userId)
      .execute(),
  )
  const isIn = new Seen<boolean>()
  const client = clients.open(person, { onAuth: isIn.push })
  const seen = new Seen<number | null>()
  client.onUpdate(api.counters.get, { slug: 'a' }, seen.push, () => {})
  await isIn.until((value) => value)
  await seen.until((value) => value === 0)
  await endSession(person)
  await isIn.until((value) => !value)
  expect(await clients.open(other).mutation(api.counters.increment, { slug: 'a' })).toBe(1)
  expect(seen.values).toEqual([0])
  const http = await connectHttp(server, person)
  await expect(http.query(api.wire.plans, {})).rejects.toThrow('The session has ended')
})

it('returns the outcome of a request to its caller only', async () => {
  const [owner, thief] = [
    await addPerson(test.database, { counters: ['a'] }),
    await addPerson(test.database, { counters: ['a'] }),
  ]
  const ours = clients.open(owner)
  await ours.mutation(api.counters.increment, { slug: 'a' })
  await ours.mutation(api.counters.increment, { slug: 'a' })
  const theirs = clients.open(thief)
  Object.assign(theirs.client, { _sessionId: Reflect.get(ours.client, '_sessionId') })
  // Request 0 of the same client session: the owner's outcome would be 1 as well, but their counter would not move.
  expect(await theirs.mutation(api.counters.increment, { slug: 'a' })).toBe(1)
  expect(await theirs.query(api.counters.get, { slug: 'a' })).toBe(1)
})

it('refuses a request id that is reused for another call', async () => {
  const person = await addPerson(test.database, { counters: ['a', 'b'] })
  const first = clients.open(person)
  await first.mutation(api.counters.increment, { slug: 'a' })
  const second = clients.open(person)
  Object.assign(second.client, { _sessionId: Reflect.get(first.client, '_sessionId') })
  const error = await second.mutation(api.counters.increment, { slug: 'b' }).catch((thrown: unknown) => thrown)
  expect(appErrorData(error)?.code).toBe('request_id_reused')
  expect(await first.query(api.counters.get, { slug: 'b' })).toBe(0)
})
