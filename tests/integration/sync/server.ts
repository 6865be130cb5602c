// A small server for the realtime tests: the real sync layer, function runner and database, test-only functions, fabricated tokens.
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { BaseConvexClient, ConvexClient, ConvexHttpClient } from 'convex/browser'
import { anyApi } from 'convex/server'
import { jwtVerify, SignJWT } from 'jose'
import { pino } from 'pino'
import { createHandlers } from '#server/functions/handlers.ts'
import type { Services } from '#server/functions/services.ts'
import type { Database } from '#server/platform/db/database.ts'
import { createRegistry } from '#server/platform/functions/registry.ts'
import { createFunctionHost } from '#server/platform/functions/run.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { FairScheduler } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { Host } from '#server/platform/sync/host.ts'
import { createSync, type Sync } from '#server/platform/sync/sync.ts'
import type { Id } from '#shared/ids.ts'
import { modules, type TestApi } from './functions.ts'

export const api = anyApi as unknown as TestApi

const SECRET = new TextEncoder().encode('only for tests, only for tests, only for tests')
const silent = pino({ level: process.env.TEST_LOG ?? 'silent' })

export type Person = { userId: Id<'users'>; sessionId: Id<'sessions'>; organizationId: Id<'organizations'> }

export type TestServer = {
  url: string
  sync: Sync
  /** Cuts every connection, as a broken network would. */
  cut(): void
  close(): Promise<void>
}

/** Starts a server on a database. `change`: overrides of the host. */
export async function startServer(
  database: Database,
  change: (host: Host) => Host = (host) => host,
  port = 0,
): Promise<TestServer> {
  // Only what the test functions use; anything else would be an error.
  const services = { database, publicUrl: '', mailer: { isConfigured: false } } as unknown as Services
  const registry = createRegistry(modules, () => ({ allows: () => true, concerns: 'organization' }))
  const host = createFunctionHost({
    registry,
    handlers: createHandlers(services),
    database,
    searches: new FairScheduler({ places: Infinity, most: () => 4, isBackground: () => false, budget: null }),
    verifyToken,
    logger: silent,
  })
  const sync = createSync(change(host), {
    logger: silent,
    isAllowedOrigin: (origin) => origin === 'https://app.example',
    addressOf: (request) => request.socket.remoteAddress ?? '',
  })
  const server = http.createServer(getRequestListener(sync.http.fetch))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (request, socket, head) => {
    if (!sync.handleUpgrade(request, socket, head)) socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sync,
    cut,
    async close() {
      await sync.close()
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function verifyToken(token: string) {
  try {
    const { payload } = await jwtVerify(token, SECRET)
    const userId = payload.sub as Id<'users'>
    const sessionId = payload.sid as Id<'sessions'>
    return { userId, sessionId, namedOrganizationId: null, expiresAt: (payload.exp ?? 0) * 1000 }
  } catch {
    return null
  }
}

/** A token as the sign-in service would issue it, `age` seconds ago, valid for another `lifetime` seconds. */
export async function tokenFor(person: Person, { lifetime = 600, age = 0 } = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ sid: person.sessionId, jti: newId() })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(person.userId)
    .setIssuedAt(now - age)
    .setExpirationTime(now + lifetime)
    .sign(SECRET)
}

/** A user with a session and an organization of their own, which has some counters. */
export async function addPerson(
  database: Database,
  options: { counters?: string[]; role?: 'admin' | 'user' } = {},
): Promise<Person> {
  const person: Person = {
    userId: newId('users'),
    sessionId: newId('sessions'),
    organizationId: newId('organizations'),
  }
  const { userId, sessionId, organizationId } = person
  await database.system('test: add a person', async (db) => {
    const name = `p${userId.slice(-6)}`
    await db
      .insertInto('users')
      .values({
        id: userId,
        name,
        email: `${name}@example.com`,
        email_verified: true,
        image: null,
        role: options.role ?? 'user',
      })
      .execute()
    const expires_at = new Date(Date.now() + 86_400_000)
    await db
      .insertInto('sessions')
      .values({ id: sessionId, user_id: userId, token: sessionId, expires_at, ip_address: null, user_agent: null })
      .execute()
    await db.insertInto('organizations').values({ id: organizationId, name, owner_id: userId }).execute()
    await db.insertInto('members').values({ user_id: userId, organization_id: organizationId, role: 'admin' }).execute()
    for (const slug of options.counters ?? []) {
      const id = newId('knowledgeSpaces')
      await db
        .insertInto('knowledge_spaces')
        .values({ id, organization_id: organizationId, slug, name: slug, description: '' })
        .execute()
    }
  })
  return person
}

export const quiet = { logger: false as const, skipConvexDeploymentUrlCheck: true }

/** The official client, signed in; anonymous for null. */
export function connect(
  server: { url: string },
  person: Person | null,
  options: { onAuth?(isIn: boolean): void } = {},
): ConvexClient {
  const client = new ConvexClient(server.url, { ...quiet, unsavedChangesWarning: false })
  if (person) client.setAuth(() => tokenFor(person), options.onAuth)
  return client
}

/** Official clients that are closed together. */
export type Clients = {
  open(person: Person | null, options?: Parameters<typeof connect>[2]): ConvexClient
  close(): Promise<void>
}

export function openClients(server: { url: string }): Clients {
  const made: ConvexClient[] = []
  return {
    open(person, options) {
      const client = connect(server, person, options)
      made.push(client)
      return client
    },
    async close() {
      await Promise.all(made.splice(0).map((client) => client.close()))
    },
  }
}

/** The official HTTP client. */
export async function connectHttp(server: { url: string }, person: Person | null): Promise<ConvexHttpClient> {
  return new ConvexHttpClient(server.url, { ...quiet, ...(person && { auth: await tokenFor(person) }) })
}

/** The low-level official client, which shows optimistic updates. `onFrame`: called when results may have changed. */
export function connectBase(server: { url: string }, person: Person, onFrame: () => void): BaseConvexClient {
  const client = new BaseConvexClient(server.url, onFrame, { ...quiet, unsavedChangesWarning: false })
  client.setAuth(
    () => tokenFor(person),
    () => {},
  )
  hurry(client)
  return client
}

/** Makes a client reconnect after milliseconds instead of seconds. */
export function hurry(client: BaseConvexClient): void {
  const sockets: object = Reflect.get(client, 'webSocketManager')
  Object.assign(sockets, { defaultInitialBackoff: 20, maxBackoff: 40 })
}

/** Values as they arrive, and a way to wait for one. */
export class Seen<Value> {
  readonly values: Value[] = []
  readonly #waiting = new Set<() => void>()

  readonly push = (value: Value): void => {
    this.values.push(value)
    for (const check of [...this.#waiting]) check()
  }

  get last(): Value | undefined {
    return this.values.at(-1)
  }

  /** Resolves with the first value, past or future, that passes. */
  until(passes: (value: Value) => boolean): Promise<Value> {
    return new Promise((resolve) => {
      const check = () => {
        const found = this.values.findLast(passes)
        if (found === undefined) return
        this.#waiting.delete(check)
        resolve(found)
      }
      this.#waiting.add(check)
      check()
    })
  }
}
