// A strict stand-in for the Telegram Bot API on loopback. It records what customers really sent and received, outside the server under
// test: a message is recorded before the call that sent it is answered.
// Alone: `node tests/fakes/telegram/telegram.ts [port]` prints its URL; `POST /control/<method>` with a JSON array of arguments drives it.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { refusing } from '#tests/fakes/refusing.ts'
import { BotApiError, botMethods, type FakeBot, type Update } from './telegram-methods.ts'

export type SentFile = { name: string; bytes: Uint8Array }
/** @source core.telegram.org/bots/api#messageentity */
export type SentEntity = { type: string; offset: number; length: number; url?: string; language?: string }

/** @source core.telegram.org/bots/api#inlinekeyboardbutton */
export type SentButton = { text: string; callback_data: string }

/** A message that a bot sent, as the customer's phone has it. */
export type SentMessage = {
  token: string
  chatId: string
  /** Empty for a voice message, a photo and a document. */
  text: string
  voice?: Uint8Array
  photo?: SentFile
  document?: SentFile
  /** How stretches of the text are shown; offsets in UTF-16 units. */
  entities?: SentEntity[]
  /** Buttons below it, row by row. */
  buttons?: SentButton[][]
  /** Of the topic of a group. */
  threadId?: number
  /** In the name of a business account. */
  businessConnectionId?: string
  messageId: number
  /** By `performance.now()`. */
  at: number
  /** The bot did not receive the answer that it has arrived. */
  isUnanswered?: boolean
}
/** A sender who writes to a bot; every field but the chat has a default. */
export type Customer = { chatId: number; firstName?: string; lastName?: string; username?: string; language?: string }

export type FakeTelegram = Awaited<ReturnType<typeof startFakeTelegram>>

const RETRY_DELAY_MS = 100
/** By which a webhook is posted to at the same time, where the order is left to chance. */
const CONNECTIONS = 16

/** Starts the fake on a free port, or on `port`. */
export async function startFakeTelegram(options: { port?: number } = {}) {
  const state = new TelegramState()
  const server = http.createServer((request, response) => void handle(state, request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    /** What `TELEGRAM_API_ROOT` is set to. */
    url: `http://127.0.0.1:${port}`,
    /** Refuses new connections for so many milliseconds. */
    refuseConnections: refusing(server),
    async close() {
      state.isClosed = true
      server.closeAllConnections()
      server.close()
    },
  })
}

/** Bots, chats and everything that was sent. The methods are what a test says to the fake; what a bot says is in telegram-methods.ts. */
export class TelegramState {
  bots = new Map<string, FakeBot>()
  sent: SentMessage[] = []
  typing: { token: string; chatId: string; at: number }[] = []
  /** Calls of the Bot API as `method chatId`, refused ones included. */
  calls: { method: string; chatId: string | null; at: number }[] = []
  /** Updates that the server has taken: webhook answered 200, or confirmed with an offset. */
  acknowledged = new Set<number>()
  /** Where webhooks are really posted, when their public address leads nowhere: an origin such as `http://127.0.0.1:3000`. */
  webhookOrigin: (() => string) | null = null
  /** Posts one update; a replacement may lose the answer, or post it twice. @returns whether it was accepted */
  post: (webhook: { url: string; secret: string }, update: Update) => Promise<boolean> = postUpdate
  /** Updates of one chat wait for each other on their way to a webhook; otherwise each goes by any of its connections. */
  isOrdered = true
  /** Sends that began while another to the same chat was not answered yet: their order is left to chance. */
  overlappingSends = 0
  /** Chats with a send that is not answered yet. */
  sendingTo = new Set<string>()
  isClosed = false
  /** Open topics of groups, as `chat/topic`. */
  topics = new Set<string>()
  /** Presses of buttons that are not answered yet, and what customers were shown for those that are; null: nothing. */
  presses = new Map<string, { notice: string | null } | 'open'>()
  /** What customers have sent besides text: file id → its path at the file server and its bytes. */
  files = new Map<string, { path: string; bytes: Uint8Array }>()
  /** Files that were given out, oldest first. */
  downloads: string[] = []
  faults = {
    /** Chat → time until which sending to it is answered with 429. */
    rateLimitedUntil: new Map<string, number>(),
    blocked: new Set<string>(),
    /** Groups that have become supergroups, and the number that each has now. */
    grown: new Map<string, number>(),
    /** The next so many sends arrive, but their answers are lost. */
    answersToDrop: 0,
    /** Share of sends, 0 to 1, that arrive but whose answers are lost. */
    dropRate: 0,
    /** Share of polls, 0 to 1, whose answers are lost. */
    pollDropRate: 0,
    /** The next so many sends are answered with this status before anything is written. */
    refusals: { count: 0, status: 500 },
    /** Milliseconds before a send is answered. */
    answerDelayMs: 0,
    /** Formatting is refused, as it is when Telegram understands it otherwise. */
    refusesEntities: false,
    /** Every method is answered by the machine before Telegram, as in an outage. */
    isDown: false,
    /** The next so many files are not given out. */
    downloadsToFail: 0,
  }
  /** Polls that wait for something to happen. */
  pollers = new Set<NonNullable<FakeBot['poller']>>()
  private listeners = new Set<() => void>()
  private chats = new Map<string, Promise<void>>()
  private underWay = 0

  /** A bot that BotFather has just made. */
  addBot(token = randomToken()): FakeBot {
    const bot: FakeBot = {
      id: Number(token.split(':')[0]),
      token,
      username: `parley_${token.split(':')[0]}_bot`,
      webhook: null,
      allowedUpdates: null,
      lastError: null,
      businesses: new Map(),
      pending: [],
      poller: null,
      nextUpdateId: 1 + Math.floor(Math.random() * 900_000_000),
      nextMessageId: 1,
      knownChats: new Set(),
      menus: new Map(),
    }
    this.bots.set(token, bot)
    return bot
  }

  /** BotFather's /revoke: the same bot, with what waits for it, by a new token. The old one is unknown from now on. */
  renewToken(token: string): FakeBot {
    const bot = this.bot(token)
    this.bots.delete(token)
    bot.token = `${bot.id}:${randomToken().split(':')[1]}`
    this.bots.set(bot.token, bot)
    bot.poller?.wake()
    return bot
  }

  /** The token is unknown from now on. */
  revoke(token: string): void {
    this.bots.delete(token)
  }

  /** A customer writes to the bot. @returns the number of the update */
  customerSays(token: string, from: Customer | number, text: string): number {
    return this.push(token, this.textUpdate(token, from, text))
  }

  /** The update of a customer's message, for tests that deliver it themselves. */
  textUpdate(token: string, from: Customer | number, text: string): Update {
    const customer = typeof from === 'number' ? { chatId: from } : from
    const bot = this.bot(token)
    bot.knownChats.add(String(customer.chatId))
    return this.update(token, {
      message: {
        message_id: bot.nextMessageId++,
        date: Math.floor(Date.now() / 1000),
        chat: { id: customer.chatId, type: 'private', first_name: customer.firstName ?? 'Customer' },
        from: {
          id: customer.chatId,
          is_bot: false,
          first_name: customer.firstName ?? 'Customer',
          ...(customer.lastName ? { last_name: customer.lastName } : {}),
          ...(customer.username ? { username: customer.username } : {}),
          language_code: customer.language ?? 'en',
        },
        text,
      },
    })
  }

  /**
   * A customer sends something besides text.
   * @param content the fields of the message, such as `{ voice: { file_id, duration } }` @param bytes of the file that they name
   */
  customerSends(token: string, from: Customer | number, content: Record<string, unknown>, bytes?: Uint8Array): number {
    const update = this.textUpdate(token, from, '') as Update & { message: Record<string, unknown> }
    const { text: _, ...message } = update.message
    if (bytes) {
      const fileId = `file-${update.update_id}`
      const path = `documents/${fileId}.bin`
      this.files.set(fileId, { path, bytes })
      const named = JSON.stringify(content).replaceAll('"$file"', JSON.stringify(fileId))
      return this.push(token, { ...update, message: { ...message, ...(JSON.parse(named) as object) } } as Update)
    }
    return this.push(token, { ...update, message: { ...message, ...content } } as Update)
  }

  /** Any other update, for example of a kind that does not exist. */
  update(token: string, body: object): Update {
    return { update_id: this.bot(token).nextUpdateId++, ...body }
  }

  /** Brings an update to the bot's server, by webhook or for the next poll. @returns its number */
  push(token: string, update: Update): number {
    const bot = this.bot(token)
    const [kind] = Object.keys(update).filter((name) => name !== 'update_id')
    if (bot.allowedUpdates && kind !== undefined && !bot.allowedUpdates.includes(kind)) return update.update_id
    if (bot.webhook) this.deliverSoon(bot, update)
    else {
      bot.pending.push(update)
      bot.poller?.wake()
    }
    this.changed()
    return update.update_id
  }

  /** Nothing is on its way to a webhook. */
  isQuiet(): boolean {
    return this.underWay === 0
  }

  /** The bot's server has taken, and confirmed, every message sent to it. */
  isTaken(token: string): boolean {
    return this.isQuiet() && this.bot(token).pending.length === 0
  }

  /** Everything a chat received, in order. */
  sentTo(chatId: number | string): SentMessage[] {
    return this.sent.filter((message) => message.chatId === String(chatId))
  }

  /** Tries to send to a chat, refused ones included. */
  callsTo(chatId: number | string) {
    return this.calls.filter((call) => call.method === 'sendMessage' && call.chatId === String(chatId))
  }

  /** Waits until a chat has received so many messages. @throws after `limitMs` */
  async waitForSent(chatId: number | string, count = 1, limitMs = 45_000): Promise<SentMessage[]> {
    await this.waitFor(() => this.sentTo(chatId).length >= count, `${count} messages in chat ${chatId}`, limitMs)
    return this.sentTo(chatId)
  }

  /** Waits until something holds; checked after each event of the fake. @throws after `limitMs` */
  async waitFor(holds: () => boolean, what: string, limitMs = 45_000): Promise<void> {
    if (holds()) return
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.listeners.delete(check)
        reject(new Error(`the fake Telegram waited ${limitMs} ms in vain for ${what}`))
      }, limitMs)
      const check = () => {
        if (!holds()) return
        clearTimeout(timer)
        this.listeners.delete(check)
        resolve()
      }
      this.listeners.add(check)
    })
  }

  /** Long polls end, as they do when Telegram restarts. */
  endPolls(): void {
    for (const poller of this.pollers) poller.wake()
  }

  /** Sending to the chat is refused with 429 for so many seconds. */
  rateLimit(chatId: number | string, seconds: number): void {
    this.faults.rateLimitedUntil.set(String(chatId), Date.now() + seconds * 1000)
  }

  /** The customer blocks the bot. */
  block(chatId: number | string): void {
    this.faults.blocked.add(String(chatId))
  }

  /** The next sends arrive, and their answers are lost. */
  dropAnswers(count: number): void {
    this.faults.answersToDrop = count
  }

  bot(token: string): FakeBot {
    const bot = this.bots.get(token)
    if (!bot) throw new BotApiError(401, 'Unauthorized')
    return bot
  }

  /** Wakes those who wait for an event. */
  changed(): void {
    for (const listener of [...this.listeners]) listener()
  }

  /** Hands what is pending to a webhook that was just set. */
  flushPending(bot: FakeBot): void {
    const waiting = bot.pending.splice(0)
    for (const update of waiting) this.deliverSoon(bot, update)
  }

  /** Updates of one chat go out one after another, each again and again until it is answered with 200. */
  private deliverSoon(bot: FakeBot, update: Update): void {
    const way = this.isOrdered ? chatOf(update) : `any ${Math.floor(Math.random() * CONNECTIONS)}`
    const chat = `${bot.token} ${way}`
    const before = this.chats.get(chat) ?? Promise.resolve()
    this.underWay++
    const delivered = before
      .then(() => this.deliver(bot, update))
      .finally(() => {
        this.underWay--
        this.changed()
      })
    this.chats.set(chat, delivered)
  }

  /** The webhook at an address that exists on this machine. */
  reachable(webhook: { url: string; secret: string }): { url: string; secret: string } {
    if (this.webhookOrigin === null) return webhook
    const { pathname } = new URL(webhook.url)
    return { ...webhook, url: `${this.webhookOrigin()}${pathname}` }
  }

  private async deliver(bot: FakeBot, update: Update): Promise<void> {
    while (!this.isClosed) {
      if (!bot.webhook) {
        bot.pending.push(update)
        bot.poller?.wake()
        return
      }
      if (await this.post(this.reachable(bot.webhook), update)) {
        this.acknowledged.add(update.update_id)
        return
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
    }
  }
}

/** Posts one update the way Telegram does. @returns whether it was taken */
export async function postUpdate(webhook: { url: string; secret: string }, update: unknown): Promise<boolean> {
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': webhook.secret }
  try {
    const response = await fetch(webhook.url, { method: 'POST', headers, body: JSON.stringify(update) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** A token of the right shape that no other test uses. */
export function randomToken(): string {
  const letters = Array.from({ length: 35 }, () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(Math.random() * 26)])
  return `${100_000_000 + Math.floor(Math.random() * 800_000_000)}:${letters.join('')}`
}

function chatOf(update: object): string {
  const contents = Object.values(update) as { chat?: { id?: number }; message?: { chat?: { id?: number } } }[]
  const chat = contents.map((content) => content?.chat ?? content?.message?.chat).find((found) => found !== undefined)
  return String(chat?.id ?? 0)
}

async function handle(state: TelegramState, request: http.IncomingMessage, response: http.ServerResponse) {
  const path = new URL(request.url ?? '/', 'http://fake').pathname
  if (path.startsWith('/file/bot')) return giveFile(state, path, response)
  const body = await readBody(request)
  if (path.startsWith('/control/')) return answerControl(state, path.slice('/control/'.length), body, response)
  const match = /^\/bot([^/]+)\/(\w+)$/.exec(path)
  if (!match) return answer(response, 404, { ok: false, error_code: 404, description: 'Not Found' })
  const gone = new Promise<void>((resolve) => response.on('close', resolve))
  if (state.faults.isDown) return answer(response, 502, { ok: false, error_code: 502, description: 'Bad Gateway' })
  try {
    const result = await botMethods(state, match[2] ?? '', state.bot(match[1] ?? ''), body, gone)
    if (result.isAnswerLost) return void response.destroy()
    answer(response, 200, { ok: true, result: result.value })
  } catch (error) {
    const failure = error instanceof BotApiError ? error : new BotApiError(500, String(error))
    answer(response, failure.code, {
      ok: false,
      error_code: failure.code,
      description: failure.description,
      ...(failure.parameters ? { parameters: failure.parameters } : {}),
    })
  }
}

/** `/file/bot<token>/<file_path>`: known bots only, and only what was announced by getFile. */
function giveFile(state: TelegramState, path: string, response: http.ServerResponse): void {
  const [, token = '', filePath = ''] = /^\/file\/bot([^/]+)\/(.+)$/.exec(path) ?? []
  const found = [...state.files].find(([, file]) => file.path === filePath)
  const isFailing = state.faults.downloadsToFail > 0
  if (isFailing) state.faults.downloadsToFail--
  if (isFailing || !state.bots.has(token) || !found) {
    answer(response, isFailing ? 502 : 404, { ok: false })
    return
  }
  state.downloads.push(found[0])
  response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found[1].bytes)
}

/** JSON, or a form with a file as the fields of an object. */
async function readBody(request: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  if (chunks.length === 0) return {}
  const contentType = request.headers['content-type'] ?? ''
  if (contentType.startsWith('multipart/form-data'))
    return readForm(Buffer.concat(chunks), contentType).catch(() => null)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    return null
  }
}

/** A field `attach://id` stands for the file of the form that has this id. */
async function readForm(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  const fields = [...form].filter(([, value]) => typeof value === 'string') as [string, string][]
  return Object.fromEntries(
    fields.map(([name, value]) => [name, value.startsWith('attach://') ? form.get(value.slice(9)) : value]),
  )
}

function answer(response: http.ServerResponse, status: number, value: unknown): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value) ?? 'null')
}

/** What a test in another process may say and ask. A mistake of who drives the fake, such as an unknown token, is an answer like any other: the fake goes on. */
function answerControl(state: TelegramState, method: string, args: unknown, response: http.ServerResponse): void {
  try {
    answer(response, 200, control(state, method, args))
  } catch (error) {
    answer(response, 400, { error: error instanceof Error ? error.message : String(error) })
  }
}

function control(state: TelegramState, method: string, args: unknown): unknown {
  const [a, b, c] = Array.isArray(args) ? args : []
  switch (method) {
    case 'addBot':
      return { username: state.addBot(a).username }
    case 'revoke':
      return state.revoke(a)
    case 'customerSays':
      return state.customerSays(a, b, c)
    case 'sent':
      return a === undefined ? state.sent : state.sentTo(a)
    case 'acknowledged':
      return [...state.acknowledged]
    case 'faults':
      return Object.assign(state.faults, a)
    default:
      throw new Error(`the fake Telegram knows no control method ${method}`)
  }
}

if (import.meta.main) {
  const fake = await startFakeTelegram({ port: Number(process.argv[2] ?? 0) })
  console.log(fake.url)
}
