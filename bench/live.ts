// How soon a customer's message appears in an open inbox: webhook sent → the list with it received over the sync socket. One server on
// PostgreSQL and an inbox that has been in use for long; fifty customers write all the time, each after the previous answer, and the model
// has a latency.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { FLOODED } from '#tests/flood.ts'
import { call, idOf, type Session, signIn } from '#tests/seeds/installation.ts'
import { type BigInbox, OWNER } from './big-inbox.ts'
import { type Customers, saysThrough, type Webhook } from './customers.ts'
import { percentile } from './measures.ts'
import { freePort, start, untilReady } from './processes.ts'
import { heading, print, table, target } from './report.ts'
import { SyncClient } from './subscribers.ts'

const CUSTOMERS = 50
/** Longest pause between a customer's messages, milliseconds; half as long on average. */
const PAUSE_MS = 4_000
const LIMIT_MS = 1_000
/** A message that is not shown by then counts as lost. */
const LOST_MS = 20_000
const BOT_ID = 4_343_434

/** @param isQuick for a few seconds only */
export async function benchLive(
  isQuick: boolean,
  { customers, modelUrl, inbox }: { customers: Customers; modelUrl: string; inbox: BigInbox },
): Promise<void> {
  heading('An open inbox, on PostgreSQL')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = start(['server/main.ts'], {
    DATABASE_URL: inbox.databaseUrl,
    DATA_DIR: inbox.dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://bench.parley.test',
    ALLOWED_ORIGINS: url,
    TELEGRAM_API_ROOT: customers.root,
    OPENAI_BASE_URL: modelUrl,
    LOG_LEVEL: 'error',
  })
  try {
    await untilReady(server, `${url}/readyz`)
    const { session, webhook } = await openShop(url, customers)
    const watcher = await openInbox(session)
    await talkAll(webhook, watcher, isQuick ? 5_000 : 15_000) // compiled and planned by then
    await inbox.tidy()
    const { times, lost } = await talkAll(webhook, watcher, isQuick ? 8_000 : 60_000)
    watcher.close()
    report(times, lost, inbox)
  } finally {
    await server.stop()
  }
}

function report(times: number[], lost: number, { size }: BigInbox): void {
  print(
    `\nNew message → in an open inbox list, one server, ${CUSTOMERS} conversations of ${size.conversations} active.`,
  )
  table(
    ['', 'messages', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms', 'not shown'],
    [
      [
        'Parley',
        times.length,
        percentile(times, 0.5),
        percentile(times, 0.95),
        percentile(times, 0.99),
        Math.max(...times),
        lost,
      ],
    ],
  )
  target('New message in an open inbox list, p50 ms', percentile(times, 0.5), '–', `≤ ${LIMIT_MS}`)
  target('New message in an open inbox list, p99 ms', percentile(times, 0.99), `≤ ${LIMIT_MS}`, `≤ ${LIMIT_MS}`)
}

async function openShop(url: string, customers: Customers): Promise<{ session: Session; webhook: Webhook }> {
  const session = await signIn(url, OWNER)
  const instructions = { systemPrompt: 'You are the assistant of a shop.', model: 'openai/stub' }
  const agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'Live', ...instructions }))
  await call(session, 'mutation', 'agents:update', { id: agentId, patch: FLOODED })
  const botToken = `${BOT_ID}:AAbench-bench-bench-bench-bench-benc`
  customers.identifyAs(BOT_ID)
  await call(session, 'action', 'channels/telegram:provision', { agentId, botToken })
  const registered = customers.webhook()
  if (!registered) throw new Error('No webhook was registered')
  return {
    session,
    webhook: {
      url: `${url}${new URL(registered.url).pathname}`,
      headers: { 'x-telegram-bot-api-secret-token': registered.secret },
    },
  }
}

type Row = { customer: { name: string } | null; messageCount: number }
type Watcher = {
  /** How many messages a customer's row shows by now. */
  countOf(name: string): number
  /** When a customer's row shows more messages than before; null: never. */
  grown(name: string, from: number): Promise<number | null>
  close(): void
}

/** The first page of the inbox, as the screen asks for it. */
async function openInbox(session: Session): Promise<Watcher> {
  const args = { paginationOpts: { numItems: CUSTOMERS + 10, cursor: null } }
  const client = await SyncClient.open(session.baseUrl, session.token, { path: 'conversations:list', args })
  const counts = new Map<string, number>()
  const waiting = new Map<string, { from: number; shown: (at: number) => void }>()
  const look = (text: string) => {
    const at = performance.now()
    if (!text.startsWith('{')) return false
    for (const { customer, messageCount } of rowsIn(text)) {
      const name = customer?.name ?? ''
      counts.set(name, messageCount)
      const who = waiting.get(name)
      if (who && messageCount > who.from) who.shown(at)
    }
    return false
  }
  void client.until(look)
  return {
    countOf: (name) => counts.get(name) ?? 0,
    grown: (name, from) =>
      new Promise((resolve) => {
        if ((counts.get(name) ?? 0) > from) return resolve(performance.now())
        const timer = setTimeout(resolve, LOST_MS, null)
        const done = (at: number) => {
          clearTimeout(timer)
          waiting.delete(name)
          resolve(at)
        }
        waiting.set(name, { from, shown: done })
      }),
    close: () => client.close(),
  }
}

function rowsIn(text: string): Row[] {
  const { modifications = [] } = JSON.parse(text) as { modifications?: { value?: { page?: Row[] } }[] }
  return modifications.flatMap(({ value }) => value?.page ?? [])
}

/** All customers write for this long, each after the answer to its last message and a random pause. */
async function talkAll(
  webhook: Webhook,
  watcher: Watcher,
  milliseconds: number,
): Promise<{ times: number[]; lost: number }> {
  const endsAt = performance.now() + milliseconds
  const times: number[] = []
  let lost = 0
  const talk = async (chatId: number) => {
    const name = `Customer ${chatId}`
    while (performance.now() < endsAt) {
      await wait(Math.random() * PAUSE_MS)
      const from = watcher.countOf(name)
      const shown = watcher.grown(name, from)
      const sentAt = performance.now()
      await saysThrough(webhook, { chatId, name, text: `Is it in stock? ${randomUUID()}` })
      const at = await shown
      times.push(at === null ? LOST_MS : at - sentAt)
      const answeredAt = await watcher.grown(name, from + 1) // the answer stands there too
      if (at !== null && answeredAt !== null) continue
      // A late message would be mistaken for the next one: this customer is no longer measured.
      lost++
      return
    }
  }
  await Promise.all(Array.from({ length: CUSTOMERS }, (_, at) => talk(7_000_000 + at)))
  return { times, lost }
}
