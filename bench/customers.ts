// Customers who write through Telegram and wait for their reply: the load, and the Telegram Bot API that it comes from and goes to.
import { Agent, createServer, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Where an update is posted to, with the headers that Telegram would send. */
export type Webhook = { url: string; headers: OutgoingHttpHeaders }

/** Latencies are webhook sent → sendMessage arrived, milliseconds. */
export type LoadResult = { replies: number; seconds: number; latencies: number[]; refused: number }

export interface Customers {
  /** Root of the Bot API for the program under test. */
  readonly root: string
  /** The bot that `getMe` answers with from now on. */
  identifyAs(botId: number): void
  /** The webhook that was registered last. */
  webhook(): { url: string; secret: string } | undefined
  /**
   * `count` customers write one message after another for a while, each after the reply to the one before and a random pause.
   * @param pauseMs longest pause, milliseconds
   */
  talk(target: Webhook, count: number, milliseconds: number, pauseMs?: number): Promise<LoadResult>
  /** `count` new customers write one message each, all at once. */
  burst(target: Webhook, count: number): Promise<LoadResult>
  /**
   * A new customer writes every so often, whatever becomes of those before.
   * @returns how long each webhook took to be answered, milliseconds, and how many customers had no reply
   */
  arrive(target: Webhook, perSecond: number, milliseconds: number): Promise<{ taken: number[]; refused: number }>
  close(): Promise<void>
}

/** Customers begin one after another: those who begin together stay in step behind a slow model, and are a burst each time. */
const BEGIN_WITHIN_MS = 300
/** A reply that takes longer counts as lost. */
const REPLY_TIMEOUT_MS = 60_000

const agent = new Agent({ keepAlive: true, maxSockets: 128 })
let lastUpdate = 1_000_000
let lastChat = 5_000_000

/** Starts the Bot API on loopback. */
export async function startCustomers(): Promise<Customers> {
  const waiting = new Map<number, () => void>()
  let registered: { url: string; secret: string } | undefined
  let lastMessage = 0
  let botId = 0

  const server = createServer(async (incoming, response) => {
    const method = incoming.url?.split('/').at(-1)?.split('?')[0] ?? ''
    const body = await readBody(incoming)
    if (method === 'setWebhook') registered = { url: String(body.url), secret: String(body.secret_token) }
    const chatId = Number(body.chat_id)
    lastMessage += 1
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answerTo(method, botId, chatId, lastMessage)))
    if (method !== 'sendMessage') return
    waiting.get(chatId)?.()
    waiting.delete(chatId)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const write: Write = async (target, chatId) => {
    const startedAt = performance.now()
    let timer: NodeJS.Timeout | undefined
    const replied = new Promise<boolean>((resolve) => {
      waiting.set(chatId, () => resolve(true))
      timer = setTimeout(() => resolve(false), REPLY_TIMEOUT_MS)
    })
    const arrived = replied.then((isReplied) => (isReplied ? performance.now() - startedAt : null))
    const status = await postUpdate(target, chatId)
    const taken = performance.now() - startedAt
    const latency = status === 200 ? await arrived : null
    clearTimeout(timer)
    return { taken, latency }
  }
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identifyAs(id) {
      botId = id
    },
    webhook: () => registered,
    talk: (target, count, milliseconds, pauseMs = 0) => talk(write, target, count, { milliseconds, pauseMs }),
    burst: (target, count) => burst(write, target, count),
    arrive: (target, perSecond, milliseconds) => arrive(write, target, perSecond, milliseconds),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Writes one message and waits for the reply. `taken`: until the webhook was answered. `latency` null: it was refused or never answered. */
type Write = (target: Webhook, chatId: number) => Promise<Written>
type Written = { taken: number; latency: number | null }

async function talk(
  write: Write,
  target: Webhook,
  count: number,
  { milliseconds, pauseMs }: { milliseconds: number; pauseMs: number },
): Promise<LoadResult> {
  const startedAt = performance.now()
  const endsAt = startedAt + milliseconds
  const all: Written[] = []
  const customer = async (_: unknown, place: number) => {
    const chatId = ++lastChat
    await wait((place / count) * BEGIN_WITHIN_MS)
    while (performance.now() < endsAt) {
      all.push(await write(target, chatId))
      if (pauseMs > 0) await wait(Math.random() * pauseMs)
    }
  }
  await Promise.all(Array.from({ length: count }, customer))
  return resultOf(all, startedAt)
}

async function burst(write: Write, target: Webhook, count: number): Promise<LoadResult> {
  const startedAt = performance.now()
  return resultOf(await Promise.all(Array.from({ length: count }, () => write(target, ++lastChat))), startedAt)
}

async function arrive(write: Write, target: Webhook, perSecond: number, milliseconds: number) {
  const under: Promise<Written>[] = []
  const startedAt = performance.now()
  for (let at = 0; at < milliseconds; at += 1000 / perSecond) {
    await wait(Math.max(0, startedAt + at - performance.now()))
    under.push(write(target, ++lastChat))
  }
  const all = await Promise.all(under)
  return { taken: all.map(({ taken }) => taken), refused: all.filter(({ latency }) => latency === null).length }
}

function resultOf(all: Written[], startedAt: number): LoadResult {
  const latencies = all.flatMap(({ latency }) => latency ?? [])
  const seconds = (performance.now() - startedAt) / 1000
  return { replies: latencies.length, seconds, latencies, refused: all.length - latencies.length }
}

function answerTo(method: string, botId: number, chatId: number, messageId: number): unknown {
  switch (method) {
    case 'getMe':
      return { ok: true, result: { id: botId, is_bot: true, first_name: 'Bench', username: `bench_${botId}_bot` } }
    case 'sendMessage':
      return {
        ok: true,
        result: {
          message_id: messageId,
          date: Math.floor(Date.now() / 1000),
          chat: { id: chatId, type: 'private' },
          text: '',
        },
      }
    case 'getUpdates':
      return { ok: true, result: [] }
    case 'getWebhookInfo':
      return { ok: true, result: { url: '', has_custom_certificate: false, pending_update_count: 0 } }
    default:
      return { ok: true, result: true }
  }
}

async function readBody(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of incoming) text += chunk
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
}

function postUpdate(target: Webhook, chatId: number): Promise<number> {
  return saysThrough(target, { chatId, name: 'Anna', text: 'Здравствуйте! Сколько стоит доставка и когда её ждать?' })
}

/** Brings what a customer says to the program. @returns how it was answered */
export function saysThrough(
  target: Webhook,
  { chatId, name, text }: { chatId: number; name: string; text: string },
): Promise<number> {
  lastUpdate += 1
  const from = { id: chatId, is_bot: false, first_name: name, username: `anna${chatId}`, language_code: 'ru' }
  const body = JSON.stringify({
    update_id: lastUpdate,
    message: {
      message_id: lastUpdate,
      date: Math.floor(Date.now() / 1000),
      from,
      chat: { id: chatId, type: 'private', first_name: name },
      text,
    },
  })
  return post(target, body)
}

/** A connection that was kept alive may be closed by the other side at the moment of its next use: then another one is tried. */
function post(target: Webhook, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...target.headers }
    const outgoing = request(target.url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', (error) => (outgoing.reusedSocket ? resolve(post(target, body)) : reject(error)))
    outgoing.end(body)
  })
}
