// `npm run bench`: what Parley costs compared with the least that any program must do (bench/floor.ts), measured in the same run.
// Server, floor and model run in separate processes; this process plays the customers, the subscribers and Telegram.
// `--quick`: short runs. `--only=postgres|embedded|search|overview|inbox|analytics|live|scroll|visitors|neighbours|watched`: parts to run,
// comma-separated. `--conversations=…`: size of the inbox that inbox, analytics, live and scroll share. `--attacks=…`: those of neighbours, comma-separated. Prints
// figures and targets, without a verdict.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { FLOODED } from '#tests/flood.ts'
import { call, idOf, type Session, signUp } from '#tests/seeds/installation.ts'
import { benchAnalytics } from './analytics.ts'
import { bigInboxes } from './big-inbox.ts'
import { startCustomers, type Webhook } from './customers.ts'
import { benchInbox } from './inbox.ts'
import { benchLive } from './live.ts'
import { measureManners } from './manners.ts'
import {
  type Load,
  measureByTurns,
  measureFanOut,
  measureFirstToken,
  measureFloorFirstToken,
  measureReplies,
  percentile,
  type ReplyFigures,
  warmUp,
} from './measures.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchOverview } from './overview.ts'
import { type Child, cpuMs, freePort, memoryMb, start, startHelper, untilReady } from './processes.ts'
import { heading, print, short, table, target } from './report.ts'
import { benchScroll } from './scroll.ts'
import { benchSearch } from './search.ts'
import { type Engine, openStores, type Stores } from './stores.ts'
import { benchVisitors } from './visitors.ts'
import { benchWatched } from './watched.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    conversations: { type: 'string' },
    attacks: { type: 'string' },
    profile: { type: 'string' },
  },
})
const PORT = await freePort()
const CONCURRENCIES = [1, 8, 64]
const MODEL_DELAYS_MS = [0, 300]
const LOAD_MS = options.quick ? 700 : 2_000
const TURNS = options.quick ? 1 : 3
/** Messages of each customer, so that a slow model yields more figures than the initial burst. */
const MESSAGES_AT_LEAST = 10
/**
 * Several thousand replies: until then the engine still compiles what a server compiles once in its lifetime. After half as long a reply
 * still takes a tenth more processor time.
 */
const WARM_UP_MS = options.quick ? 1_000 : 45_000
/** After the tables are vacuumed, each connection replaces the query plans that it made while they were empty. */
const PLANNING_MS = options.quick ? 1_000 : 4_000
/** More than twenty: with fewer, the 95th percentile is the single worst. */
const ROUNDS = options.quick ? 24 : 60
const ARRIVALS_PER_SECOND = 50
const ARRIVALS_MS = options.quick ? 2_000 : 10_000
const BURST = options.quick ? 200 : 500
const STUB_TEXT = 'Доставка по городу стоит 390 рублей и занимает два часа. При заказе от 5000 рублей она бесплатна.'

type Subject = { server: Child; session: Session; webhook: Webhook; agentId: string; cpu: () => number }
type Floor = { url: string; webhook: Webhook; cpu: () => number }
type Pair = { ours: ReplyFigures; floor: ReplyFigures }

let installations = 0
const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'))
const startedAt = Date.now()
print(
  `Parley bench · Node ${process.version} · ${cpus().length} cores shared by all processes · ${options.quick ? 'quick' : 'full'} run`,
)
const inboxes = bigInboxes(Number(options.conversations ?? (options.quick ? 10_000 : 100_000)))
const customers = await startCustomers()
const models = new Map<number, Child & { url: string }>()
for (const delay of MODEL_DELAYS_MS) {
  const args = ['tests/fakes/openai/openai.ts', '--delay', String(delay), '--text', STUB_TEXT]
  models.set(delay, await startHelper(args))
}
try {
  for (const engine of ['postgres', 'embedded'] as const) {
    if (isWanted(engine)) await benchEngine(engine)
  }
  if (isWanted('search')) await benchSearch(options.quick)
  if (isWanted('overview')) await benchOverview(options.quick)
  if (isWanted('inbox')) await benchInbox(options.quick, await inboxes.open())
  if (isWanted('analytics')) await benchAnalytics(options.quick, await inboxes.open())
  if (isWanted('live')) {
    const modelUrl = models.get(300)?.url ?? ''
    await benchLive(options.quick, { customers, modelUrl, inbox: await inboxes.open() })
  }
  if (isWanted('scroll')) await benchScroll(options.quick, await inboxes.open())
  if (isWanted('neighbours')) await benchNeighbours(options.quick, { customers, folder, only: options.attacks })
  if (isWanted('watched')) await benchWatched(options.quick, path.join(folder, 'watched'))
  if (isWanted('visitors')) await benchVisitors(options.quick, path.join(folder, 'visitors'))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
} finally {
  await inboxes.close()
  for (const model of models.values()) await model.stop()
  await customers.close()
  rmSync(folder, { recursive: true, force: true })
}
print(`\n${short((Date.now() - startedAt) / 1000)} s in all.`)
process.exit() // connections that are kept alive would hold it

function isWanted(part: string): boolean {
  return !options.only || options.only.split(',').includes(part)
}

async function benchEngine(engine: Engine): Promise<void> {
  heading(engine === 'postgres' ? 'PostgreSQL' : 'Embedded database')
  const stores = await openStores(engine, folder)
  try {
    await benchStarts(engine, stores)
    const results = new Map<string, Pair>()
    for (const delay of MODEL_DELAYS_MS) {
      const subject = await startSubject(stores, delay)
      const floor = await startFloor(stores, delay)
      await warmUp(customers, [subject.webhook, floor.webhook], WARM_UP_MS)
      await stores.tidy()
      await warmUp(customers, [subject.webhook, floor.webhook], PLANNING_MS)
      await benchReplies(results, subject, floor, delay)
      if (delay > 0) await benchArrivals(engine, subject, floor)
      if (delay === 0) {
        await benchFirstToken(subject, floor)
        await benchFanOut(engine, subject, floor)
        await benchManners(subject, results.get('0 ms model, 64 at once')?.floor)
        const memory = memoryMb(subject.server.pid)
        print(`\nMemory of the server: ${memory.now} MB now, ${memory.peak} MB at its highest.`)
      }
      await subject.server.stop()
      await floor.stop()
    }
    printReplies(results, engine)
  } finally {
    await stores.close()
  }
}

async function startServer(stores: Stores, modelDelay: number): Promise<{ child: Child; readyMs: number }> {
  const began = performance.now()
  const profile = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : []
  const child = start([...profile, 'server/main.ts'], {
    ...stores.server,
    PORT: String(PORT),
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://bench.parley.test',
    ALLOWED_ORIGINS: `http://127.0.0.1:${PORT}`,
    TELEGRAM_API_ROOT: customers.root,
    OPENAI_BASE_URL: models.get(modelDelay)?.url ?? '',
    LOG_LEVEL: 'error',
  })
  await untilReady(child, `http://127.0.0.1:${PORT}/readyz`)
  return { child, readyMs: performance.now() - began }
}

/** First start on an empty database, second start on what the first has created, and the memory of an idle server. */
async function benchStarts(engine: Engine, stores: Stores): Promise<void> {
  const cold = await startServer(stores, 0)
  await cold.child.stop()
  const warm = await startServer(stores, 0)
  await wait(options.quick ? 1_000 : 5_000)
  const idle = memoryMb(warm.child.pid)
  await warm.child.stop()
  const limits = engine === 'postgres' ? { memory: '≤ 340 MB' } : { memory: '≤ 700 MB' }
  target('First start, seconds until ready', cold.readyMs / 1000, engine === 'embedded' ? '≤ 8' : '–', '–')
  target('Later start, seconds until ready', warm.readyMs / 1000, engine === 'embedded' ? '≤ 3' : '–', '–')
  target('Idle memory, MB', idle.now, limits.memory, 'as low as it goes')
}

async function startSubject(stores: Stores, modelDelay: number): Promise<Subject> {
  const { child } = await startServer(stores, modelDelay)
  installations += 1
  const name = `bench${installations}`
  const credentials = { name, email: `${name}@bench.test`, password: 'bench-password-1' }
  const session = await signUp(`http://127.0.0.1:${PORT}`, credentials, 'Bench')
  const agent = await call(session, 'mutation', 'agents:create', {
    name: 'Bench',
    systemPrompt: 'You are the assistant of a shop.',
    model: 'openai/stub',
  })
  for (let other = 0; other < 9; other += 1) {
    await call(session, 'mutation', 'agents:create', { name: `Agent ${other}`, systemPrompt: 'Be kind. '.repeat(20) })
  }
  const agentId = idOf(agent)
  await call(session, 'mutation', 'agents:update', { id: agentId, patch: FLOODED })
  const botToken = `${4_242_424 + installations}:AAbench-bench-bench-bench-bench-benc`
  customers.identifyAs(4_242_424 + installations)
  await call(session, 'action', 'channels/telegram:provision', { agentId, botToken })
  const registered = customers.webhook()
  if (!registered) throw new Error('No webhook was registered')
  const webhook: Webhook = {
    url: `http://127.0.0.1:${PORT}${new URL(registered.url).pathname}`,
    headers: { 'x-telegram-bot-api-secret-token': registered.secret },
  }
  return { server: child, session, webhook, agentId, cpu: () => cpuMs(child.pid) + stores.databaseCpu() }
}

async function startFloor(stores: Stores, modelDelay: number): Promise<Floor & { stop(): Promise<void> }> {
  const model = models.get(modelDelay)?.url ?? ''
  const helper = await startHelper(['bench/floor.ts', model, customers.root, stores.floor])
  return {
    url: helper.url,
    webhook: { url: helper.url, headers: {} },
    cpu: () => cpuMs(helper.pid) + stores.databaseCpu(),
    stop: () => helper.stop(),
  }
}

/**
 * Behind a model with a constant latency, customers who write again at once fall into step with those answered at the same moment, and
 * stay there: the same eight were a burst each time in one run and never met in the next (p95 of 80 and of 25 ms above the model's). So
 * they pause for a random time, at most the model's latency.
 */
async function benchReplies(results: Map<string, Pair>, subject: Subject, floor: Floor, delay: number): Promise<void> {
  for (const concurrency of CONCURRENCIES) {
    const talk = ({ webhook, cpu }: Floor | Subject): Load => {
      const milliseconds = LOAD_MS + MESSAGES_AT_LEAST * delay
      return { run: () => customers.talk(webhook, concurrency, milliseconds, delay), cpu }
    }
    const pair = await measureByTurns({ floor: talk(floor), ours: talk(subject) }, TURNS)
    results.set(`${delay} ms model, ${concurrency} at once`, pair)
  }
  const burst = ({ webhook, cpu }: Floor | Subject) =>
    measureReplies({ run: () => customers.burst(webhook, BURST), cpu })
  results.set(`${delay} ms model, burst of ${BURST}`, { floor: await burst(floor), ours: await burst(subject) })
}

/** Webhooks at a steady rate, while the replies to those before are generated and sent. */
async function benchArrivals(engine: Engine, subject: Subject, floor: Floor): Promise<void> {
  const bare = await customers.arrive(floor.webhook, ARRIVALS_PER_SECOND, ARRIVALS_MS)
  const ours = await customers.arrive(subject.webhook, ARRIVALS_PER_SECOND, ARRIVALS_MS)
  print(`\nWebhook in → answered, ${ARRIVALS_PER_SECOND} per second while a model of 300 ms is asked.`)
  const row = (name: string, { taken, refused }: typeof ours) => {
    return [name, percentile(taken, 0.5), percentile(taken, 0.95), percentile(taken, 0.99), refused]
  }
  table(['', 'p50 ms', 'p95 ms', 'p99 ms', 'unanswered'], [row('Parley', ours), row('floor', bare)])
  target('Webhook answered, p99 ms', percentile(ours.taken, 0.99), engine === 'postgres' ? '≤ 100 ms' : '–', '–')
}

function printReplies(results: Map<string, Pair>, engine: Engine): void {
  print(
    '\nReplies: webhook in → sendMessage out. Each cell: Parley / floor. Customers of a slow model pause between their messages.',
  )
  table(
    ['', 'replies/s', 'p50 ms', 'p95 ms', 'CPU ms/reply', 'replies ratio', 'p95 ratio', 'CPU ratio', 'unanswered'],
    [...results].map(([name, { ours, floor }]) => [
      name,
      `${short(ours.perSecond)} / ${short(floor.perSecond)}`,
      `${short(ours.p50)} / ${short(floor.p50)}`,
      `${short(ours.p95)} / ${short(floor.p95)}`,
      `${short(ours.cpuMs)} / ${short(floor.cpuMs)}`,
      ours.perSecond / floor.perSecond,
      ours.p95 / floor.p95,
      ours.cpuMs / floor.cpuMs,
      ours.refused,
    ]),
  )
  const busy = results.get('0 ms model, 64 at once')
  const calm = results.get('300 ms model, 8 at once')
  if (!busy || !calm) return
  const isJudged = engine === 'postgres'
  print('')
  target('CPU per reply, ratio (64 at once)', busy.ours.cpuMs / busy.floor.cpuMs, isJudged ? '≤ 5' : '–', '3')
  target('Throughput at 64, ratio', busy.ours.perSecond / busy.floor.perSecond, isJudged ? '≥ 0.2' : '–', '0.4')
  target(
    'p95 added to a 300 ms model (8 at once), ratio',
    (calm.ours.p95 - 300) / (calm.floor.p95 - 300),
    isJudged ? '≤ 3' : '–',
    '1.5',
  )
}

/** Under the load of 64 at once, compared with the floor. */
async function benchManners(subject: Subject, floor: ReplyFigures | undefined): Promise<void> {
  const run = () => customers.talk(subject.webhook, 64, 2 * LOAD_MS)
  const talk = () => measureReplies({ run, cpu: subject.cpu })
  const { none, all } = await measureManners(subject, talk, options.quick ? 1 : 3)
  print('\nManners (phrases, hours, limits, ceiling, fallback, follow-ups): all of them against none, 64 at once.')
  const row = (name: string, { perSecond, p50, p95, cpuMs: cpu }: ReplyFigures) => {
    return [name, perSecond, p50, p95, cpu, floor ? cpu / floor.cpuMs : '–', cpu / none.cpuMs]
  }
  table(
    ['', 'replies/s', 'p50 ms', 'p95 ms', 'CPU ms/reply', 'to the floor', 'to none'],
    [row('none', none), row('all', all)],
  )
}

async function benchFirstToken(subject: Subject, floor: Floor): Promise<void> {
  const ours = await measureFirstToken(subject.session, 'openai/stub', ROUNDS)
  const bare = await measureFloorFirstToken(floor.url, ROUNDS)
  print('\nFirst token of the streamed test chat: question sent → first text shown (model without delay).')
  table(
    ['', 'p50 ms', 'p95 ms'],
    [
      ['Parley', percentile(ours, 0.5), percentile(ours, 0.95)],
      ['floor', percentile(bare, 0.5), percentile(bare, 0.95)],
      ['ratio', percentile(ours, 0.5) / percentile(bare, 0.5), percentile(ours, 0.95) / percentile(bare, 0.95)],
    ],
  )
}

async function benchFanOut(engine: Engine, subject: Subject, floor: Floor): Promise<void> {
  print('\nFan-out: write → the last subscriber has the whole result.')
  const rows: (string | number)[][] = []
  let ratio = 0
  for (const count of [100, 1_000]) {
    const both = { session: subject.session, agentId: subject.agentId, floorUrl: floor.url }
    const { ours, floor: bare, bytes } = await measureFanOut(both, count, ROUNDS)
    ratio = percentile(ours, 0.95) / percentile(bare, 0.95)
    rows.push([
      `${count} subscribers`,
      percentile(ours, 0.5),
      percentile(ours, 0.95),
      percentile(bare, 0.5),
      percentile(bare, 0.95),
      bytes,
      ratio,
    ])
  }
  table(['', 'p50 ms', 'p95 ms', 'floor p50', 'floor p95', 'bytes', 'p95 ratio'], rows)
  target('Write → 1,000 subscribers p95, ratio', ratio, engine === 'postgres' ? '≤ 2' : '–', '1.5')
}
