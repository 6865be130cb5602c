// A hostile organization (or a stranger) next to a busy one: what the busy one waits for its queries and its live updates, alone and while the
// other does one kind of thing as fast as it can. Alone is measured again before each attack: a machine changes under a bench.
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createDatabase } from '#tests/database.ts'
import { startPostgres } from '#tests/postgres.ts'
import { call, idOf, type Session, signIn, signUp, uploadDocument } from '#tests/seeds/installation.ts'
import type { Customers } from './customers.ts'
import { percentile } from './measures.ts'
import { ATTACKS, type Attack, type AttackPlan } from './neighbours.attack.ts'
import { type Child, freePort, memoryMb, start, startHelper, untilReady } from './processes.ts'
import { heading, print, short, table, target } from './report.ts'
import { SyncClient } from './subscribers.ts'

/** Between two queries of the neighbour, and between two of its writes, milliseconds. */
const QUERY_EVERY_MS = 25
const WRITE_EVERY_MS = 100
/** What is under way when an attack begins has ended by then. */
const SETTLE_MS = 3_000

const BUSY = { name: 'Busy', email: 'busy@bench.test', password: 'bench-password-1' }
const HOSTILE = { name: 'Hostile', email: 'hostile@bench.test', password: 'bench-password-1' }

type Setting = { name: string; servers: { url: string; child: Child }[]; stop(): Promise<void> }
type Waits = { queries: number[]; updates: number[] }
type Round = { attack: Attack; alone: Waits; attacked: Waits; peakMb: number }

/** @param only attacks, with commas between; all by default */
export async function benchNeighbours(
  isQuick: boolean,
  { customers, folder, only }: { customers: Customers; folder: string; only: string | undefined },
): Promise<void> {
  const seconds = isQuick ? 5 : 60
  const attacks = ATTACKS.filter((attack) => !only || only.split(',').includes(attack))
  for (const open of [openEmbedded, openTwoServers]) {
    const setting = await open(folder, customers.root)
    heading(`Neighbours, ${setting.name}, ${seconds} s of each attack`)
    try {
      const hostile = await makeHostile(setting, customers)
      const agentId = await makeNeighbour(setting)
      const rounds: Round[] = []
      for (const attack of attacks) {
        // All attacks together last longer than a token.
        const neighbour = await openNeighbour(setting, agentId)
        if (rounds.length === 0) await measure(neighbour, 5)
        const { token } = await signIn(setting.servers[0]?.url ?? '', HOSTILE)
        rounds.push(await play(setting, { attack, ...hostile, token }, { neighbour, seconds }))
        neighbour.client.close()
      }
      report(rounds)
    } finally {
      await setting.stop()
    }
  }
}

async function play(
  setting: Setting,
  plan: AttackPlan,
  { neighbour, seconds }: { neighbour: Neighbour; seconds: number },
): Promise<Round> {
  const alone = await measure(neighbour, Math.max(5, seconds / 3))
  const attacker = await startHelper(['bench/neighbours.attack.ts', JSON.stringify(plan)])
  await wait(SETTLE_MS / 3)
  const attacked = await measure(neighbour, seconds)
  const peakMb = Math.max(...setting.servers.map(({ child }) => memoryMb(child.pid).now))
  attacker.process.kill('SIGKILL')
  await wait(SETTLE_MS)
  return { attack: plan.attack, alone, attacked, peakMb }
}

function report(rounds: Round[]): void {
  const cell = (waits: Round['alone'], of: keyof Waits) => percentile(waits[of], 0.95)
  const ratio = ({ alone, attacked }: Round, of: keyof Waits) => cell(attacked, of) / cell(alone, of)
  table(
    ['p95, ms', 'query alone', 'attacked', 'ratio', 'update alone', 'attacked', 'ratio', 'memory MB'],
    rounds.map((round) => [
      round.attack,
      ...[cell(round.alone, 'queries'), cell(round.attacked, 'queries'), ratio(round, 'queries')],
      ...[cell(round.alone, 'updates'), cell(round.attacked, 'updates'), ratio(round, 'updates')],
      round.peakMb,
    ]),
  )
  const all = rounds.flatMap((round) => [ratio(round, 'queries'), ratio(round, 'updates')])
  print('')
  target(`p95 of the neighbour, attacked to alone, worst of ${short(all.length)}`, Math.max(...all), '≤ 2', '1.5')
}

type Neighbour = { session: Session; agentId: string; client: SyncClient }
let written = 0

/** Its queries at a steady rate, and its writes until they are in its own live query. */
async function measure({ session, agentId, client }: Neighbour, seconds: number): Promise<Waits> {
  const waits: Waits = { queries: [], updates: [] }
  const until = performance.now() + seconds * 1_000
  const every = async (ms: number, once: () => Promise<void>) => {
    while (performance.now() < until) {
      const pause = wait(ms)
      await once()
      await pause
    }
  }
  const ask = () => timed(waits.queries, () => call(session, 'query', 'agents:list', {}))
  const write = () =>
    timed(waits.updates, () => {
      const name = `Neighbour ${++written}.`
      client.send('Mutation', 'agents:update', { id: agentId, patch: { name } })
      return client.until((text) => text.includes('"Transition"') && text.includes(name))
    })
  await Promise.all([every(QUERY_EVERY_MS, ask), every(QUERY_EVERY_MS, ask), every(WRITE_EVERY_MS, write)])
  return waits
}

async function timed(into: number[], work: () => Promise<unknown>): Promise<void> {
  const since = performance.now()
  await work()
  into.push(performance.now() - since)
}

/** @returns its agent */
async function makeNeighbour({ servers }: Setting): Promise<string> {
  const session = await signUp(servers.at(-1)?.url ?? '', BUSY, 'Busy')
  const agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'Neighbour' }))
  for (let other = 0; other < 9; other++) await call(session, 'mutation', 'agents:create', { name: `Agent ${other}` })
  return agentId
}

async function openNeighbour({ servers }: Setting, agentId: string): Promise<Neighbour> {
  const url = servers.at(-1)?.url ?? ''
  const session = await signIn(url, BUSY)
  const client = await SyncClient.open(url, session.token, { path: 'agents:list', args: {} })
  return { session, agentId, client }
}

/** With a channel of each kind, a space to search, and a conversation to export. */
async function makeHostile({ servers }: Setting, customers: Customers): Promise<Omit<AttackPlan, 'attack' | 'token'>> {
  const url = servers[0]?.url ?? ''
  const session = await signUp(url, HOSTILE, 'Hostile')
  const agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'Hostile' }))
  customers.identifyAs(777_000_111)
  const botToken = '777000111:AAbench-bench-bench-bench-bench-benc'
  await call(session, 'action', 'channels/telegram:provision', { agentId, botToken })
  const registered = customers.webhook()
  const texts = { greeting: '', offline: '' }
  const look = { title: 'Hostile', color: '#2f5d50', position: 'right', hasAvatar: false, domains: [] }
  const widget = { ...look, texts: { ru: texts, en: texts } }
  const chat = await call(session, 'action', 'channels/webchat:provision', { agentId, widget })
  const spaceId = idOf(await call(session, 'mutation', 'knowledge/spaces:create', { name: 'Hostile' }))
  const text = Array.from({ length: 400 }, (_, at) => `# Правило ${at}\n\nДоставка по городу стоит ${at} рублей.`)
  await uploadDocument(session, spaceId, 'rules.md', text.join('\n\n'))
  const path = new URL(registered?.url ?? url).pathname
  const headers = { 'x-telegram-bot-api-secret-token': registered?.secret ?? '', 'content-type': 'application/json' }
  const person = { id: 9_000_000, is_bot: false, first_name: 'H' }
  const message = {
    message_id: 1,
    date: Math.floor(Date.now() / 1_000),
    chat: { ...person, type: 'private' },
    from: person,
    text: 'Привет',
  }
  await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify({ update_id: 1, message }) })
  await wait(2_000)
  const { page } = (await call(session, 'query', 'conversations:list', {
    paginationOpts: { numItems: 1, cursor: null },
  })) as {
    page: { _id: string }[]
  }
  const widgetKey = (chat as { externalAccountId: string }).externalAccountId
  const conversationId = page[0]?._id ?? ''
  return {
    servers: servers.map((server) => server.url),
    widgetKey,
    spaceId,
    conversationId,
    webhook: { path, headers },
  }
}

async function openEmbedded(folder: string, telegramRoot: string): Promise<Setting> {
  const server = await startServer({ DATA_DIR: path.join(folder, 'neighbours'), TELEGRAM_API_ROOT: telegramRoot })
  return { name: 'embedded database', servers: [server], stop: () => server.child.stop() }
}

async function openTwoServers(folder: string, telegramRoot: string): Promise<Setting> {
  const postgres = await startPostgres({ isDurable: true })
  const { url: DATABASE_URL } = await createDatabase(postgres.url)
  const shared = { DATABASE_URL, DATA_DIR: path.join(folder, 'two-neighbours'), TELEGRAM_API_ROOT: telegramRoot }
  const servers = [await startServer(shared), await startServer(shared)]
  return {
    name: 'two servers on PostgreSQL',
    servers,
    async stop() {
      for (const { child } of servers) await child.stop()
      await postgres.stop()
    },
  }
}

async function startServer(environment: Record<string, string>): Promise<Setting['servers'][number]> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = start(['server/main.ts'], {
    ...{ PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error', TRUST_PROXY: 'true' },
    ...{ PUBLIC_URL: 'https://bench.parley.test', ALLOWED_ORIGINS: url, ...environment },
  })
  await untilReady(child, `${url}/readyz`)
  return { url, child }
}
