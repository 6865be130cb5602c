// Servers killed, stopped or frozen under load: one on the embedded database, or two on one PostgreSQL, with Telegram and the model
// outside as judges. Run: node tests/chaos/kill.ts [times] [embedded|postgres] [kill|stop|freeze]. Figures are against fakes, not against
// Telegram.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { openDatabase } from '#server/db/open.ts'
import { createDatabase } from '#tests/database.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai.ts'
import { type FakeTelegram, postUpdate, startFakeTelegram } from '#tests/fakes/telegram.ts'
import { startPostgres } from '#tests/postgres.ts'
import { judge, readEvidence, tokensOf } from './judge.ts'
import { ServerProcess } from './servers.ts'

const CHATS = 20
/** Between two messages of all customers together. */
const PACE_MS = 25
/** Share of updates that Telegram delivers again though they were taken. */
const REPEAT_SHARE = 0.1
/** Sends that one server has under way at most. */
const SENDS_AT_ONCE = 16
const QUIET_MS = 3000
const QUIET_LIMIT_MS = 240_000
/** Longer than a lease: what a killed server had in hand is taken over by then, on a busy machine too. */
const STALL_MS = 180_000
/** Longer than a lease, and shorter than `STALL_MS`. */
const FREEZE_MS = 35_000

/**
 * What befalls a server. `kill`: SIGKILL. `stop`: SIGTERM, after which nothing may be unknown. `freeze`: SIGSTOP for longer than a lease;
 * the other server takes over, and it wakes up with work in hand that is not its own any more.
 */
export type Blow = 'kill' | 'stop' | 'freeze'
/** `databaseUrl`: as of `openKillWorld`. */
export type Ordeal = { blow: Blow; times: number; databaseUrl?: string | undefined }

export type KillReport = { kills: number; said: number; answers: number; unknown: number; complaints: string[] }

/** Servers that may be killed, and the world outside them that may not. */
export type KillWorld = {
  telegram: FakeTelegram
  model: FakeOpenAi
  servers: ServerProcess[]
  /** Of the bot that is connected. */
  token: string
  /** What the database kept; the servers must be stopped. */
  evidence(): Promise<Kept>
  close(): Promise<void>
}
type Kept = Awaited<ReturnType<typeof readEvidence>>

/** Starts servers: two on a PostgreSQL, or, without its URL, one on the embedded database; and connects a bot. */
export async function openKillWorld(databaseUrl?: string): Promise<KillWorld> {
  const telegram = await startFakeTelegram()
  const model = await startFakeOpenAi({ isRecording: false, reply: echo })
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-kill-'))
  const env = {
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    APP_SECRET: 'one secret for all servers of this test',
    PUBLIC_URL: 'https://parley.example',
    TELEGRAM_API_ROOT: telegram.url,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'test',
    LOG_LEVEL: 'warn',
  }
  const servers: ServerProcess[] = []
  const close = async () => {
    for (const server of servers) await server.kill()
    await model.close()
    await telegram.close()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    for (let index = 0; index < (databaseUrl ? 2 : 1); index++) servers.push(await ServerProcess.create(env))
    for (const server of servers) await server.start()
    const token = await connectBot(telegram, servers)
    return { telegram, model, servers, token, evidence: () => readKept({ databaseUrl, dataDir }), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Lets customers write while servers are killed, stopped or frozen, and judges. */
export async function runOrdeal({ databaseUrl, ...ordeal }: Ordeal): Promise<KillReport> {
  const world = await openKillWorld(databaseUrl)
  try {
    return await settle(world, await strikeUnderLoad(world, ordeal), ordeal)
  } finally {
    await world.close()
  }
}

/** Answers with the tokens of the question, after a while, so that kills meet generations. */
function echo(request: { messages: { content?: unknown }[] }) {
  const text = JSON.stringify(request.messages.at(-1)?.content ?? '').replaceAll('\\n', ' ')
  return { text: `Re: ${tokensOf(text).join(' ')}`, delayMs: Math.random() * 150 }
}

/** Signs up, makes an agent and connects a bot, as a person would. */
async function connectBot(telegram: FakeTelegram, servers: ServerProcess[]): Promise<string> {
  const { url } = servers[0] as ServerProcess
  const post = async (route: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + route, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://parley.example', ...headers },
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
  const call = async (kind: string, name: string, args: object) =>
    (
      await post(
        `/api/${kind}`,
        { path: name, args: [args], format: 'convex_encoded_json' },
        { authorization: `Bearer ${jwt}` },
      )
    ).value
  await call('mutation', 'organizations:create', { organizationName: 'Shop', organizationDisplayName: 'Shop' })
  const agent = await call('mutation', 'agents:create', { name: 'Helper', model: 'openai/gpt-5-mini' })
  const botToken = telegram.addBot().token
  await call('action', 'channels/telegram:provision', { agentId: agent?._id, botToken })
  telegram.webhookOrigin = () => servers[Math.floor(Math.random() * servers.length)]?.url ?? url
  return botToken
}

/** Customers write all the time, while one server after another is struck. @returns token → update */
async function strikeUnderLoad(world: KillWorld, { blow, times }: Ordeal): Promise<Map<string, number>> {
  const { telegram, token, servers } = world
  const said = new Map<string, number>()
  let isOver = false
  const customers = (async () => {
    const counters = Array.from({ length: CHATS }, () => 0)
    while (!isOver) {
      const chat = Math.floor(Math.random() * CHATS)
      const text = `c${chat}n${counters[chat]}`
      counters[chat] = (counters[chat] ?? 0) + 1
      const update = telegram.textUpdate(token, 1000 + chat, text)
      said.set(text, telegram.push(token, update))
      if (Math.random() < REPEAT_SHARE) void repeatOnceTaken(telegram, token, update)
      await sleep(PACE_MS)
    }
  })()
  for (let time = 0; time < times; time++) {
    await sleep(300 + Math.random() * 900)
    await strike(world, servers[time % servers.length] as ServerProcess, blow)
  }
  isOver = true
  await customers
  return said
}

async function strike({ telegram, servers }: KillWorld, victim: ServerProcess, blow: Blow): Promise<void> {
  if (blow === 'freeze') {
    const { webhookOrigin } = telegram
    const other = servers.find((server) => server !== victim)
    if (!other) throw new Error('Only one of two servers can be frozen.')
    telegram.webhookOrigin = () => other.url // as a proxy does that looks after both
    victim.freeze()
    await sleep(FREEZE_MS)
    victim.thaw()
    telegram.webhookOrigin = webhookOrigin
    return
  }
  if (blow === 'kill') await victim.kill()
  else if ((await victim.stop()) !== 0) throw new Error('The server did not stop in time.')
  await victim.start()
}

async function repeatOnceTaken(telegram: FakeTelegram, token: string, update: { update_id: number }): Promise<void> {
  await telegram.waitFor(() => telegram.acknowledged.has(update.update_id), 'an update to be taken', QUIET_LIMIT_MS)
  const { webhook } = telegram.bot(token)
  if (webhook) await postUpdate(telegram.reachable(webhook), update)
}

/** Judges once the servers have come to rest. While something is amiss they may go on, as long as they do get further. */
async function settle(world: KillWorld, said: Map<string, number>, ordeal: Ordeal): Promise<KillReport> {
  const { telegram, servers } = world
  for (let sent = -1, movedAt = Date.now(); ; ) {
    await waitForQuiet(telegram, said)
    for (const server of servers) await server.stop()
    const found = report(telegram, said, ordeal, await world.evidence())
    if (telegram.sent.length !== sent) movedAt = Date.now()
    if (found.complaints.length === 0 || Date.now() - movedAt > STALL_MS) return found
    sent = telegram.sent.length
    for (const server of servers) await server.start()
  }
}

/** Everything is taken, and nothing has been sent for a while. */
async function waitForQuiet(telegram: FakeTelegram, said: Map<string, number>): Promise<void> {
  const updates = [...said.values()]
  await telegram.waitFor(
    () => updates.every((id) => telegram.acknowledged.has(id)),
    'all updates to be taken',
    QUIET_LIMIT_MS,
  )
  for (let count = -1; count !== telegram.sent.length; ) {
    count = telegram.sent.length
    await sleep(QUIET_MS)
  }
}

function report(telegram: FakeTelegram, said: Map<string, number>, { blow, times }: Ordeal, kept: Kept): KillReport {
  const acknowledged = [...said].filter(([, id]) => telegram.acknowledged.has(id)).map(([text]) => text)
  return {
    kills: times,
    said: said.size,
    answers: telegram.sent.length,
    unknown: kept.parts.filter((part) => part.status === 'unknown').length,
    complaints: judge({
      ...kept,
      acknowledged,
      sent: telegram.sent,
      unknownAllowed: blow === 'stop' ? 0 : times * SENDS_AT_ONCE,
    }),
  }
}

async function readKept(place: { databaseUrl: string | undefined; dataDir: string }): Promise<Kept> {
  const database = await openDatabase(place, pino({ level: 'silent' }))
  try {
    return await database.system('chaos: evidence', readEvidence, { readOnly: true })
  } finally {
    await database.close()
  }
}

if (import.meta.main) {
  const [count = '50', only, blow = 'kill'] = process.argv.slice(2)
  const engines = only ? [only] : blow === 'freeze' ? ['postgres'] : ['embedded', 'postgres']
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const fresh = postgres && (await createDatabase(postgres.url))
    const ordeal = { blow: blow as Blow, times: Number(count), databaseUrl: fresh?.url }
    const { complaints, ...figures } = await runOrdeal(ordeal)
    console.log(engine, blow, figures, complaints.length === 0 ? 'all promises hold' : complaints)
    if (complaints.length > 0) process.exitCode = 1
    await fresh?.drop()
    await postgres?.stop()
  }
  process.exit()
}
