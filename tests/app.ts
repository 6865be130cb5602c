// Starts a whole server on a free port with a database of its own, and signs people up through the public doors.
import { hash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConvexClient, ConvexHttpClient } from 'convex/browser'
import { anyApi } from 'convex/server'
import type { Api } from '#server/api.ts'
import { type App, createApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { Overrides } from '#server/create-services.ts'
import type { PasswordHashing } from '#server/platform/auth/factors/proof.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import type { CurrentUser, Organization } from '#shared/organizations/organizations.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import type { FakeAvito } from './fakes/avito/avito.ts'
import type { FakeGreenApi } from './fakes/green-api/green-api.ts'
import type { FakeInstagram } from './fakes/instagram/instagram.ts'
import { INSTAGRAM_VERSION } from './fakes/instagram/instagram-methods.ts'
import type { FakeOpenAi } from './fakes/openai/openai.ts'
import type { FakeTelegram } from './fakes/telegram/telegram.ts'
import type { FakeWhatsappCloud } from './fakes/whatsapp-cloud/whatsapp-cloud.ts'

/** The public functions, typed. */
export const api = anyApi as unknown as Api

export const PASSWORD = 'correct horse battery staple'

/** The real hash costs a tenth of a processor second, several hundred times in a run. */
const CHEAP_PASSWORDS: PasswordHashing = {
  hash: async (password) => hash('sha256', password),
  verify: async (given) => given.hash === hash('sha256', given.password),
}

export type StartOptions = {
  config?: Partial<Config>
  overrides?: Overrides
  openai?: FakeOpenAi
  telegram?: FakeTelegram
  greenApi?: FakeGreenApi
  whatsappCloud?: FakeWhatsappCloud
  avito?: FakeAvito
  instagram?: FakeInstagram
  /** One that several servers share; by default a new one, thrown away with the server. */
  database?: TestDatabase
  /** Passwords are hashed as in a real installation. */
  hasRealPasswords?: boolean
  /** Where the log goes: nowhere unless `LOG_LEVEL` is set. */
  log?: Overrides['log']
}

export interface TestApp extends App {
  config: Config
  /** A new person with an organization. */
  signUp(options?: SignUpOptions): Promise<Person>
  /** Calls the sign-in service. A body makes it a POST. */
  auth(path: string, request?: AuthRequest): Promise<Response>
}

export type SignUpOptions = {
  email?: string
  name?: string
  /** Name of the organization; null: none is made. */
  organization?: string | null
}
export type AuthRequest = { body?: unknown; token?: string; headers?: Record<string, string>; method?: string }

/** A signed-in user. */
export interface Person {
  email: string
  /** Session token; the sign-in service accepts it as a bearer token. */
  sessionToken: string
  /** Calls one function at a time. */
  http: ConvexHttpClient
  /** A realtime connection, opened on first use. */
  live(): ConvexClient
  /** A new token for the realtime connection. */
  token(): Promise<string>
  user: CurrentUser
  /** Throws for a person without one. */
  organization: Organization
}

/** Starts a server. `close` ends it with its clients and its database. */
export async function startApp(options: StartOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await openTestDatabase())
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'parley-test-'))
  const config: Config = {
    ...readConfig({ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', TRUST_PROXY: 'true' }),
    databaseUrl: database.url,
    dataDir,
    ...(options.openai && { openai: { apiKey: 'test-key', baseUrl: options.openai.url } }),
    ...(options.telegram && { telegramApiRoot: options.telegram.url }),
    ...(options.whatsappCloud && { whatsappGraphUrl: options.whatsappCloud.graphUrl }),
    ...(options.avito && { avitoApiUrl: options.avito.url }),
    ...(options.instagram && { instagramGraph: { url: options.instagram.origin, version: INSTAGRAM_VERSION } }),
    ...(options.greenApi && { greenApiUrl: options.greenApi.url }),
    ...options.config,
  }
  const log = options.log ?? createLogger(process.env.LOG_LEVEL ?? 'silent')
  const passwords = options.hasRealPasswords ? undefined : CHEAP_PASSWORDS
  const app = await createApp(config, { log, database: database.database, passwords, ...options.overrides })
  const clients: ConvexClient[] = []

  const auth = (path: string, request: AuthRequest = {}) =>
    fetch(`${app.url}/api/auth${path}`, {
      method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        // Every call comes from an address of its own: limits by address are tested on purpose, not by chance.
        'x-forwarded-for': randomAddress(),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...(request.token !== undefined && { authorization: `Bearer ${request.token}` }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    })

  return {
    ...app,
    config,
    auth,
    signUp: (options) => signUp({ app, auth, clients }, options),
    async close() {
      await Promise.all(clients.map((client) => client.close()))
      await app.close()
      if (!options.database) await database.close()
      await fs.rm(dataDir, { recursive: true, force: true })
    },
  }
}

type Door = { app: App; auth: TestApp['auth']; clients: ConvexClient[] }

async function signUp({ app, auth, clients }: Door, options: SignUpOptions = {}): Promise<Person> {
  const { email = `${randomUUID()}@example.test`, name = 'Айгуль Test', organization = 'Test organization' } = options
  const answer = await auth('/sign-up/email', { body: { email, password: PASSWORD, name } })
  if (!answer.ok) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`)
  const { token: sessionToken } = (await answer.json()) as { token: string }
  const token = () => realtimeToken(auth, sessionToken)
  const http = new ConvexHttpClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false })
  http.setAuth(await token())
  if (organization !== null) await http.mutation(api.organizations.create, { organizationName: organization })
  const user = await http.query(api.users.current, {})
  let live: ConvexClient | undefined
  return {
    email,
    sessionToken,
    http,
    token,
    user,
    get organization() {
      if (!user.organization) throw new Error('this person has no organization')
      return user.organization
    },
    live() {
      live ??= connect(app.url, token, clients)
      return live
    },
  }
}

/** A realtime client; with `token` it signs in. */
function connect(url: string, token: () => Promise<string>, clients: ConvexClient[]): ConvexClient {
  const client = new ConvexClient(url, { skipConvexDeploymentUrlCheck: true, logger: false })
  client.setAuth(() => tokenOrNone(token))
  clients.push(client)
  return client
}

/** An ended session gets no token; while the server cannot tell whether the session has ended, the client asks again. */
async function tokenOrNone(token: () => Promise<string>): Promise<string | null> {
  for (;;) {
    try {
      return await token()
    } catch (error) {
      if (!(error instanceof Error && error.message.endsWith(' 503'))) return null
      await sleep(100)
    }
  }
}

async function realtimeToken(auth: TestApp['auth'], sessionToken: string): Promise<string> {
  const answer = await auth('/token', { token: sessionToken })
  if (!answer.ok) throw new Error(`token answered ${answer.status}`)
  return ((await answer.json()) as { token: string }).token
}

function randomAddress(): string {
  const part = () => Math.floor(Math.random() * 254) + 1
  return `10.${part()}.${part()}.${part()}`
}
