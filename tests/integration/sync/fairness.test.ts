// One account's work keeps no other waiting, and what is too much of it is refused by the query, not by the connection.
import { once } from 'node:events'
import type { ConvexClient } from 'convex/browser'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { KEPT_MAX } from '#server/platform/sync/limits.ts'
import { appErrorData } from '#shared/errors.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { runs, world } from './functions.ts'
import { addPerson, api, type Clients, openClients, Seen, startServer, type TestServer, tokenFor } from './server.ts'

let test: TestDatabase
let server: TestServer
let clients: Clients

beforeAll(async () => {
  test = await openTestDatabase()
  server = await startServer(test.database)
  clients = openClients(server)
})
afterEach(() => clients.close())
afterAll(async () => {
  await server.close()
  await test.close()
})

const MOST = KEPT_MAX.account.socket.items
const codeOf = (error: unknown) => appErrorData(error)?.code

describe('live queries of one organization', () => {
  it('keep no client of another waiting, however long they take', async () => {
    const [hostile, neighbour] = [
      await addPerson(test.database, { counters: ['h'] }),
      await addPerson(test.database, { counters: ['n'] }),
    ]
    const gate = Promise.withResolvers<void>()
    world.queryGate = gate.promise
    const stuck = new Seen<unknown>()
    clients.open(hostile).onUpdate(api.counters.getGated, { slug: 'h' }, stuck.push)
    await vi.waitFor(() => expect(runs['counters:getGated']).toBeGreaterThan(0), 10_000)
    const client = clients.open(neighbour)
    const seen = new Seen<unknown>()
    client.onUpdate(api.counters.get, { slug: 'n' }, seen.push)
    await seen.until((value) => value === 0)
    expect(await client.mutation(api.counters.increment, { slug: 'n' })).toBe(1)
    await seen.until((value) => value === 1)
    expect(stuck.values).toEqual([])
    gate.resolve()
    await stuck.until((value) => value === 0)
  })

  it('are looked at only after writes that touch them', async () => {
    const [writer, other] = [await addPerson(test.database, { counters: ['w'] }), await addPerson(test.database)]
    const seen = new Seen<unknown>()
    clients.open(other).onUpdate(api.knowledge.spaces.names, {}, seen.push)
    await seen.until(() => true)
    const before = runs['spaces:names']
    const client = clients.open(writer)
    for (let times = 0; times < 5; times++) await client.mutation(api.counters.increment, { slug: 'w' })
    expect(runs['spaces:names']).toBe(before)
    // And it still learns of its own.
    await clients.open(other).mutation(api.knowledge.spaces.create, { slug: 'mine' })
    await seen.until((names) => Array.isArray(names) && names.includes('mine'))
  })
})

/** Follows so many queries, each with arguments of its own, and collects how each ends up. */
function follow(client: ConvexClient, count: number, from = 0) {
  const [values, errors] = [new Seen<unknown>(), new Seen<unknown>()]
  for (let at = from; at < from + count; at++)
    client.onUpdate(api.wire.echo, { value: at }, values.push, (error) => errors.push(error))
  return { values, errors }
}

describe('more live queries than a client may follow', () => {
  it('fail with a code; the connection stays, what is followed goes on, and mutations are carried out', async () => {
    const client = clients.open(await addPerson(test.database, { counters: ['a'] }))
    const counter = new Seen<unknown>()
    client.onUpdate(api.counters.get, { slug: 'a' }, counter.push)
    await counter.until((value) => value === 0)
    const { values, errors } = follow(client, MOST + 49)
    await vi.waitFor(() => expect(errors.values).toHaveLength(50), 20_000)
    expect(new Set(errors.values.map(codeOf))).toEqual(new Set(['too_many_queries']))
    expect(values.values).toHaveLength(MOST - 1)
    expect(await client.mutation(api.counters.increment, { slug: 'a' })).toBe(1)
    await counter.until((value) => value === 1)
    expect(client.client.connectionState()).toMatchObject({ connectionCount: 1, isWebSocketConnected: true })
  })

  it('fail again when the client comes back, which it does once', async () => {
    const client = clients.open(await addPerson(test.database, { counters: ['a'] }))
    Object.assign(Reflect.get(client.client, 'webSocketManager'), { defaultInitialBackoff: 20, maxBackoff: 40 })
    const { errors } = follow(client, 3 * MOST)
    await vi.waitFor(() => expect(errors.values.length).toBe(2 * MOST), 20_000)
    server.cut()
    await vi.waitFor(() => expect(client.client.connectionState().connectionCount).toBe(2), 20_000)
    expect(await client.mutation(api.counters.increment, { slug: 'a' })).toBe(1)
    expect(client.client.connectionState()).toMatchObject({ connectionCount: 2, isWebSocketConnected: true })
  })

  it('leave room again when others are given up', async () => {
    const client = clients.open(await addPerson(test.database))
    const stops = Array.from({ length: MOST }, (_, at) => client.onUpdate(api.wire.echo, { value: at }, () => {}))
    const first = follow(client, 1, MOST)
    await first.errors.until((error) => codeOf(error) === 'too_many_queries')
    stops[0]?.()
    const { values } = follow(client, 1, 2 * MOST)
    await values.until((value) => value === 2 * MOST)
  })
})

describe('a call says what is wrong with it', () => {
  /** A signed-in client that sends what it likes, and its answers. */
  async function openRaw() {
    const person = await addPerson(test.database, { counters: ['a', 'b'] })
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/1.48.0/sync`)
    const answers = new Seen<{ type: string; requestId?: number; success?: boolean; errorData?: { code: string } }>()
    socket.on('message', (data) => answers.push(JSON.parse(String(data))))
    await once(socket, 'open')
    const send = (message: unknown) => socket.send(JSON.stringify(message))
    send({ type: 'Connect', sessionId: crypto.randomUUID(), connectionCount: 0, clientTs: 1 })
    send({ type: 'Authenticate', tokenType: 'User', value: await tokenFor(person), baseVersion: 0 })
    send({ type: 'ModifyQuerySet', baseVersion: 0, newVersion: 1, modifications: [] })
    return { socket, send, answers, person }
  }

  it('when a request id is used again, at once or later', async () => {
    const { socket, send, answers } = await openRaw()
    const increment = (slug: string) =>
      send({ type: 'Mutation', requestId: 7, udfPath: 'counters:increment', args: [{ slug }] })
    increment('a')
    increment('b')
    await answers.until(({ errorData }) => errorData?.code === 'request_id_reused')
    await answers.until(({ type, success }) => type === 'MutationResponse' && success === true)
    increment('b')
    await vi.waitFor(() => expect(answers.values.filter(({ errorData }) => errorData)).toHaveLength(2), 10_000)
    expect(answers.values.filter(({ errorData }) => errorData).map(({ errorData }) => errorData?.code)).toEqual([
      'request_id_reused',
      'request_id_reused',
    ])
    socket.terminate()
  })

  it.each([
    ['Mutation', 'counters:get'],
    ['Mutation', 'wire:wait'],
    ['Action', 'counters:get'],
    ['Action', 'counters:increment'],
  ])('when a %s names %s', async (type, udfPath) => {
    const { socket, send, answers } = await openRaw()
    send({ type, requestId: 0, udfPath, args: [{}] })
    const answer = await answers.until(({ requestId }) => requestId === 0)
    expect(answer.errorData?.code).toBe('wrong_kind')
    socket.terminate()
  })

  it.each(['counters:increment', 'wire:wait'])('when %s is followed like a query', async (name) => {
    const client = clients.open(await addPerson(test.database)) as unknown as {
      onUpdate(query: unknown, args: object, onValue: () => void, onError: (error: Error) => void): void
    }
    const errors = new Seen<unknown>()
    const [module = '', member = ''] = name.split(':')
    client.onUpdate(Reflect.get(Reflect.get(api, module), member), {}, () => {}, errors.push)
    expect(codeOf(await errors.until(() => true))).toBe('wrong_kind')
  })
})
