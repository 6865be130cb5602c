// Memory held for clients is accounted, bounded and released; a refused client gets an error and keeps the connection.
import { once } from 'node:events'
import net from 'node:net'
import type { ConvexClient } from 'convex/browser'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { BODY_MAX_ANONYMOUS, KEPT_MAX, PENDING_MAX, UNREAD_MAX } from '#server/platform/sync/limits.ts'
import { appErrorData } from '#shared/errors.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { world } from './functions.ts'
import { addPerson, api, type Clients, openClients, Seen, startServer, type TestServer, tokenFor } from './server.ts'

let test: TestDatabase
let server: TestServer
let clients: Clients

beforeAll(async () => {
  test = await openTestDatabase()
  server = await startServer(test.database)
  clients = openClients(server)
})
afterEach(async () => {
  await clients.close()
  await isGivenBack()
})
afterAll(async () => {
  await server.close()
  await test.close()
})

const NOTHING = { bytes: 0, items: 0 }

/** No memory is charged to any client. */
function isGivenBack(): Promise<void> {
  return vi.waitFor(
    () => expect(server.sync.stats().charged).toEqual({ kept: NOTHING, pending: NOTHING, unread: NOTHING }),
    10_000,
  )
}

type Change = { type: string; queryId: number; errorData?: { code: string } }
type Message = { type: string; modifications?: Change[] }

/** A client without an account that sends arbitrary messages. */
async function openStranger() {
  // If compressed, identical messages would be small.
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/1.48.0/sync`, { perMessageDeflate: false })
  socket.on('error', () => {})
  const closed = once(socket, 'close') as Promise<[number]>
  const messages = new Seen<Message>()
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await once(socket, 'open')
  const send = (message: unknown) => socket.send(JSON.stringify(message))
  send({ type: 'Connect', sessionId: '6f9619ff-8b86-d011-b42d-00cf4fc964ff', connectionCount: 0 })
  let version = 0
  const modify = (modifications: unknown[]) =>
    send({ type: 'ModifyQuerySet', baseVersion: version, newVersion: ++version, modifications })
  const add = (queryId: number, value: string) =>
    modify([{ type: 'Add', queryId, udfPath: 'wire:echo', args: [{ value }] }])
  /** Waits for a change of this type to a query. */
  const changeOf = async (queryId: number, type: string) => {
    const isIt = (change: Change) => change.queryId === queryId && change.type === type
    return (await messages.until(({ modifications = [] }) => modifications.some(isIt))).modifications?.find(isIt)
  }
  return { socket, closed, send, modify, add, changeOf, messages }
}

describe('a client without an account', () => {
  it('leaves nothing allocated after 300 queries with 900 kB of arguments each', async () => {
    const stranger = await openStranger()
    for (let id = 0; id < 300 && stranger.socket.readyState === WebSocket.OPEN; id++)
      stranger.add(id, 'x'.repeat(900_000))
    expect((await stranger.closed)[0]).toBe(1009)
    await isGivenBack()
  })

  it('is notified which of its queries exceed the budget; the others continue, and budget is released', async () => {
    const stranger = await openStranger()
    for (let id = 0; id < 60; id++) stranger.add(id, 'x'.repeat(1000))
    await stranger.changeOf(0, 'QueryUpdated')
    expect((await stranger.changeOf(59, 'QueryFailed'))?.errorData?.code).toBe('arguments_too_large')
    expect(server.sync.stats().charged.kept.bytes).toBeLessThanOrEqual(2 * KEPT_MAX.stranger.socket.bytes)
    stranger.modify([
      { type: 'Remove', queryId: 0 },
      { type: 'Remove', queryId: 59 },
    ])
    await stranger.changeOf(59, 'QueryRemoved')
    stranger.add(60, 'x'.repeat(1000))
    await stranger.changeOf(60, 'QueryUpdated')
    stranger.socket.close()
  })

  it('may follow a hundred queries and no more', async () => {
    const stranger = await openStranger()
    const many = Array.from({ length: KEPT_MAX.stranger.socket.items + 1 }, (_, queryId) => ({
      ...{ type: 'Add', queryId, udfPath: 'wire:plans', args: [{}] },
    }))
    stranger.modify(many)
    expect((await stranger.changeOf(many.length - 1, 'QueryFailed'))?.errorData?.code).toBe('too_many_queries')
    await stranger.changeOf(many.length - 2, 'QueryUpdated')
    stranger.socket.close()
  })

  it('cannot make the server buffer partial frames of many connections', async () => {
    const sockets = await Promise.all(Array.from({ length: 80 }, openStranger))
    // The header of a 64 KiB frame, and most of its content.
    const part = Buffer.alloc(14 + 60_000)
    part.set([0x81, 0xff])
    part.writeBigUInt64BE(65_536n, 2)
    for (const { socket } of sockets) (Reflect.get(socket, '_socket') as net.Socket).write(part)
    expect((await Promise.race(sockets.map(({ closed }) => closed)))[0]).toBe(1013)
    // Each is charged to its socket and to its address.
    expect(server.sync.stats().charged.pending.bytes).toBeLessThanOrEqual(2 * PENDING_MAX.stranger.address.bytes)
    for (const { socket } of sockets) socket.terminate()
  })

  it('cannot make the server buffer answers that it does not read', async () => {
    const strangers = await Promise.all(Array.from({ length: 30 }, openStranger))
    for (const { socket, modify } of strangers) {
      socket.pause()
      modify([{ type: 'Add', queryId: 0, udfPath: 'wire:large', args: [{ length: 1_500_000 }] }])
    }
    await vi.waitFor(() => expect(server.sync.stats().sockets).toBeLessThan(strangers.length), 20_000)
    const { bytes } = server.sync.stats().charged.unread
    expect(bytes).toBeGreaterThan(UNREAD_MAX.stranger.address.bytes)
    // Each is charged to its socket and to its address.
    expect(bytes).toBeLessThanOrEqual(2 * UNREAD_MAX.stranger.address.bytes)
    for (const { socket } of strangers) socket.terminate()
  })
})

/** How often an official client has connected, and whether it is connected now. */
function connection(client: ConvexClient) {
  const { connectionCount, isWebSocketConnected } = client.client.connectionState()
  return { connectionCount, isWebSocketConnected }
}

/** The code of the first error of a query. */
function errorOf(client: ConvexClient, value: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    client.onUpdate(api.wire.echo, { value }, reject, (error) => resolve(appErrorData(error)?.code))
  })
}

describe('an official client', () => {
  it('gets an error for the query that exceeds the budget, keeps its connection, and everything else works', async () => {
    const person = await addPerson(test.database, { counters: ['a'] })
    const client = clients.open(person)
    const large = (name: string) => name.repeat(900_000)
    const seen = new Seen<string>()
    const stop = client.onUpdate(api.wire.echo, { value: large('a') }, (value) => seen.push(String(value)))
    client.onUpdate(api.wire.echo, { value: large('b') }, (value) => seen.push(String(value)))
    await vi.waitFor(() => expect(seen.values.length).toBe(2), 20_000)
    const before = connection(client)
    expect(await errorOf(client, large('c'))).toBe('arguments_too_large')
    expect(await errorOf(client, large('d'))).toBe('arguments_too_large')
    expect(await client.mutation(api.counters.increment, { slug: 'a' })).toBe(1)
    expect(await client.query(api.counters.get, { slug: 'a' })).toBe(1)
    expect(connection(client)).toEqual(before)
    stop()
    const again = new Seen<string>()
    client.onUpdate(api.wire.echo, { value: large('e') }, (value) => again.push(String(value)))
    expect(await again.until(() => true)).toHaveLength(900_000)
    expect(connection(client)).toEqual(before)
  })

  it('without an account gets the same, and does not reconnect repeatedly', async () => {
    const client = clients.open(null)
    expect(await errorOf(client, 'x'.repeat(20_000))).toBe('arguments_too_large')
    const before = connection(client)
    expect(await client.query(api.wire.plans, {})).toContain('starter')
    expect(connection(client)).toEqual(before)
  })

  it('reconnects with its queries, and gets the same answers', async () => {
    const client = clients.open(await addPerson(test.database))
    Object.assign(Reflect.get(client.client, 'webSocketManager'), { defaultInitialBackoff: 20, maxBackoff: 40 })
    const seen = new Seen<string>()
    client.onUpdate(api.wire.echo, { value: 'a'.repeat(900_000) }, (value) => seen.push(String(value)))
    await seen.until(() => true)
    const errors = new Seen<unknown>()
    client.onUpdate(api.wire.echo, { value: 'b'.repeat(1_900_000) }, () => {}, errors.push)
    await errors.until(() => true)
    server.cut()
    await vi.waitFor(() => expect(connection(client).connectionCount).toBe(2), 20_000)
    expect(await client.query(api.wire.plans, {})).toContain('starter')
    expect(appErrorData(errors.last)?.code).toBe('arguments_too_large')
    expect(connection(client)).toEqual({ connectionCount: 2, isWebSocketConnected: true })
  })

  it('is refused a request while running ones use up its budget, which is released when they end', async () => {
    const gate = Promise.withResolvers<void>()
    world.gate = gate.promise
    const person = await addPerson(test.database)
    const client = clients.open(person)
    const key = (name: string) => name.repeat(12 * 2 ** 20)
    void client.action(api.wire.wait, { key: key('a') }).catch(() => {})
    const isStarted = (name: string) => vi.waitFor(() => expect(world.started.at(-1)?.[0]).toBe(name), 20_000)
    await isStarted('a')
    const other = clients.open(person)
    void other.action(api.wire.wait, { key: key('b') }).catch(() => {})
    await isStarted('b')
    const refused = await other.action(api.wire.wait, { key: key('c') }).catch((error: unknown) => error)
    expect(appErrorData(refused)?.code).toBe('rate_limited')
    await clients.close()
    // A running request uses memory, even if no client waits for it.
    expect(server.sync.stats().charged.pending.bytes).toBeGreaterThan(2 * 12 * 2 ** 20)
    gate.resolve()
    await isGivenBack()
  })
})

describe('a connection report', () => {
  const report = (body: string) => fetch(`${server.url}/api/debug_event`, { method: 'POST', body })

  it('is accepted from the official client and from ours, and nothing else is', async () => {
    expect((await report('{"event":"LongWebsocketDisconnect"}')).status).toBe(204)
    const metrics = { connections: 3, failures: 1, openMs: 60_000, closedMs: 5 }
    expect((await report(JSON.stringify({ event: 'ConnectionMetrics', ...metrics }))).status).toBe(204)
    for (const other of ['', '{', '{}', '{"event":"two words"}', `{"event":"${'x'.repeat(5_000)}"}`]) {
      const refused = await report(other)
      expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'invalid_arguments' }])
    }
  })
})

describe('a call over HTTP', () => {
  /** A request whose head and part of whose body have been sent. */
  async function beginCall(head: string, part = '{'): Promise<{ socket: net.Socket; answer: Promise<string> }> {
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    const answer = new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(String(data).split('\r\n')[0] ?? ''))
      socket.once('close', () => resolve('closed'))
    })
    socket.write(`POST /api/query HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${head}\r\n\r\n${part}`)
    return { socket, answer }
  }

  it('of a stranger is refused by its content length, and cut off if it has none', async () => {
    const announced = await beginCall('content-length: 17000000')
    expect(await announced.answer).toContain('413')
    const chunk = `${(BODY_MAX_ANONYMOUS + 1).toString(16)}\r\n${'x'.repeat(BODY_MAX_ANONYMOUS + 1)}\r\n`
    const chunked = await beginCall('transfer-encoding: chunked', chunk)
    expect(await chunked.answer).toContain('413')
    for (const { socket } of [announced, chunked]) socket.destroy()
  })

  it('with an invalid token is refused before its body arrives', async () => {
    const call = await beginCall('content-length: 5000\r\nauthorization: Bearer x.y.z')
    expect(await call.answer).toContain('401')
    call.socket.destroy()
  })

  it('of a user may be large, up to the limit of a call', async () => {
    const authorization = `Bearer ${await tokenFor(await addPerson(test.database))}`
    const ask = (body: string) => fetch(`${server.url}/api/query`, { method: 'POST', headers: { authorization }, body })
    const call = (value: string) => ask(`{"path":"wire:echo","args":{"value":${value}}}`)
    expect((await call(`"${'x'.repeat(2 * 2 ** 20)}"`)).status).toBe(200)
    expect((await call(`[${'[],'.repeat(300_000)}[]]`)).status).toBe(400)
    expect((await ask('['.repeat(100_000))).status).toBe(400)
  })

  it('is refused while an address has used up the budget of strangers', async () => {
    const count = PENDING_MAX.stranger.address.bytes / BODY_MAX_ANONYMOUS
    const begun = await Promise.all(
      Array.from({ length: count }, () => beginCall(`content-length: ${BODY_MAX_ANONYMOUS}`)),
    )
    await vi.waitFor(() => expect(server.sync.stats().charged.pending.items).toBe(count), 10_000)
    const refused = await beginCall('content-length: 1000')
    expect(await refused.answer).toContain('429')
    const person = await addPerson(test.database)
    const headers = { authorization: `Bearer ${await tokenFor(person)}` }
    const body = JSON.stringify({ path: 'wire:plans', args: {} })
    expect((await fetch(`${server.url}/api/query`, { method: 'POST', headers, body })).status).toBe(200)
    for (const { socket } of [...begun, refused]) socket.destroy()
  })
})
