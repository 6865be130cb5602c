// The web chat under many visitors: each holds a stream open, and all of them write, one after another at a steady rate, while the
// answers to those before are generated. Compared with bare server-sent events of the same size (visitors.floor.ts), fed by the same model.
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createDatabase } from '#tests/database.ts'
import { FLOODED } from '#tests/flood.ts'
import { startPostgres } from '#tests/postgres.ts'
import { call, idOf, signUp } from '#tests/seeds/installation.ts'
import { percentile } from './measures.ts'
import { type Child, freePort, memoryMb, start, startHelper, untilReady } from './processes.ts'
import { heading, print, table, target } from './report.ts'

const MODEL_DELAY_MS = 300
const PIECE_DELAY_MS = 30
const TEXT = 'Доставка по городу стоит 390 рублей и занимает два часа. При заказе от 5000 рублей она бесплатна.'
const MESSAGES_PER_SECOND = 20
/** An answer that takes longer counts as missing, not as late. */
const LIMIT_MS = 60_000

/** What a stream of the server or the floor shows. */
type Shown = { bubbles: { author?: string }[]; isAnswering: boolean; draft: string | null }
type Visitor = { write(): Promise<void>; answered(sentAt: number): Promise<Times>; close(): void; bytes: number[] }
type Times = { first: number; last: number } | null
type Figures = { first: number[]; last: number[]; missing: number; kbPerStream: number; bytes: number }

/** @param isQuick a fifth of the visitors */
export async function benchVisitors(isQuick: boolean, folder: string): Promise<void> {
  const count = isQuick ? 200 : 1_000
  heading(`Web chat, ${count} visitors, on PostgreSQL`)
  const model = await startHelper([
    ...['tests/fakes/openai/openai.ts', '--text', TEXT],
    ...['--delay', String(MODEL_DELAY_MS), '--piece-delay', String(PIECE_DELAY_MS)],
  ])
  const postgres = await startPostgres({ isDurable: true })
  try {
    const { url } = await createDatabase(postgres.url)
    const ours = await measureOurs(count, { databaseUrl: url, modelUrl: model.url, folder })
    const floor = await measureFloor(count, model.url, ours.bytes)
    report(ours, floor)
  } finally {
    await model.stop()
    await postgres.stop()
  }
}

async function measureOurs(
  count: number,
  { databaseUrl, modelUrl, folder }: { databaseUrl: string; modelUrl: string; folder: string },
): Promise<Figures> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const server = start(['server/main.ts'], {
    ...{ PORT: String(port), HOST: '127.0.0.1', DATA_DIR: folder, DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' },
    ...{ OPENAI_BASE_URL: modelUrl, OPENAI_API_KEY: 'bench', TRUST_PROXY: 'true' },
  })
  try {
    await untilReady(server, `${base}/readyz`)
    const key = await makeWidget(base)
    return await measure(server, count, (index) => openVisitor(`${base}/api/webchat/${key}`, index))
  } finally {
    await server.stop()
  }
}

async function measureFloor(count: number, modelUrl: string, bytes: number): Promise<Figures> {
  const floor = await startHelper(['bench/visitors.floor.ts', modelUrl])
  try {
    return await measure(floor, count, (index) => {
      const at = (path: string) => `${floor.url}${path}?visitor=${index}&bytes=${bytes}`
      return follow({ url: at('/chat'), headers: {} }, () => post(at('/messages'), {}, {}).then(() => undefined))
    })
  } finally {
    await floor.stop()
  }
}

/** @returns the key of a web chat */
async function makeWidget(base: string): Promise<string> {
  const session = await signUp(
    base,
    { name: 'Bench', email: 'bench@bench.test', password: 'bench-password-1' },
    'Bench',
  )
  const agent = await call(session, 'mutation', 'agents:create', { name: 'Bench', model: 'openai/stub' })
  await call(session, 'mutation', 'agents:update', { id: idOf(agent), patch: FLOODED })
  const texts = { greeting: '', offline: '' }
  const look = { title: 'Bench', color: '#2f5d50', position: 'right', hasAvatar: false, domains: [] }
  const widget = { ...look, texts: { ru: texts, en: texts } }
  const made = await call(session, 'action', 'channels/webchat:provision', { agentId: idOf(agent), widget })
  return (made as { externalAccountId: string }).externalAccountId
}

/** A few visitors warm up the program; then all open their streams, and write. */
async function measure(program: Child, count: number, open: (index: number) => Promise<Visitor>): Promise<Figures> {
  for (const visitor of await writeAll(await openAll(40, (index) => open(-1 - index)), [])) visitor.close()
  await wait(1_000)
  const before = memoryMb(program.pid).now
  const visitors = await openAll(count, open)
  await wait(1_000)
  const kbPerStream = ((memoryMb(program.pid).now - before) * 1024) / count
  const times: Times[] = []
  await writeAll(visitors, times)
  for (const visitor of visitors) visitor.close()
  const known = times.filter((each) => each !== null)
  const sizes = visitors.flatMap(({ bytes }) => bytes)
  return {
    first: known.map(({ first }) => first),
    last: known.map(({ last }) => last),
    missing: count - known.length,
    kbPerStream,
    bytes: Math.round(sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length)),
  }
}

async function openAll(count: number, open: (index: number) => Promise<Visitor>): Promise<Visitor[]> {
  const opened: Visitor[] = []
  while (opened.length < count) {
    const from = opened.length
    const batch = Array.from({ length: Math.min(25, count - from) }, (_, index) => open(from + index))
    opened.push(...(await Promise.all(batch)))
  }
  return opened
}

/** Each writes once, at a steady rate, without waiting for earlier answers. */
async function writeAll(visitors: Visitor[], times: Times[]): Promise<Visitor[]> {
  const startedAt = performance.now()
  const answers = visitors.map(async (visitor, index) => {
    await wait(Math.max(0, startedAt + (index * 1000) / MESSAGES_PER_SECOND - performance.now()))
    const answered = visitor.answered(performance.now())
    await visitor.write()
    times.push(await answered)
  })
  await Promise.all(answers)
  return visitors
}

/** A visitor with a session and an IP address of their own: requests are limited per address. */
async function openVisitor(base: string, index: number): Promise<Visitor> {
  const from = { 'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}` }
  const { token } = JSON.parse(await post(`${base}/session`, from, {})) as { token: string }
  const headers = { ...from, authorization: `Bearer ${token}` }
  const message = { id: crypto.randomUUID(), text: 'Сколько стоит доставка?', language: 'ru', files: [] }
  return follow({ url: `${base}/chat`, headers }, async () => void (await post(`${base}/messages`, headers, message)))
}

/** Opens a stream, and resolves with its first event. */
async function follow(
  { url, headers }: { url: string; headers: Record<string, string> },
  write: () => Promise<void>,
): Promise<Visitor> {
  const watchers = new Set<(shown: Shown) => void>()
  const bytes: number[] = []
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { headers, agent: false }, resolve).once('error', reject).end()
  })
  if (response.statusCode !== 200) throw new Error(`The stream was refused with ${response.statusCode}`)
  response.on('error', () => undefined)
  response.setEncoding('utf8')
  let rest = ''
  const first = new Promise<void>((resolve) => watchers.add(() => resolve()))
  response.on('data', (piece: string) => {
    const events = (rest + piece).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data === undefined) continue
      bytes.push(Buffer.byteLength(data))
      for (const watcher of watchers) watcher(JSON.parse(data) as Shown)
    }
  })
  await first
  return { write, bytes, close: () => response.destroy(), answered: (sentAt) => answeredOn(watchers, sentAt) }
}

/** The first text of an answer, and the whole of it. */
function answeredOn(watchers: Set<(shown: Shown) => void>, sentAt: number): Promise<Times> {
  return new Promise((resolve) => {
    let first: number | undefined
    const done = (times: Times) => {
      clearTimeout(timer)
      watchers.delete(watcher)
      resolve(times)
    }
    const timer = setTimeout(() => done(null), LIMIT_MS)
    const watcher = ({ bubbles, draft, isAnswering }: Shown) => {
      const isWhole = bubbles.some(({ author }) => author === 'agent') && !isAnswering
      const now = performance.now() - sentAt
      if (draft || isWhole) first ??= now
      if (isWhole && first !== undefined) done({ first, last: now })
    }
    watchers.add(watcher)
  })
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** @throws for a failed answer */
function post(url: string, headers: Record<string, string>, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, 'content-type': 'application/json' }
    const outgoing = httpRequest(url, { method: 'POST', agent, headers: all }, async (response) => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      const isGood = (response.statusCode ?? 500) < 300
      if (isGood) resolve(text)
      else reject(new Error(`${new URL(url).pathname}: ${response.statusCode} ${text}`))
    })
    outgoing.once('error', reject)
    outgoing.end(JSON.stringify(body))
  })
}

function report(ours: Figures, floor: Figures): void {
  print(
    `Each writes once, ${MESSAGES_PER_SECOND} messages a second; a model of ${MODEL_DELAY_MS} ms that streams its pieces.`,
  )
  const row = (name: string, { first, last, missing, kbPerStream, bytes }: Figures) => {
    return [
      name,
      percentile(first, 0.5),
      percentile(first, 0.95),
      percentile(last, 0.5),
      percentile(last, 0.95),
      kbPerStream,
      bytes,
      missing,
    ]
  }
  table(
    ['', 'first token p50 ms', 'p95', 'last token p50 ms', 'p95', 'KB/stream', 'bytes/event', 'unanswered'],
    [row('Parley', ours), row('floor', floor)],
  )
  print('')
  const ratio = (of: 'first' | 'last') => percentile(ours[of], 0.95) / percentile(floor[of], 0.95)
  target('Message → first token p95, ratio', ratio('first'), '–', '1.5')
  target('Message → last token p95, ratio', ratio('last'), '–', '1.5')
  target('Memory of a stream, ratio', ours.kbPerStream / floor.kbPerStream, '–', '3')
}
