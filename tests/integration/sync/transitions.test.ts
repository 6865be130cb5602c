// Fields of Transitions other than results, how they are framed, and what is skipped for slow clients.
import { once } from 'node:events'
import { ConvexClient } from 'convex/browser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  CHUNK_CHARACTERS,
  CLOCK_AHEAD_MAX_MS,
  COMPRESS_FOR,
  FRAME_MAX_ANONYMOUS,
} from '#server/platform/sync/limits.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { addPerson, api, connect, type Person, quiet, Seen, startServer, type TestServer, tokenFor } from './server.ts'

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

type Message = {
  type: string
  error?: string
  clientClockSkew?: number
  serverTs?: number
  endVersion?: { identity: number; querySet: number }
  modifications?: { value?: unknown }[]
  chunk?: string
  partNumber?: number
  totalParts?: number
}

const hasResult = ({ modifications }: Message) => modifications?.length === 1

/** A signed-in client that follows one query. `ahead`: how far its clock runs ahead of ours. `until`: the message that it waits for. */
async function open(
  person: Person,
  query: { udfPath: string; args: object },
  { ahead = 0, isCompressing = false, until = hasResult } = {},
) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/1.48.0/sync`, {
    perMessageDeflate: isCompressing,
  })
  socket.on('error', () => {})
  const messages = new Seen<Message>()
  let bytes = 0
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await once(socket, 'open')
  Reflect.get(socket, '_socket').on('data', (data: Buffer) => {
    bytes += data.length
  })
  const send = (message: unknown) => socket.send(JSON.stringify(message))
  send({ type: 'Connect', sessionId: crypto.randomUUID(), connectionCount: 0, clientTs: Date.now() + ahead })
  send({ type: 'Authenticate', tokenType: 'User', value: await tokenFor(person), baseVersion: 0 })
  const add = { type: 'Add', queryId: 0, udfPath: query.udfPath, args: [query.args] }
  send({ type: 'ModifyQuerySet', baseVersion: 0, newVersion: 1, modifications: [add] })
  await messages.until(until)
  return { socket, messages, received: () => bytes }
}

describe('a Transition', () => {
  it('carries its send time, and the clock skew of its client', async () => {
    const person = await addPerson(test.database, { counters: ['a'] })
    const { socket, messages } = await open(person, { udfPath: 'counters:get', args: { slug: 'a' } }, { ahead: 5_000 })
    const { serverTs = 0, clientClockSkew = 0 } = messages.last ?? {}
    expect(Math.abs(serverTs / 1e6 - Date.now())).toBeLessThan(60_000)
    expect(Math.abs(clientClockSkew - 5_000)).toBeLessThan(5_000)
    socket.terminate()
  })

  it('that confirms a sign-in omits both if they would delay the refresh of the token', async () => {
    const person = await addPerson(test.database, { counters: ['a'] })
    const ahead = CLOCK_AHEAD_MAX_MS + 60_000
    const { socket, messages } = await open(person, { udfPath: 'counters:get', args: { slug: 'a' } }, { ahead })
    const confirming = messages.values.find(({ endVersion }) => endVersion?.identity === 1)
    expect(confirming).not.toHaveProperty('clientClockSkew')
    const client = connect(server, person)
    await client.mutation(api.counters.increment, { slug: 'a' })
    const next = await messages.until(({ modifications }) => modifications?.[0]?.value === 1)
    expect(next.clientClockSkew).toBeGreaterThan(CLOCK_AHEAD_MAX_MS)
    await client.close()
    socket.terminate()
  })

  it.each([
    ['whole', api.wire.plans, {}],
    ['in pieces', api.wire.large, { length: CHUNK_CHARACTERS }],
  ])('that is sent %s lets the official client measure its transit time', async (how, query, args) => {
    const logVerbose = vi.fn()
    const logger = { log: () => {}, warn: () => {}, error: () => {}, logVerbose }
    const client = new ConvexClient(server.url, { ...quiet, logger, verbose: true, unsavedChangesWarning: false })
    await client.query(query as typeof api.wire.large, args as { length: number })
    const logged = logVerbose.mock.calls.flat().join('\n')
    expect(logged.includes('assembled full ws message of type Transition')).toBe(how === 'in pieces')
    const took = /received .* transition in (-?\d+)ms/.exec(logged)?.[1]
    expect(Math.abs(Number(took))).toBeLessThan(20_000)
    await client.close()
  })

  it('that is sent in pieces carries both in the joined message, and in no piece', async () => {
    const person = await addPerson(test.database)
    const large = { udfPath: 'wire:large', args: { length: CHUNK_CHARACTERS } }
    const isLast = ({ partNumber, totalParts }: Message) => totalParts !== undefined && partNumber === totalParts - 1
    const { socket, messages } = await open(person, large, { ahead: 5_000, until: isLast })
    const pieces = messages.values.filter(({ type }) => type === 'TransitionChunk')
    for (const piece of pieces) expect(piece).not.toHaveProperty('serverTs')
    const { serverTs = 0, clientClockSkew = 0 }: Message = JSON.parse(pieces.map(({ chunk }) => chunk).join(''))
    expect(Math.abs(serverTs / 1e6 - Date.now())).toBeLessThan(60_000)
    expect(Math.abs(clientClockSkew - 5_000)).toBeLessThan(5_000)
    socket.terminate()
  })
})

describe('a shared result', () => {
  it('is the same for those who have agreed to compression and those who have not, and smaller for the former', async () => {
    const person = await addPerson(test.database, { counters: ['a'] })
    const heavy = { udfPath: 'counters:getHeavy', args: { slug: 'a' } }
    const all = await Promise.all(
      Array.from({ length: 2 * COMPRESS_FOR }, (_, at) => open(person, heavy, { isCompressing: at % 2 === 0 })),
    )
    const client = connect(server, person)
    // Clients that join at different moments are at different versions; after one round all are at the same.
    await client.mutation(api.counters.increment, { slug: 'a' })
    const shows = (count: number) => (message: Message) => {
      const value = message.modifications?.[0]?.value as { value: number; ballast: string } | undefined
      return value?.value === count && value.ballast.length === 2 ** 19
    }
    await Promise.all(all.map(({ messages }) => messages.until(shows(1))))
    const before = all.map(({ received }) => received())
    await client.mutation(api.counters.increment, { slug: 'a' })
    await Promise.all(all.map(({ messages }) => messages.until(shows(2))))
    all.forEach(({ received, socket }, at) => {
      const bytes = received() - (before[at] ?? 0)
      if (at % 2 === 0) expect(bytes).toBeLessThan(2 ** 16)
      else expect(bytes).toBeGreaterThan(2 ** 19)
      socket.terminate()
    })
    await client.close()
  })
})

it('a stranger cannot send a decompression bomb', async () => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/1.48.0/sync`, {
    perMessageDeflate: { threshold: 0 },
  })
  socket.on('error', () => {})
  const messages = new Seen<Message>()
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  const closed = once(socket, 'close')
  await once(socket, 'open')
  expect(socket.extensions).toContain('permessage-deflate')
  socket.send(JSON.stringify({ type: 'Event', event: 'x'.repeat(4 * FRAME_MAX_ANONYMOUS) }))
  expect((await closed)[0]).toBe(1009)
  expect(messages.last?.type).toBe('FatalError')
})
