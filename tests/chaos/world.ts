// Servers that may be killed, and the world outside them that may not: a messenger and a model.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import type { Database, Db } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { FLOODED } from '#tests/flood.ts'
import { EmbeddedProcesses } from './embedded-processes.ts'
import { readEvidence, tokensOf } from './judge.ts'
import type { Call, Delivery, Messenger } from './messengers.ts'
import { ServerProcess } from './servers.ts'

export type World<Outside extends Messenger = Messenger> = {
  messenger: Outside
  model: FakeOpenAi
  servers: ServerProcess[]
  /** Environment of every server. */
  env: Record<string, string> & { DATA_DIR: string }
  /** Of the database that the server runs itself; undefined where it is another one's. */
  embedded: EmbeddedProcesses | undefined
  /** What the database kept; the servers must be stopped. */
  evidence(): Promise<Kept>
  /** Lets time pass in the database, or the like; the servers must be stopped. */
  alter(change: (db: Db) => Promise<unknown>): Promise<void>
  close(): Promise<void>
}
export type Kept = Awaited<ReturnType<typeof readEvidence>>
/** `databaseUrl`: of a PostgreSQL, for two servers; without it there is one on the embedded database. */
type Options = { databaseUrl?: string | undefined; delivery: Delivery }
type Place = { databaseUrl: string | undefined; dataDir: string }

/** With an https address servers are delivered to, without one they poll. */
const PUBLIC_URLS = { webhook: 'https://parley.example', polling: 'http://parley.example' }

/** Starts servers, and connects an account. `open`: makes the messenger, which delivers to these origins. */
export async function openWorld<Outside extends Messenger>(
  { databaseUrl, delivery }: Options,
  open: (origins: () => string[]) => Promise<Outside>,
): Promise<World<Outside>> {
  const servers: ServerProcess[] = []
  // A frozen one is left out, as by a proxy that looks after all.
  const messenger = await open(() => servers.filter(({ isFrozen }) => !isFrozen).map(({ url }) => url))
  const model = await startFakeOpenAi({ isRecording: false, reply: echo })
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-kill-'))
  const env = {
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    APP_SECRET: 'one secret for all servers of this test',
    PUBLIC_URL: PUBLIC_URLS[delivery],
    ...messenger.env,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'test',
    LOG_LEVEL: 'warn',
  }
  const close = async () => {
    await Promise.all(servers.map((server) => server.kill()))
    await model.close()
    await messenger.close()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    for (let index = 0; index < (databaseUrl ? 2 : 1); index++) servers.push(await ServerProcess.create(env))
    await Promise.all(servers.map((server) => server.start()))
    const call = await signUp(servers[0]?.url ?? '', PUBLIC_URLS[delivery])
    await call('mutation', 'organizations:create', { organizationName: 'Shop', organizationDisplayName: 'Shop' })
    const agent = await call('mutation', 'agents:create', { name: 'Helper', model: 'openai/gpt-5-mini' })
    await call('mutation', 'agents:update', { id: agent._id, patch: FLOODED })
    await messenger.connect(call, agent._id)
    const place = { databaseUrl, dataDir }
    const evidence = () => evidenceIn(place)
    const alter = (change: (db: Db) => Promise<unknown>) =>
      within(place, async (db) => void (await db.system('chaos: alter', change)))
    const embedded = databaseUrl ? undefined : new EmbeddedProcesses(dataDir)
    return { messenger, model, servers, env, embedded, evidence, alter, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Answers with the tokens of the question, after a while, so that kills meet generations. */
export function echo(request: { messages: { content?: unknown }[] }) {
  const text = JSON.stringify(request.messages.at(-1)?.content ?? '').replaceAll('\\n', ' ')
  return { text: `Re: ${tokensOf(text).join(' ')}`, delayMs: Math.random() * 150 }
}

/** Signs up as a person would. */
async function signUp(url: string, origin: string): Promise<Call> {
  const post = async (route: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + route, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { status?: string; token?: string; value?: { _id: string } }
    if (!response.ok || answer.status === 'error') throw new Error(`${route}: ${JSON.stringify(answer)}`)
    return answer
  }
  const person = { email: 'owner@example.com', password: 'correct horse battery staple', name: 'Owner' }
  const { token: session } = await post('/api/auth/sign-up/email', person)
  const tokens = await fetch(`${url}/api/auth/token`, { headers: { authorization: `Bearer ${session}` } })
  const { token: jwt } = (await tokens.json()) as { token: string }
  return async (kind, name, args) => {
    const body = { path: name, args: [args], format: 'convex_encoded_json' }
    const { value } = await post(`/api/${kind}`, body, { authorization: `Bearer ${jwt}` })
    return value ?? { _id: '' }
  }
}

/** What a database kept; no server may have it open where it is an embedded one. */
export function evidenceIn(place: Place): Promise<Kept> {
  return within(place, (db) => db.system('chaos: evidence', readEvidence, { readOnly: true }))
}

async function within<Value>(place: Place, run: (database: Database) => Promise<Value>): Promise<Value> {
  const database = await openDatabase(place, pino({ level: 'silent' }))
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}
