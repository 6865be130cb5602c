// kill -9 under load: one server on the embedded database, or two on one PostgreSQL, with Telegram and the model outside as judges.
// Run: node tests/chaos/kill.ts [kills] [embedded|postgres]. Figures are against fakes, not against Telegram.
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

/** Lets customers write while servers are killed, and judges. Arguments as of `openKillWorld`. */
export async function runKills(kills: number, databaseUrl?: string): Promise<KillReport> {
  const world = await openKillWorld(databaseUrl)
  const { telegram, servers } = world
  try {
    return await settle(world, await killUnderLoad(telegram, world.token, servers, kills), kills)
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

/** Customers write all the time, while servers are killed and started again one after another. @returns token → update */
async function killUnderLoad(
  telegram: FakeTelegram,
  token: string,
  servers: ServerProcess[],
  kills: number,
): Promise<Map<string, number>> {
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
  for (let kill = 0; kill < kills; kill++) {
    const victim = servers[kill % servers.length] as ServerProcess
    await sleep(300 + Math.random() * 900)
    await victim.kill()
    await victim.start()
  }
  isOver = true
  await customers
  return said
}

async function repeatOnceTaken(telegram: FakeTelegram, token: string, update: { update_id: number }): Promise<void> {
  await telegram.waitFor(() => telegram.acknowledged.has(update.update_id), 'an update to be taken', QUIET_LIMIT_MS)
  const { webhook } = telegram.bot(token)
  if (webhook) await postUpdate(telegram.reachable(webhook), update)
}

/** Judges once the servers have come to rest. While something is amiss they may go on, as long as they do get further. */
async function settle(world: KillWorld, said: Map<string, number>, kills: number): Promise<KillReport> {
  const { telegram, servers } = world
  for (let sent = -1, movedAt = Date.now(); ; ) {
    await waitForQuiet(telegram, said)
    for (const server of servers) await server.stop()
    const found = report(telegram, said, kills, await world.evidence())
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

function report(telegram: FakeTelegram, said: Map<string, number>, kills: number, kept: Kept): KillReport {
  const acknowledged = [...said].filter(([, id]) => telegram.acknowledged.has(id)).map(([text]) => text)
  return {
    kills,
    said: said.size,
    answers: telegram.sent.length,
    unknown: kept.parts.filter((part) => part.status === 'unknown').length,
    complaints: judge({ ...kept, acknowledged, sent: telegram.sent, unknownAllowed: kills * SENDS_AT_ONCE }),
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
  const kills = Number(process.argv[2] ?? 50)
  const engines = process.argv[3] ? [process.argv[3]] : ['embedded', 'postgres']
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const fresh = postgres && (await createDatabase(postgres.url))
    const { complaints, ...figures } = await runKills(kills, fresh?.url)
    console.log(engine, figures, complaints.length === 0 ? 'all promises hold' : complaints)
    if (complaints.length > 0) process.exitCode = 1
    await fresh?.drop()
    await postgres?.stop()
  }
  process.exit()
}
