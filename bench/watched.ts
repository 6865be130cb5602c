// Many subscribers of one large result that is written to again and again: how long until each has a state that includes a write. A subscriber
// that falls behind is shown the newest state and not each one between, so every state that arrives counts for all writes before it.
import { setTimeout as wait } from 'node:timers/promises'
import { createDatabase } from '#tests/database.ts'
import { startPostgres } from '#tests/postgres.ts'
import { call, idOf, signUp } from '#tests/seeds/installation.ts'
import { percentile } from './measures.ts'
import { type Child, cpuMs, freePort, memoryMb, start, untilReady } from './processes.ts'
import { heading, print, short, table, target } from './report.ts'
import { SyncClient } from './subscribers.ts'

const SUBSCRIBERS = 1_000
const WRITES_PER_SECOND = 10
/** What is listed, so that the result has about 20 kB. */
const AGENTS = 40

/** @param isQuick for three seconds */
export async function benchWatched(isQuick: boolean, folder: string): Promise<void> {
  const seconds = isQuick ? 3 : 15
  heading(`${SUBSCRIBERS} subscribers of one result, ${WRITES_PER_SECOND} writes a second, on PostgreSQL`)
  const postgres = await startPostgres({ isDurable: true })
  const { url: DATABASE_URL } = await createDatabase(postgres.url)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const server = start(['server/main.ts'], {
    ...{ PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error', DATA_DIR: folder, DATABASE_URL },
  })
  try {
    await untilReady(server, `${base}/readyz`)
    await measure(base, server, seconds)
  } finally {
    await server.stop()
    await postgres.stop()
  }
}

async function measure(base: string, server: Child, seconds: number): Promise<void> {
  const person = { name: 'Watched', email: 'watched@bench.test', password: 'bench-password-1' }
  const session = await signUp(base, person, 'Watched')
  const agent = idOf(await call(session, 'mutation', 'agents:create', { name: 'write 0.' }))
  for (let at = 1; at < AGENTS; at++) await call(session, 'mutation', 'agents:create', { name: `Agent ${at}` })
  const query = { path: 'agents:list', args: {} }
  const subscribers: Subscriber[] = []
  while (subscribers.length < SUBSCRIBERS) {
    const some = Array.from({ length: 50 }, () => SyncClient.open(base, session.token, query))
    subscribers.push(...(await Promise.all(some)).map((client) => new Subscriber(client)))
  }
  await wait(1_000)
  const cpuBefore = cpuMs(server.pid)
  const sentAt: number[] = []
  const writer = await SyncClient.open(base, session.token, query)
  const from = performance.now()
  for (let write = 1; write <= seconds * WRITES_PER_SECOND; write++) {
    await wait(Math.max(0, from + (write * 1_000) / WRITES_PER_SECOND - performance.now()))
    sentAt[write] = writer.send('Mutation', 'agents:update', { id: agent, patch: { name: `write ${write}.` } })
  }
  const last = sentAt.length - 1
  await Promise.all(subscribers.map((subscriber) => subscriber.client.until((text) => numberIn(text) === last)))
  const cpu = (cpuMs(server.pid) - cpuBefore) / ((performance.now() - from) / 1_000)
  report(subscribers, sentAt, { cpu, bytes: subscribers[0]?.bytes ?? 0, peak: memoryMb(server.pid).peak })
}

/** Notes when it had a state that includes each write. */
class Subscriber {
  readonly client: SyncClient
  readonly hadAt: number[] = []
  states = 0
  bytes = 0

  constructor(client: SyncClient) {
    this.client = client
    client.watch((text) => {
      const write = numberIn(text)
      if (write === null) return
      this.states++
      this.bytes = Buffer.byteLength(text)
      const now = performance.now()
      for (let each = write; each > 0 && this.hadAt[each] === undefined; each--) this.hadAt[each] = now
    })
  }
}

function numberIn(text: string): number | null {
  const found = /"write (\d+)\."/.exec(text)?.[1]
  return found === undefined ? null : Number(found)
}

function report(
  subscribers: Subscriber[],
  sentAt: number[],
  { cpu, bytes, peak }: { cpu: number; bytes: number; peak: number },
): void {
  const each: number[] = []
  const all: number[] = []
  for (const [write, sent] of sentAt.entries()) {
    if (sent === undefined) continue
    const waits = subscribers.map(({ hadAt }) => (hadAt[write] ?? Infinity) - sent)
    each.push(...waits)
    all.push(Math.max(...waits))
  }
  const states = subscribers.reduce((sum, subscriber) => sum + subscriber.states, 0) / subscribers.length
  print(
    `The result has ${short(bytes / 1024)} kB. Each was shown ${short(states)} states of ${sentAt.length - 1} writes.`,
  )
  table(
    ['write → subscriber, ms', 'p50', 'p95', 'max'],
    [
      ['each', percentile(each, 0.5), percentile(each, 0.95), percentile(each, 1)],
      ['the last of all', percentile(all, 0.5), percentile(all, 0.95), percentile(all, 1)],
    ],
  )
  print(`The server used ${short(cpu / 10)} % of a core, and ${peak} MB at its highest.`)
  target('p95 until the last subscriber has a write, ms', percentile(all, 0.95), '≤ 500', '150')
}
