// A strict stand-in for Avito's Messenger API on loopback: accounts, chats under ads, their messages, and the notifications of them,
// retried until they are accepted. What its calls check and answer is in avito-methods.ts.
// Alone: `node tests/fakes/avito/avito.ts [port]` prints its URL; `POST /control/<method>` with a JSON array of arguments drives it.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerAvito } from './avito-methods.ts'

/** Pauses between attempts to deliver, doubling up to the last. */
const RETRY_MS = { first: 50, last: 2000 }
/** A notification that is not answered within this time counts as not accepted. */
const ANSWER_MS = 2000

export type FakeAd = { id: number; title: string; priceString: string; url: string }
export type FakeAvitoCustomer = { id: number; name: string }
export type FakeAvitoMessage = {
  id: string
  authorId: number
  /** Seconds. */
  created: number
  type: string
  content: Record<string, unknown>
  /** Of a picture that we have sent. */
  file: { name: string; bytes: Uint8Array } | null
  isRead: boolean
}
export type FakeChat = {
  id: string
  type: 'u2i' | 'u2u' | 'a2u'
  customer: FakeAvitoCustomer
  ad: FakeAd | null
  /** Oldest first. */
  messages: FakeAvitoMessage[]
  /** The customer has blocked the account. */
  isBlocked: boolean
  /** How often the account has marked it as read. */
  reads: number
}
export type FakeAvitoAccount = {
  userId: number
  name: string
  clientId: string
  clientSecret: string
  /** Access token → when it expires, in milliseconds. */
  tokens: Map<string, number>
  /** Addresses that receive notifications, with the version of the notifications. */
  subscriptions: { url: string; version: string }[]
  chats: Map<string, FakeChat>
  /** Whether its subscription includes the messenger API. */
  hasMessenger: boolean
  images: Map<string, { name: string; bytes: Uint8Array }>
  voices: Map<string, Uint8Array>
}
export type AvitoFaults = {
  /** Refusals of the next messages of ours. */
  refusals: { status: number; message: string; retryAfter?: number }[]
  /** The next so many requests for an access token fail with a server error. */
  failedTokens: number
  /** The next so many requests for the subscriptions fail with a server error. */
  failedLists: number
  /** The next so many messages of ours arrive, but their answers are lost. */
  answersToDrop: number
  /** The answer to a message of ours comes only after the notification of it was taken. */
  tellsFirst: boolean
  /** Milliseconds until a message of ours is answered; it has arrived and its notification is sent before. */
  slowSendsMs: number
  /** The account's own messages are not notified. */
  hidesOwn: boolean
  /** How often each notification is sent. */
  copies: number
  /** Milliseconds that the request for a chat takes. */
  slowChatsMs: number
}
const noFaults = (): AvitoFaults => ({
  refusals: [],
  failedTokens: 0,
  failedLists: 0,
  answersToDrop: 0,
  tellsFirst: false,
  slowSendsMs: 0,
  hidesOwn: false,
  copies: 1,
  slowChatsMs: 0,
})
export type FakeAvito = Awaited<ReturnType<typeof startFakeAvito>>

export async function startFakeAvito(options: { port?: number; at?: () => number } = {}) {
  const state = new AvitoState(options.at ?? Date.now)
  const server = http.createServer((request, response) => void handle(state, request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  state.url = `http://127.0.0.1:${port}`
  return Object.assign(state, {
    async close() {
      state.isClosed = true
      server.closeAllConnections()
      server.close()
    },
  })
}

/** Accounts, chats and all messages. The methods are what a test drives the fake with. */
export class AvitoState {
  readonly now: () => number
  url = ''
  accounts = new Map<number, FakeAvitoAccount>()
  /** Method and path of every call. */
  calls: string[] = []
  /** Pictures and recordings, by the path at which they lie. */
  files = new Map<string, Uint8Array>()
  /** Notifications that were answered with 200. */
  taken: string[] = []
  /** Lifetime of an access token, in seconds. */
  tokenSeconds = 86_400
  /** Lists run from the oldest to the newest. */
  listsOldestFirst = false
  /** Lists of messages come in an object, as some accounts get them. */
  wrapsMessages = false
  faults = noFaults()
  /** Where notifications are really sent, when their public address leads nowhere: an origin such as `http://127.0.0.1:3000`. */
  webhookOrigin: (() => string) | null = null
  isClosed = false
  #listeners = new Set<() => void>()

  constructor(now: () => number) {
    this.now = now
  }

  /** An account of a business, with a key for its API. */
  addAccount(given: Partial<FakeAvitoAccount> = {}): FakeAvitoAccount {
    const account: FakeAvitoAccount = {
      userId: randomInt(10 ** 8, 10 ** 9),
      name: 'Parley Coffee',
      clientId: randomBytes(15).toString('base64url'),
      clientSecret: randomBytes(30).toString('base64url'),
      tokens: new Map(),
      subscriptions: [],
      chats: new Map(),
      hasMessenger: true,
      images: new Map(),
      voices: new Map(),
      ...given,
    }
    this.accounts.set(account.userId, account)
    return account
  }

  account(userId: number): FakeAvitoAccount {
    const account = this.accounts.get(userId)
    if (!account) throw new Error(`the fake has no account ${userId}`)
    return account
  }

  /** The chat of a customer about an ad, or about nothing; opened where there is none. */
  chat(
    userId: number,
    customer: FakeAvitoCustomer,
    ad: FakeAd | null = null,
    type: FakeChat['type'] = ad ? 'u2i' : 'u2u',
  ): FakeChat {
    const { chats } = this.account(userId)
    const known = [...chats.values()].find((one) => one.customer.id === customer.id && one.ad?.id === ad?.id)
    if (known) return known
    const id = `${type}-${randomBytes(16).toString('base64url').replaceAll('_', '~')}`
    const chat: FakeChat = { id, type, customer, ad, messages: [], isBlocked: false, reads: 0 }
    chats.set(id, chat)
    return chat
  }

  /** A customer writes. @returns the id of the message */
  customerSays(userId: number, customer: FakeAvitoCustomer, text: string, ad: FakeAd | null = null): string {
    return this.customerSends(userId, customer, { type: 'text', content: { text } }, ad)
  }

  /** A customer sends anything. @returns the id of the message */
  customerSends(
    userId: number,
    customer: FakeAvitoCustomer,
    content: Pick<FakeAvitoMessage, 'type' | 'content'>,
    ad: FakeAd | null = null,
  ): string {
    const chat = this.chat(userId, customer, ad)
    return this.add(userId, chat, { ...content, authorId: customer.id }).id
  }

  /** An operator answers in Avito's application. @returns the id of the message */
  ownerSays(userId: number, chatId: string, text: string): string {
    return this.add(userId, this.#chatOf(userId, chatId), { type: 'text', content: { text }, authorId: userId }).id
  }

  /** Adds a message to a chat, and notifies the subscribers. */
  add(
    userId: number,
    chat: FakeChat,
    content: Pick<FakeAvitoMessage, 'type' | 'content' | 'authorId'> & { file?: FakeAvitoMessage['file'] },
  ): FakeAvitoMessage & { notified: Promise<void> } {
    const message: FakeAvitoMessage = {
      ...{ id: randomBytes(16).toString('hex'), created: Math.floor(this.now() / 1000), file: null, isRead: false },
      ...content,
    }
    chat.messages.push(message)
    this.changed()
    const isHidden = this.faults.hidesOwn && content.authorId === userId
    const notified = isHidden ? Promise.resolve() : this.deliver(userId, this.notification(userId, chat, message))
    return { ...message, notified }
  }

  /** What is posted about a message. */
  notification(userId: number, chat: FakeChat, message: FakeAvitoMessage) {
    const value = {
      ...{ id: message.id, chat_id: chat.id, user_id: userId, author_id: message.authorId, created: message.created },
      ...{ type: message.type, chat_type: chat.type, content: message.content },
      ...(chat.ad && { item_id: chat.ad.id }),
      published_at: `${new Date(message.created * 1000).toISOString().slice(0, 19)}Z`,
    }
    const timestamp = Math.floor(this.now() / 1000)
    return { id: randomUUID(), version: 'v3.0.0', timestamp, payload: { type: 'message', value } }
  }

  /** Posts a notification to every subscriber, until it is accepted. */
  async deliver(userId: number, body: object): Promise<void> {
    const urls = this.account(userId).subscriptions.map(({ url }) => url)
    const posts = urls.flatMap((url) => Array.from({ length: this.faults.copies }, () => this.#post(url, body)))
    if (posts.length === 0) return
    await Promise.all(posts)
    this.taken.push(JSON.stringify(body))
    this.changed()
  }

  /** Serves a file without authentication. @returns its address */
  serve(bytes: Uint8Array, extension: string): string {
    const path = `/files/${randomBytes(9).toString('hex')}.${extension}`
    this.files.set(path, bytes)
    return this.url + path
  }

  /** The account's messages in a chat, oldest first: through the API and otherwise. */
  sentTo(userId: number, chatId: string): FakeAvitoMessage[] {
    return this.#chatOf(userId, chatId).messages.filter(({ authorId }) => authorId === userId)
  }

  /** How often a call was made whose path contains this. */
  countOf(part: string): number {
    return this.calls.filter((call) => call.includes(part)).length
  }

  /** @throws after 20 seconds */
  async waitFor(isTrue: () => boolean, what: string): Promise<void> {
    if (isTrue()) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const look = () => isTrue() && resolve()
    const timer = setTimeout(() => reject(new Error(`the fake Avito waited in vain for ${what}`)), 20_000)
    this.#listeners.add(look)
    await promise.finally(() => {
      clearTimeout(timer)
      this.#listeners.delete(look)
    })
  }

  changed(): void {
    for (const look of this.#listeners) look()
  }

  #chatOf(userId: number, chatId: string): FakeChat {
    const chat = this.account(userId).chats.get(chatId)
    if (!chat) throw new Error(`the fake has no chat ${chatId}`)
    return chat
  }

  /** The header is there, and its algorithm is known only to Avito. */
  async #post(url: string, body: object): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      'x-avito-messenger-signature': randomBytes(32).toString('hex'),
    }
    for (let pauseMs = RETRY_MS.first; !this.isClosed; pauseMs = Math.min(2 * pauseMs, RETRY_MS.last)) {
      const signal = AbortSignal.timeout(ANSWER_MS)
      const posting = { method: 'POST', headers, body: JSON.stringify(body), signal }
      const answer = await fetch(this.#reachable(url), posting).catch(() => null)
      if (answer?.status === 200) return
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
    }
  }

  #reachable(url: string): string {
    const { pathname, search } = new URL(url)
    return this.webhookOrigin === null ? url : this.webhookOrigin() + pathname + search
  }
}

async function handle(state: AvitoState, request: http.IncomingMessage, response: http.ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const url = new URL(request.url ?? '/', state.url)
  const control = /^\/control\/(\w+)$/.exec(url.pathname)?.[1]
  if (control) return drive(state, control, bytes.toString(), response)
  state.calls.push(`${request.method} ${url.pathname}`)
  const file = state.files.get(url.pathname)
  if (file) return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file)
  const answer = await answerAvito(state, {
    verb: request.method ?? 'GET',
    url,
    token: /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null,
    contentType: request.headers['content-type'] ?? '',
    bytes,
  })
  if (answer === null) return request.socket.destroy()
  const wait = answer.retryAfter === undefined ? {} : { 'retry-after': String(answer.retryAfter) }
  response.writeHead(answer.status, { 'content-type': 'application/json', ...wait }).end(JSON.stringify(answer.body))
}

async function drive(state: AvitoState, name: string, text: string, response: http.ServerResponse) {
  const given = JSON.parse(text || '[]') as unknown[]
  const method = (state as unknown as Record<string, unknown>)[name]
  if (typeof method !== 'function') return response.writeHead(404).end()
  const result: unknown = await method.apply(state, given)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result ?? null))
}

if (import.meta.main) {
  const fake = await startFakeAvito({ port: Number(process.argv[2] ?? 0) })
  process.stdout.write(`${fake.url}\n`)
}
