// A server with little memory survives clients that send far more than fits, with and without an account.
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { PASSWORD } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type ServerProcess, startServerProcess } from '#tests/server-process.ts'

const HEAP_MB = 256
const QUERIES = 450
const ARGUMENT = 'x'.repeat(900_000)

let test: TestDatabase
let server: ServerProcess
let dataDir: string

beforeAll(async () => {
  test = await openTestDatabase()
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'parley-heap-'))
  server = await startServerProcess({
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    DATA_DIR: dataDir,
    ...(test.url && { DATABASE_URL: test.url }),
  })
})
afterAll(async () => {
  await server.stop()
  await test.close()
  await fs.rm(dataDir, { recursive: true, force: true })
})

/** A connection that has sent Connect and, with a token, Authenticate. */
async function open(token: string | null): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/1.48.0/sync`)
  socket.on('error', () => {})
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'Connect', sessionId: crypto.randomUUID(), connectionCount: 0 }))
  if (token) socket.send(JSON.stringify({ type: 'Authenticate', tokenType: 'User', value: token, baseVersion: 0 }))
  return socket
}

/** Sends all queries, on a new connection whenever one is closed, as fast as they are read. */
async function flood(token: string | null, path: string): Promise<void> {
  let socket = await open(token)
  let version = 0
  for (let queryId = 0; queryId < QUERIES; queryId++) {
    if (socket.readyState !== WebSocket.OPEN) {
      socket.terminate()
      socket = await open(token)
      version = 0
    }
    const add = { type: 'Add', queryId, udfPath: path, args: [{ tag: `${queryId}${ARGUMENT}` }] }
    const message = { type: 'ModifyQuerySet', baseVersion: version, newVersion: ++version, modifications: [add] }
    await sent(socket, JSON.stringify(message))
  }
  socket.terminate()
}

/** Resolves when the network has taken it, or the server refuses it. */
function sent(socket: WebSocket, message: string): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearInterval(watching)
      resolve()
    }
    const watching = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) done()
    }, 5)
    socket.send(message, done)
  })
}

async function expectAlive(): Promise<void> {
  expect(server.child.exitCode).toBeNull()
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
}

/** A busy machine takes a while for so many bytes. */
const PATIENCE_MS = 240_000

it(
  'without an account',
  async () => {
    await flood(null, 'conversations:list')
    await expectAlive()
  },
  PATIENCE_MS,
)

it(
  'with an account',
  async () => {
    const auth = (route: string, init: RequestInit) => fetch(`${server.url}/api/auth${route}`, init)
    const signUp = await auth('/sign-up/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'flood@example.test', password: PASSWORD, name: 'Flood' }),
    })
    const { token: session } = (await signUp.json()) as { token: string }
    const answer = await auth('/token', { headers: { authorization: `Bearer ${session}` } })
    const { token } = (await answer.json()) as { token: string }
    await flood(token, 'conversations:list')
    await expectAlive()
  },
  PATIENCE_MS,
)
