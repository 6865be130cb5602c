// Errors that reconnecting cannot fix are reported as fatal, so that the official client stays away. Others are a plain close, after which it returns.
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConvexClient } from 'convex/browser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket as RawSocket } from 'ws'
import { FRAME_MAX, FRAME_MAX_ANONYMOUS, MODIFICATIONS_MAX } from '#server/platform/sync/limits.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { addPerson, api, hurry, quiet, startServer, type TestServer, tokenFor } from './server.ts'

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

const HELLO = { type: 'Connect', sessionId: '6f9619ff-8b86-d011-b42d-00cf4fc964ff', connectionCount: 0, clientTs: 1 }
const text = (message: unknown) => JSON.stringify(message)

/** Sends frames on a connection of their own, and returns its last message and the close code. */
async function answerTo(frames: (string | Buffer)[]): Promise<{ type?: string; error?: string; code: number }> {
  const socket = new RawSocket(`${server.url.replace('http', 'ws')}/api/1.48.0/sync`)
  socket.on('error', () => {})
  let last: { type?: string; error?: string } = {}
  socket.on('message', (data) => {
    last = JSON.parse(String(data))
  })
  const closed = once(socket, 'close')
  await once(socket, 'open')
  for (const frame of frames) socket.send(frame)
  const [code] = await closed
  return { ...last, code }
}

describe('a frame that would be resent', () => {
  const subscribe = { type: 'ModifyQuerySet', baseVersion: 0, newVersion: 1, modifications: [] }
  it.each([
    ['that is not JSON', ['{'], 'MalformedMessage'],
    ['that is binary', [Buffer.from([1, 2, 3])], 'MalformedMessage'],
    ['of an unknown type', [text({ type: 'Drop' })], 'MalformedMessage'],
    ['before Connect', [text(subscribe)], 'ConnectExpected'],
    ['that connects twice', [text(HELLO), text(HELLO)], 'ConnectedAlready'],
    [
      'that skips a version',
      [text(HELLO), text({ ...subscribe, baseVersion: 3, newVersion: 4 })],
      'QuerySetVersionMismatch',
    ],
    [
      'with an impossible identity version',
      [text(HELLO), text({ type: 'Authenticate', tokenType: 'None', baseVersion: 7 })],
      'IdentityVersionMismatch',
    ],
    ['that holds too many values', [text(HELLO), `[${'0,'.repeat(9_000)}0]`], 'TooComplex'],
    ['too large for a stranger', [text(HELLO), 'x'.repeat(FRAME_MAX_ANONYMOUS + 1)], 'TooLarge'],
    ['far too large for a stranger', [text(HELLO), 'x'.repeat(20 * FRAME_MAX_ANONYMOUS)], 'TooLarge'],
  ])('%s is answered with a FatalError', async (_, frames, reason) => {
    const answer = await answerTo(frames)
    expect(answer.type).toBe('FatalError')
    expect(answer.error).toMatch(new RegExp(`^${reason}: `))
    expect(answer.code).toBe(reason === 'TooLarge' ? 1009 : 1008)
  })

  it('that names more live queries than any client may have says so', async () => {
    const token = await tokenFor(await addPerson(test.database))
    const add = { type: 'Add', udfPath: 'wire:echo', args: [{ value: 1 }] }
    const modifications = Array.from({ length: MODIFICATIONS_MAX + 1 }, (_, queryId) => ({ ...add, queryId }))
    const answer = await answerTo([
      text(HELLO),
      text({ type: 'Authenticate', tokenType: 'User', value: token, baseVersion: 0 }),
      text({ ...subscribe, modifications: [] }),
      text({ type: 'ModifyQuerySet', baseVersion: 1, newVersion: 2, modifications }),
    ])
    expect(answer).toMatchObject({ type: 'FatalError', error: expect.stringMatching(/^TooManyQueries: /), code: 1008 })
  })

  it('that the websocket library itself refuses is fatal, too', async () => {
    const token = await tokenFor(await addPerson(test.database))
    const signIn = text({ type: 'Authenticate', tokenType: 'User', value: token, baseVersion: 0 })
    const socket = new RawSocket(`${server.url.replace('http', 'ws')}/api/1.48.0/sync`)
    socket.on('error', () => {})
    const messages: { type: string; error?: string }[] = []
    socket.on('message', (data) => messages.push(JSON.parse(String(data))))
    await once(socket, 'open')
    for (const message of [text(HELLO), signIn, text(subscribe)]) socket.send(message)
    await vi.waitFor(() => expect(messages.at(-1)?.type).toBe('Transition'), 10_000)
    socket.send('x'.repeat(FRAME_MAX + 1))
    await once(socket, 'close')
    expect(messages.at(-1)?.type).toBe('FatalError')
    expect(messages.at(-1)?.error).toContain('TooLarge')
  })

  it('is answered with a plain close if a retry may succeed', async () => {
    const refused = await answerTo([
      text(HELLO),
      text({ type: 'Authenticate', tokenType: 'User', value: 'x.y.z', baseVersion: 0 }),
    ])
    expect(refused.type).toBe('AuthError')
    expect(refused.code).toBe(1000)
  })
})

describe('a client that comes back', () => {
  it('may send what is large when compressed before its token was looked at', async () => {
    const patient = await startServer(test.database, (host) => ({
      ...host,
      authenticate: async (...args) => {
        await sleep(200)
        return host.authenticate(...args)
      },
    }))
    const token = await tokenFor(await addPerson(test.database))
    const socket = new RawSocket(`${patient.url.replace('http', 'ws')}/api/1.48.0/sync`)
    socket.on('error', () => {})
    const types: string[] = []
    socket.on('message', (data) => types.push(JSON.parse(String(data)).type))
    await once(socket, 'open')
    const value = 'x'.repeat(3 * FRAME_MAX_ANONYMOUS)
    const raw = Reflect.get(socket, '_socket') as Duplex
    raw.cork() // all of it arrives at once
    socket.send(text({ ...HELLO, connectionCount: 1 }))
    socket.send(text({ type: 'Authenticate', tokenType: 'User', value: token, baseVersion: 0 }))
    socket.send(text({ type: 'ModifyQuerySet', baseVersion: 0, newVersion: 1, modifications: [] }))
    socket.send(text({ type: 'Mutation', requestId: 0, udfPath: 'counters:none', args: [{ value }] }))
    await vi.waitFor(() => expect(socket.bufferedAmount).toBeLessThan(value.length), 10_000)
    raw.uncork()
    await vi.waitFor(() => expect(types).toContain('MutationResponse'), 10_000)
    expect(types).not.toContain('FatalError')
    socket.terminate()
    await patient.close()
  })

  it('is answered by an error of the query when it asks for a name that no function can have', async () => {
    const client = new ConvexClient(server.url, { unsavedChangesWarning: false, skipConvexDeploymentUrlCheck: true })
    const failed = new Promise<Error>((resolve) => {
      client.onUpdate(api['x'.repeat(2_000) as 'wire'].plans, {}, () => {}, resolve)
    })
    expect((await failed) as object).toHaveProperty('data.code', 'unknown_function')
    await client.close()
  })
})

/** The official client throws a FatalError out of its listener; here it is recorded. */
function openOfficial() {
  const thrown: unknown[] = []
  class Socket extends WebSocket {
    override set onmessage(listen: (event: MessageEvent) => void) {
      this.addEventListener('message', (event) => {
        try {
          listen(event)
        } catch (error) {
          thrown.push(error)
        }
      })
    }
  }
  const client = new ConvexClient(server.url, { ...quiet, unsavedChangesWarning: false, webSocketConstructor: Socket })
  hurry(client.client)
  return { client, thrown }
}

describe('the official client', () => {
  it('does not reconnect after an oversized frame', async () => {
    const { client, thrown } = openOfficial()
    client.onUpdate(
      api.wire.echo,
      { value: 'x'.repeat(FRAME_MAX_ANONYMOUS) },
      () => {},
      () => {},
    )
    await vi.waitFor(() => expect(String(thrown[0])).toContain('TooLarge'), 10_000)
    await sleep(300) // it would reconnect after 40 ms at the latest
    expect(client.client.connectionState()).toMatchObject({ connectionCount: 1, isWebSocketConnected: false })
    await client.close()
  })

  it('reconnects after an error that a retry may fix', async () => {
    const { client, thrown } = openOfficial()
    client.onUpdate(api.wire.plans, {}, () => {})
    await vi.waitFor(() => expect(client.client.connectionState().isWebSocketConnected).toBe(true), 10_000)
    server.cut()
    await vi.waitFor(
      () => expect(client.client.connectionState()).toMatchObject({ connectionCount: 2, isWebSocketConnected: true }),
      10_000,
    )
    expect(thrown).toEqual([])
    await client.close()
  })
})
