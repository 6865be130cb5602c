// Malformed input: garbage closes its own socket and has no other effect.

import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { MESSAGE_BURST, MESSAGES_PER_SECOND } from '#server/platform/sync/limits.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type Random, seededRandom } from '#tests/random.ts'
import { addPerson, api, connect, Seen, startServer, type TestServer, tokenFor } from './server.ts'

let test: TestDatabase
let server: TestServer

beforeAll(async () => {
  test = await openTestDatabase()
  server = await startServer(test.database)
})
afterAll(async () => {
  await server.close()
  await test.close()
})

function openSocket(options: { path?: string; origin?: string } = {}): WebSocket {
  const url = `${server.url.replace('http', 'ws')}${options.path ?? '/api/1.48.0/sync'}`
  const socket = new WebSocket(url, options.origin ? { origin: options.origin } : {})
  socket.on('error', () => {})
  return socket
}

/** Unlike `once`, ignores errors: a connection that is cut off reports one. */
function whenClosed(socket: { on(event: 'close', listener: (code: number) => void): unknown }): Promise<number> {
  return new Promise((resolve) => void socket.on('close', resolve))
}

/** Sends frames on a connection of their own and returns how the server closed it. */
async function closeCode(frames: (string | Buffer)[]): Promise<number> {
  const socket = openSocket()
  const closed = once(socket, 'close')
  await once(socket, 'open')
  for (const frame of frames) socket.send(frame)
  const [code] = await closed
  return code
}

/** A healthy client on the same server still gets answers. */
async function expectHealthy(): Promise<void> {
  const client = connect(server, null)
  expect(await client.query(api.wire.plans, {})).toContain('starter')
  await client.close()
}

const HELLO = { type: 'Connect', sessionId: '6f9619ff-8b86-d011-b42d-00cf4fc964ff', connectionCount: 0, clientTs: 1 }
const SUBSCRIBE = {
  type: 'ModifyQuerySet',
  baseVersion: 0,
  newVersion: 1,
  modifications: [{ type: 'Add', queryId: 0, udfPath: 'wire:plans', args: [{}] }],
}
const text = (message: unknown) => JSON.stringify(message)

describe('a frame', () => {
  it.each([
    ['that is not JSON', ['{']],
    ['that is binary', [Buffer.from([1, 2, 3])]],
    ['of an unknown type', [text({ type: 'Drop' })]],
    ['before Connect', [text(SUBSCRIBE)]],
    ['that connects twice', [text(HELLO), text(HELLO)]],
    ['with a timestamp that cannot be', [text({ ...HELLO, maxObservedTimestamp: '/////////38=' })]],
    ['that skips a version', [text(HELLO), text({ ...SUBSCRIBE, baseVersion: 3, newVersion: 4 })]],
    [
      'that adds a query twice',
      [text(HELLO), text({ ...SUBSCRIBE, modifications: [...SUBSCRIBE.modifications, ...SUBSCRIBE.modifications] })],
    ],
    [
      'with an impossible identity version',
      [text(HELLO), text({ type: 'Authenticate', tokenType: 'None', baseVersion: 7 })],
    ],
    ['nested thirty thousand deep', ['['.repeat(30_000) + ']'.repeat(30_000)]],
    ['with more in it than any call has', [text({ ...SUBSCRIBE, modifications: Array(6_000).fill(0) })]],
  ])('%s closes the socket', async (_, frames) => {
    expect(await closeCode(frames)).toBe(1008)
    await expectHealthy()
  })

  it('of more than 64 KiB is refused before authentication, and accepted after, also in the same burst', async () => {
    const large = text({ type: 'Event', eventType: 'x', event: 'x'.repeat(2 ** 20) })
    expect(await closeCode([text(HELLO), large])).toBe(1009)
    const socket = openSocket()
    await once(socket, 'open')
    const token = await tokenFor(await addPerson(test.database))
    const messages = new Seen<{ type: string }>()
    socket.on('message', (data) => messages.push(JSON.parse(String(data))))
    socket.send(text(HELLO))
    socket.send(text({ type: 'Authenticate', tokenType: 'User', value: token, baseVersion: 0 }))
    socket.send(text(SUBSCRIBE))
    socket.send(large)
    await messages.until(({ type }) => type === 'Transition')
    socket.send(large)
    socket.send(text({ type: 'Mutation', requestId: 0, udfPath: 'wire:refuseMutation', args: [{}] }))
    await messages.until(({ type }) => type === 'MutationResponse')
    socket.terminate()
  })

  it('is one of too many at once: the client is disconnected for a while, and the others continue', async () => {
    const events = Array.from({ length: MESSAGE_BURST + 20 * MESSAGES_PER_SECOND }, () => text({ type: 'Event' }))
    expect(await closeCode([text(HELLO), ...events])).toBe(1013)
    await expectHealthy()
  })

  it('that never ends is cut off long before the limit for known clients', async () => {
    const socket = openSocket()
    await once(socket, 'open')
    const closed = whenClosed(socket)
    const raw: net.Socket = Reflect.get(socket, '_socket')
    // The header of a text frame of 15 MiB, then its content, unmasked as zeros, for as long as the server reads.
    const header = Buffer.alloc(14)
    header.set([0x81, 0xff])
    header.writeBigUInt64BE(15n * 2n ** 20n, 2)
    raw.write(header)
    let sent = 0
    const piece = Buffer.alloc(64 * 1024)
    const feed = setInterval(() => {
      sent += piece.length
      raw.write(piece)
    }, 1)
    expect(await closed).toBe(1009) // not 1013, after which a client reconnects
    clearInterval(feed)
    expect(sent).toBeLessThan(8 * 2 ** 20)
  })

  it('with a poisoned prototype or half a character has no effect', async () => {
    const socket = openSocket()
    await once(socket, 'open')
    const messages = new Seen<{ type: string; success?: boolean; errorData?: { code?: string } }>()
    socket.on('message', (data) => messages.push(JSON.parse(String(data))))
    socket.send(text(HELLO))
    socket.send(
      '{"type":"Mutation","requestId":0,"udfPath":"wire:refuseMutation","args":[{"__proto__":{"polluted":1}}]}',
    )
    socket.send('{"type":"Mutation","requestId":1,"udfPath":"wire:refuseMutation","args":[{"a":"\\ud800"}]}')
    await messages.until(() => messages.values.length === 2)
    for (const { success, errorData } of messages.values) {
      expect(success).toBe(false)
      expect(errorData?.code).toBe('invalid_arguments')
    }
    expect({}).not.toHaveProperty('polluted')
    socket.terminate()
  })
})

describe('many mutated frames', () => {
  it.each([11, 12])('close their sockets or are answered, and nothing else happens (seed %i)', async (seed) => {
    const rejections: unknown[] = []
    const note = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', note)
    const random = seededRandom(seed)
    const valid = [
      HELLO,
      SUBSCRIBE,
      { type: 'Authenticate', tokenType: 'User', value: 'x.y.z', baseVersion: 0 },
      { type: 'Mutation', requestId: 1, udfPath: 'wire:refuseMutation', args: [{}] },
      { type: 'Action', requestId: 2, udfPath: 'wire:refuseAction', args: [{}] },
      { type: 'Event', eventType: 'x', event: null },
    ].map(text)
    for (let round = 0; round < 60; round++) {
      const socket = openSocket()
      await once(socket, 'open')
      const closed = whenClosed(socket)
      if (random.chance(0.7)) socket.send(text(HELLO))
      for (let i = 0; i < 30 && socket.readyState === socket.OPEN; i++) {
        socket.send(mutate(random.pick(valid), random))
      }
      socket.send('{')
      await closed
    }
    process.off('unhandledRejection', note)
    expect(rejections).toEqual([])
    await expectHealthy()
  })
})

const JUNK = ['"', '{', '}', '[', ',', '0', '-1', '1e999', 'null', '\\u0000', '__proto__', '👋', '123456789012']

/** The frame, with junk inserted or overwritten, or cut off. */
function mutate(frame: string, random: Random): string {
  const at = random.below(frame.length)
  const [kind, piece] = [random.below(10), random.pick(JUNK)]
  if (kind < 3) return frame
  if (kind < 6) return frame.slice(0, at) + piece + frame.slice(at)
  if (kind < 8) return frame.slice(0, at) + piece + frame.slice(at + 1 + random.below(5))
  return frame.slice(0, at)
}

describe('an upgrade', () => {
  const refusal = (socket: WebSocket) =>
    new Promise<number>((resolve) => {
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
      socket.on('open', () => resolve(101))
    })

  it('is accepted from known sites and from non-browser clients', async () => {
    expect(await refusal(openSocket({ origin: 'https://app.example' }))).toBe(101)
    expect(await refusal(openSocket())).toBe(101)
    expect(await refusal(openSocket({ origin: 'https://evil.example' }))).toBe(403)
    expect(await refusal(openSocket({ origin: 'null' }))).toBe(403)
  })

  it('is accepted under any client version and under no other path', async () => {
    expect(await refusal(openSocket({ path: '/api/9.9.9-beta/sync' }))).toBe(101)
    const other = openSocket({ path: '/api/sync' })
    await whenClosed(other)
  })

  it('survives raw garbage', async () => {
    for (const bytes of [
      '\0\0\0\0',
      'GET /api/1/sync HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      'x'.repeat(100_000),
    ]) {
      const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.resume()
      socket.write(bytes)
      await whenClosed(socket)
    }
    await expectHealthy()
  })
})

it('a client that stops reading uses bounded memory, delays no other client, and is current when it reads again', async () => {
  const person = await addPerson(test.database, { counters: ['a'] })
  const slow = openSocket()
  await once(slow, 'open')
  const received = new Seen<number>()
  slow.on('message', (data) => {
    const value = /"value":(\d+)/.exec(String(data))?.[1]
    if (value) received.push(Number(value))
  })
  slow.send(text(HELLO))
  slow.send(text({ type: 'Authenticate', tokenType: 'User', value: await tokenFor(person), baseVersion: 0 }))
  const add = { type: 'Add', queryId: 0, udfPath: 'counters:getHeavy', args: [{ slug: 'a' }] }
  slow.send(text({ ...SUBSCRIBE, modifications: [add] }))
  await received.until((value) => value === 0)
  slow.pause()
  const healthy = connect(server, person)
  let most = 0
  for (let i = 1; i <= 40; i++) {
    expect(await healthy.mutation(api.counters.increment, { slug: 'a' })).toBe(i)
    most = Math.max(most, server.sync.stats().bufferedMax)
  }
  // The state that is in transit, and no further one.
  expect(most).toBeLessThan(2 ** 20)
  slow.resume()
  await received.until((value) => value === 40)
  expect(received.values.length).toBeLessThan(6)
  slow.terminate()
  await healthy.close()
})
