// A strict stand-in for the Bot API of MAX on loopback: bots, chats, what customers sent and received, and the updates, delivered again
// until they are accepted, or returned to polls. What its calls check and answer is in max-methods.ts.
// Alone: `node tests/fakes/max/max.ts [port]` prints its URL; `POST /control/<method>` with a JSON array of arguments drives it.
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerMax, MAX_LOST } from './max-methods.ts'

/** Pauses between attempts to deliver, doubling up to the last. */
const RETRY_MS = { first: 50, last: 2000 }
/** Ids of MAX bots are far from those of users. */
const FIRST_BOT = 900_000_000

export type MaxCustomer = { userId: number; firstName: string; lastName?: string; username?: string; locale?: string }
export type FakeMaxUpdate = { seq: number; body: { update_type: string; timestamp: number } & Record<string, unknown> }
export type FakeMaxBot = {
  userId: number
  username: string
  firstName: string
  token: string
  subscription: { url: string; secret: string | null; types: string[] | null; time: number }[]
  /** Updates that no poll has confirmed yet. */
  pending: FakeMaxUpdate[]
  nextSeq: number
  /** When it was last polled; 0: never. */
  askedAt: number
}
/** What a chat shows of a bot's message. `text` as it is read; `html` as it was sent with formatting, else null. */
export type MaxMessage = {
  bot: number
  chatId: number
  mid: string
  text: string
  html: string | null
  buttons: { text: string; payload: string }[][]
  file: { kind: string; name: string; bytes: Uint8Array } | null
  at: number
}
export type MaxFaults = {
  /** Refusals of the next sends. */
  refusals: { status: number; code: string; message: string }[]
  /** The next so many sends arrive, but their answers are lost. */
  answersToDrop: number
  /** How often each delivery is sent. */
  copies: number
  /** The next so many subscriptions fail with a server error. */
  failedSubscriptions: number
  /** So do the next so many requests for the subscriptions. */
  failedLists: number
  /** How often a file is still being processed when a message references it. */
  notReady: number
}
export const NO_MAX_FAULTS: Omit<MaxFaults, 'refusals'> = {
  answersToDrop: 0,
  copies: 1,
  failedSubscriptions: 0,
  failedLists: 0,
  notReady: 0,
}
export type FakeMax = Awaited<ReturnType<typeof startFakeMax>>
/** An uploaded file. */
type Stored = { kind: string; name: string; bytes: Uint8Array }

export async function startFakeMax(options: { port?: number } = {}) {
  const state = new MaxState()
  const server = http.createServer((request, response) => void handle(state, request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  state.url = `http://127.0.0.1:${port}`
  return Object.assign(state, {
    async close() {
      state.isClosed = true
      state.changed()
      server.closeAllConnections()
      server.close()
    },
  })
}

/** Bots, chats and everything that was sent. Tests drive the fake through the methods. */
export class MaxState {
  url = ''
  bots = new Map<string, FakeMaxBot>()
  sent: MaxMessage[] = []
  /** What customers were shown after a press, by its id. */
  notices: { callbackId: string; text: string }[] = []
  /** When typing was last shown in a chat. */
  typedAt = new Map<number, number>()
  /** Presses that were made. */
  presses = new Set<string>()
  /** Bodies of deliveries that were answered with 200. */
  taken: string[] = []
  /** Uploaded files, by their tokens. */
  uploads = new Map<string, Stored>()
  /** Places that wait for a file, by the last part of their address: of which kind, and its token where that is known before. */
  places = new Map<string, { kind: string; token: string }>()
  /** Sent by customers, by the last part of their address. */
  files = new Map<string, Uint8Array>()
  /** Where videos lie, by their tokens and sizes. */
  videos = new Map<string, Record<string, string>>()
  /** Requests for updates that wait. */
  pollers = new Set<string>()
  faults: MaxFaults = { ...NO_MAX_FAULTS, refusals: [] }
  /** Where deliveries are really sent, when their public address leads nowhere: an origin such as `http://127.0.0.1:3000`. */
  webhookOrigin: (() => string) | null = null
  isClosed = false
  #chats = new Map<string, { chatId: number; bot: number; customer: MaxCustomer; isStopped: boolean }>()
  #listeners = new Set<() => void>()

  addBot(given: Partial<Pick<FakeMaxBot, 'username' | 'firstName' | 'token'>> = {}): FakeMaxBot {
    const userId = FIRST_BOT + this.bots.size + 1
    const bot: FakeMaxBot = {
      userId,
      username: `id${userId}_bot`,
      firstName: 'Parley Coffee',
      token: `f9LHod${randomBytes(30).toString('base64url')}`,
      subscription: [],
      pending: [],
      nextSeq: Date.now(), // grows over a restart too
      askedAt: 0,
      ...given,
    }
    this.bots.set(bot.token, bot)
    return bot
  }

  bot(token: string): FakeMaxBot {
    const bot = this.bots.get(token)
    if (!bot) throw new Error('the fake MAX has no such bot')
    return bot
  }

  /** Revokes the old token. @returns the new one */
  revoke(token: string): string {
    const bot = this.bot(token)
    this.bots.delete(token)
    bot.token = `f9LHod${randomBytes(30).toString('base64url')}`
    this.bots.set(bot.token, bot)
    return bot.token
  }

  /** The dialog of a customer with a bot; created on first use. */
  chatOf(token: string, customer: MaxCustomer) {
    const bot = this.bot(token).userId
    const key = `${bot} ${customer.userId}`
    const chat = this.#chats.get(key) ?? { chatId: 100_000 + customer.userId + bot, bot, customer, isStopped: false }
    this.#chats.set(key, chat)
    return chat
  }

  /** Undefined: no chat was started. */
  findChat(bot: number, by: { chatId: number } | { userId: number }) {
    return [...this.#chats.values()].find(
      (chat) => chat.bot === bot && ('chatId' in by ? chat.chatId === by.chatId : chat.customer.userId === by.userId),
    )
  }

  /** A customer writes. @returns the id of the message */
  customerSays(token: string, customer: MaxCustomer, text: string, more: object = {}): string {
    const update = this.message(token, customer, { text, ...more })
    void this.deliver(token, update)
    return update.message.body.mid
  }

  /** The update of a customer's message. `link`: what it replies to or forwards; `recipient`: of a group. */
  message(
    token: string,
    customer: MaxCustomer,
    {
      link,
      recipient,
      ...content
    }: { text?: string | null; attachments?: object[]; link?: object; recipient?: object },
  ) {
    const { chatId } = this.chatOf(token, customer)
    const now = Date.now()
    return {
      update_type: 'message_created',
      timestamp: now,
      message: {
        recipient: recipient ?? { chat_id: chatId, chat_type: 'dialog', user_id: this.bot(token).userId },
        timestamp: now,
        body: { mid: this.mid(), seq: now * 1000, text: '', ...content },
        sender: personOf(customer),
        ...(link && { link }),
      },
      user_locale: customer.locale ?? 'ru',
    }
  }

  /** The update of a message that the customer has edited. */
  customerEdits(token: string, customer: MaxCustomer, mid: string, text: string): void {
    const { message } = this.message(token, customer, { text })
    const edited = { ...message, body: { ...message.body, mid } }
    void this.deliver(token, { update_type: 'message_edited', timestamp: Date.now(), message: edited })
  }

  /** The update of a press of a button under a message of the bot. */
  press(token: string, customer: MaxCustomer, mid: string, payload: string) {
    const bot = this.bot(token)
    const callbackId = `f9LHodD0${randomBytes(30).toString('base64url')}`
    this.presses.add(callbackId)
    const now = Date.now()
    return {
      update_type: 'message_callback',
      timestamp: now,
      callback: { timestamp: now, callback_id: callbackId, payload, user: personOf(customer) },
      message: {
        recipient: { chat_id: this.chatOf(token, customer).chatId, chat_type: 'dialog', user_id: customer.userId },
        timestamp: now,
        body: { mid, seq: now * 1000, text: this.sent.find((message) => message.mid === mid)?.text ?? '' },
        sender: { user_id: bot.userId, first_name: bot.firstName, username: bot.username, is_bot: true },
      },
      user_locale: 'ru',
    }
  }

  customerPresses(token: string, customer: MaxCustomer, mid: string, payload: string): void {
    void this.deliver(token, this.press(token, customer, mid, payload))
  }

  /** The customer opens the bot's chat with the button "Start". `payload`: the parameter of the link they followed. */
  start(token: string, customer: MaxCustomer, payload: string | null = null): void {
    const chat = this.chatOf(token, customer)
    const event = { chat_id: chat.chatId, user: personOf(customer), payload, timestamp: Date.now(), user_locale: 'ru' }
    void this.deliver(token, { update_type: 'bot_started', ...event })
  }

  /** The customer stops the bot: nothing more may be written to them. */
  stop(token: string, customer: MaxCustomer): void {
    const chat = this.chatOf(token, customer)
    chat.isStopped = true
    const event = { chat_id: chat.chatId, user: personOf(customer), timestamp: Date.now(), user_locale: 'ru' }
    void this.deliver(token, { update_type: 'bot_stopped', ...event })
  }

  /** @returns an attachment as a customer sends it */
  attachment(kind: 'image' | 'file' | 'audio', name: string, bytes: Uint8Array): object {
    const id = randomBytes(12).toString('hex')
    this.files.set(id, bytes)
    const payload = { url: `${this.url}/files/${id}`, token: randomBytes(20).toString('base64url') }
    return kind === 'file'
      ? { type: kind, payload, filename: name, size: bytes.length }
      : { type: kind, payload: kind === 'image' ? { ...payload, photo_id: randomInt(1e9) } : payload }
  }

  /** Delivers to every address, or keeps the update for polls. */
  async deliver(token: string, body: FakeMaxUpdate['body']): Promise<void> {
    const bot = this.bot(token)
    if (bot.subscription.length === 0) {
      bot.pending.push({ seq: bot.nextSeq++, body })
      return this.changed()
    }
    for (const { url, secret, types } of bot.subscription) {
      if (types && !types.includes(body.update_type)) continue
      await Promise.all(Array.from({ length: this.faults.copies }, () => this.#post(url, secret, body)))
      this.taken.push(JSON.stringify(body))
    }
    this.changed()
  }

  /** The messages sent to a chat, oldest first. */
  sentTo(chatId: number): MaxMessage[] {
    return this.sent.filter((message) => message.chatId === chatId)
  }

  mid(): string {
    return `mid.${randomBytes(16).toString('hex')}`
  }

  /** @throws after 20 seconds */
  async waitFor(isTrue: () => boolean, what: string): Promise<void> {
    if (isTrue()) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const look = () => isTrue() && resolve()
    const timer = setTimeout(() => reject(new Error(`the fake MAX waited in vain for ${what}`)), 20_000)
    this.#listeners.add(look)
    await promise.finally(() => {
      clearTimeout(timer)
      this.#listeners.delete(look)
    })
  }

  /** Resolves when something may have changed, or after so many milliseconds. */
  async change(withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, withinMs)
    this.#listeners.add(resolve)
    await promise
    clearTimeout(timer)
    this.#listeners.delete(resolve)
  }

  changed(): void {
    for (const look of this.#listeners) look()
  }

  async #post(url: string, secret: string | null, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json', ...(secret !== null && { 'x-max-bot-api-secret': secret }) }
    for (let pauseMs = RETRY_MS.first; !this.isClosed; pauseMs = Math.min(2 * pauseMs, RETRY_MS.last)) {
      const to = this.webhookOrigin === null ? url : this.webhookOrigin() + new URL(url).pathname
      const answer = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => null)
      if (answer?.status === 200) return
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
    }
  }
}

function personOf({ userId, firstName, lastName, username }: MaxCustomer) {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return {
    user_id: userId,
    first_name: firstName,
    ...(lastName && { last_name: lastName }),
    ...(username && { username }),
    is_bot: false,
    last_activity_time: Date.now(),
    name,
  }
}

async function handle(state: MaxState, request: http.IncomingMessage, response: http.ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url ?? '/', state.url)
  const control = /^\/control\/(\w+)$/.exec(url.pathname)?.[1]
  if (control) return drive(state, control, Buffer.concat(chunks).toString(), response)
  const left = new AbortController()
  response.once('close', () => left.abort())
  const answer = await answerMax(state, {
    verb: request.method ?? 'GET',
    url,
    token: request.headers.authorization ?? null,
    contentType: request.headers['content-type'] ?? '',
    bytes: Buffer.concat(chunks),
    left: left.signal,
  })
  if (answer === MAX_LOST) return request.socket.destroy()
  const { status, body } = answer
  if (body instanceof Uint8Array) return response.writeHead(status).end(body)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/xml' : 'application/json' }).end(text)
}

async function drive(state: MaxState, name: string, text: string, response: http.ServerResponse) {
  const given = JSON.parse(text || '[]') as unknown[]
  const method = (state as unknown as Record<string, unknown>)[name]
  if (typeof method !== 'function') return response.writeHead(404).end()
  const result: unknown = await method.apply(state, given)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result ?? null))
}

if (import.meta.main) {
  const fake = await startFakeMax({ port: Number(process.argv[2] ?? 0) })
  process.stdout.write(`${fake.url}\n`)
}
