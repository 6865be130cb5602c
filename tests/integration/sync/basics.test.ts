// The official clients against our server: queries, mutations, actions, values and errors, over the socket and over HTTP.
import { ConvexError } from 'convex/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { addPerson, api, type Clients, connectHttp, openClients, Seen, startServer, type TestServer } from './server.ts'

let test: TestDatabase
let server: TestServer
let clients: Clients

beforeAll(async () => {
  test = await openTestDatabase()
  server = await startServer(test.database)
  clients = openClients(server)
})
afterAll(async () => {
  await clients.close()
  await server.close()
  await test.close()
})

describe('a mutation', () => {
  it('is visible in a subscribed query by the time it resolves', async () => {
    const client = clients.open(await addPerson(test.database, { counters: ['a'] }))
    const seen = new Seen<number | null>()
    client.onUpdate(api.counters.get, { slug: 'a' }, seen.push)
    await seen.until((value) => value === 0)
    for (let i = 1; i <= 5; i++) {
      expect(await client.mutation(api.counters.increment, { slug: 'a' })).toBe(i)
      expect(seen.last).toBe(i)
    }
  })

  it('resolves when no query is subscribed', async () => {
    const client = clients.open(await addPerson(test.database, { counters: ['a'] }))
    expect(await client.mutation(api.counters.increment, { slug: 'a' })).toBe(1)
  })

  it('runs in the order in which the client sent it', async () => {
    const client = clients.open(await addPerson(test.database, { counters: ['a'] }))
    const results = Array.from({ length: 20 }, () => client.mutation(api.counters.increment, { slug: 'a' }))
    expect(await Promise.all(results)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  })

  it('with a lock key succeeds for every one of many clients at once', async () => {
    const person = await addPerson(test.database, { counters: ['a'] })
    const calls = Array.from({ length: 16 }, () =>
      clients.open(person).mutation(api.counters.incrementLocked, { slug: 'a' }),
    )
    expect((await Promise.all(calls)).sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1))
  })

  it('reaches other clients', async () => {
    const person = await addPerson(test.database)
    const seen = new Seen<string[]>()
    clients.open(person).onUpdate(api.knowledge.spaces.names, {}, seen.push)
    await clients.open(person).mutation(api.knowledge.spaces.create, { slug: 'новое' })
    expect(await seen.until((names) => names.length === 1)).toEqual(['новое'])
  })
})

describe('values', () => {
  const value = {
    text: 'Привет, мир 👋',
    big: 9_007_199_254_740_993n,
    bytes: new Uint8Array([1, 2, 255]).buffer,
    special: [Number.NaN, Number.NEGATIVE_INFINITY, -0],
    nested: { list: [null, true, 1.5] },
  }

  it('arrive unchanged over the socket and over HTTP', async () => {
    const person = await addPerson(test.database)
    expect(await clients.open(person).query(api.wire.echo, { value })).toEqual(value)
    expect(await (await connectHttp(server, person)).query(api.wire.echo, { value })).toEqual(value)
  })

  it('of several megabytes arrive in pieces', async () => {
    const text = await clients.open(null).query(api.wire.large, { length: 900_001 })
    expect(text).toBe('👋'.repeat(900_001))
  })

  it('with keys that the client cannot decode fail their own query and no other', async () => {
    const client = clients.open(null)
    const [broken, healthy] = [new Seen<unknown>(), new Seen<string[]>()]
    client.onUpdate(api.wire.cyrillicKeys, {}, () => {}, broken.push)
    client.onUpdate(api.wire.plans, {}, healthy.push)
    await Promise.all([broken.until((error) => error instanceof Error), healthy.until((plans) => plans.length > 0)])
  })
})

describe('errors', () => {
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('of the catalogue carry their data through queries, mutations, actions and HTTP', async () => {
    const person = await addPerson(test.database)
    const [client, http] = [clients.open(person), await connectHttp(server, person)]
    const refused = { code: 'model_failed', message: 'Отказ', count: 5n }
    for (const error of [
      await failure(client.query(api.wire.refuse, {})),
      await failure(http.query(api.wire.refuse, {})),
    ]) {
      expect(error).toBeInstanceOf(ConvexError)
      expect((error as ConvexError<typeof refused>).data).toEqual(refused)
    }
    for (const caller of [client, http]) {
      expect(appErrorData(await failure(caller.mutation(api.wire.refuseMutation, {})))).toMatchObject({
        code: 'rate_limited',
        params: { retryAfterMs: 5n },
      })
    }
    for (const caller of [client, http]) {
      expect(appErrorData(await failure(caller.action(api.wire.refuseAction, {})))).toMatchObject({
        params: { description: 'Токен неверен' },
      })
    }
  })

  it('that are unexpected reveal nothing but a request id', async () => {
    const http = await connectHttp(server, null)
    for (const caller of [http, clients.open(null)]) {
      const error = await failure(caller.query(api.wire.breakDown, {}))
      expect(error).not.toBeInstanceOf(ConvexError)
      expect(String(error)).toMatch(/\[Request ID: \w+\] Server Error/)
      expect(String(error)).not.toContain('secret')
    }
  })

  it('of the database in one live query leave the others alone', async () => {
    const client = clients.open(null)
    const [broken, healthy] = [new Seen<unknown>(), new Seen<string[]>()]
    client.onUpdate(api.wire.badQuery, {}, () => {}, broken.push)
    client.onUpdate(api.wire.plans, {}, healthy.push)
    await broken.until((error) => String(error).includes('Server Error'))
    await healthy.until((plans) => plans.includes('starter'))
  })

  it('name unknown functions, wrong kinds, unknown keys and wrong types', async () => {
    const http = await connectHttp(server, await addPerson(test.database))
    const code = async (call: Promise<unknown>) => appErrorData(await failure(call))?.code
    const call = http as unknown as Record<'query' | 'mutation', (name: string, args: object) => Promise<unknown>>
    expect(await code(call.query('nowhere:nothing', {}))).toBe('unknown_function')
    expect(await code(call.query('counters:increment', { slug: 'a' }))).toBe('wrong_kind')
    expect(await code(call.mutation('counters:get', { slug: 'a' }))).toBe('wrong_kind')
    expect(await code(call.query('counters:get', { slug: 'a', organizationId: 'x' }))).toBe('invalid_arguments')
    expect(await code(call.query('counters:get', { slug: 5 }))).toBe('invalid_arguments')
    expect(await code(call.query('wire:echo', { value: 'a\0b' }))).toBe('invalid_arguments')
    expect(await code(call.query('wire:echo', { value: '\ud800' }))).toBe('invalid_arguments')
  })

  it('refuse callers without a session if the guard requires one', async () => {
    const code = async (call: Promise<unknown>) => appErrorData(await failure(call))?.code
    expect(await code(clients.open(null).query(api.people.me, {}))).toBe('unauthenticated')
    expect(await code(clients.open(null).mutation(api.counters.increment, { slug: 'a' }))).toBe('unauthenticated')
    const user = clients.open(await addPerson(test.database))
    expect(await code(user.query(api.people.organizations, {}))).toBe('admin_required')
    const admin = clients.open(await addPerson(test.database, { role: 'admin' }))
    expect(await admin.query(api.people.organizations, {})).toBeGreaterThan(1)
  })
})

describe('HTTP', () => {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const plans = { path: 'wire:plans', format: 'convex_encoded_json', args: [{}] }

  it('answers 560 for a failed function and 400 for what is not a call', async () => {
    expect((await post('/api/query', { ...plans, path: 'wire:refuse' })).status).toBe(560)
    expect((await post('/api/query', 'not json')).status).toBe(400)
    expect((await post('/api/query', { args: [] })).status).toBe(400)
    expect((await fetch(`${server.url}/api/query`)).status).toBe(405)
  })

  it('answers 401 to a token that is not valid, whatever the function', async () => {
    expect((await post('/api/query', plans, { authorization: 'Bearer nonsense' })).status).toBe(401)
    expect((await post('/api/query', plans, { authorization: 'Convex admin-key' })).status).toBe(401)
  })

  it('runs a function of any kind through /api/action and /api/function', async () => {
    for (const [path, args] of [
      ['/api/action', [{}]],
      ['/api/function', {}],
    ] as const) {
      expect(await (await post(path, { ...plans, args })).json()).toMatchObject({ status: 'success' })
    }
  })

  it('serves consistent queries of the HTTP client', async () => {
    const http = await connectHttp(server, null)
    expect(await http.consistentQuery(api.wire.plans, {})).toContain('starter')
  })

  it('lets only known sites call from a browser', async () => {
    const allow = async (origin: string) =>
      (await post('/api/query', plans, { origin })).headers.get('access-control-allow-origin')
    expect(await allow('https://app.example')).toBe('https://app.example')
    expect(await allow('https://evil.example')).toBeNull()
  })
})
