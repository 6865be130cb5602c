// A strict stand-in for Meta's Instagram API with Instagram Login on loopback: accounts and their apps, what customers sent and received,
// and the deliveries, signed, retried until they are accepted. Everything that an account sends is delivered too, as an echo. What its
// calls check and answer is in instagram-methods.ts.
// Alone: `node tests/fakes/instagram/instagram.ts [port]` prints its URL; `POST /control/<method>` with a JSON array of arguments drives it.
import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerInstagram, INSTAGRAM_VERSION } from './instagram-methods.ts'

const DAY_MS = 24 * 3_600_000
/** Pauses between attempts to deliver, doubling up to the last. */
const RETRY_MS = { first: 50, last: 2000 }

type Webhook = { url: string; verifyToken: string }
/** An app of Meta's: it delivers what concerns any of its accounts to one address. */
export type FakeInstagramApp = { secret: string; webhook: Webhook | null }
export type FakeAccount = {
  /** Its id in deliveries. */
  userId: string
  /** Its id in the app itself, which is another number. */
  id: string
  username: string
  /** The newest; those before it are valid too. */
  accessToken: string
  /** When it was made. */
  tokenMadeAt: number
  olderTokens: string[]
  app: FakeInstagramApp
  /** The fields of its webhook. */
  subscribedFields: string[]
  /** When each customer last wrote. */
  heardAt: Map<string, number>
  /** Who has written. */
  customers: Map<string, InstagramCustomer>
}
/** `id`: as this account's app names them. */
export type InstagramCustomer = { id: string; name: string; username: string }
/** What a customer's phone shows. */
export type InstagramMessage = {
  account: string
  to: string
  id: string
  text: string
  /** Below the message, until the next one. */
  quickReplies: { title: string; payload: string }[]
  file: { type: string; url: string; bytes: Uint8Array } | null
  at: number
}
export type InstagramFaults = {
  /** Refusals of the next sends. */
  refusals: { status: number; code: number; subcode?: number }[]
  /** The next so many subscriptions of an account fail with a server error. */
  failedSubscriptions: number
  /** Subscriptions of accounts are refused for good, as those of a new account may be. */
  refusesSubscriptions: boolean
  /** Subscriptions of accounts are answered as done, and nothing is subscribed. */
  forgetsSubscriptions: boolean
  /** The next so many sends arrive, but their answers are lost. */
  answersToDrop: number
  /** The next so many requests for a customer's profile are refused. */
  hiddenProfiles: number
  /** How often each delivery is sent. */
  copies: number
  /** Whether the echo of a message is delivered before its sending is answered: it may be either way. */
  echoes: 'early' | 'late'
}
export const NO_INSTAGRAM_FAULTS: InstagramFaults = {
  refusals: [],
  failedSubscriptions: 0,
  refusesSubscriptions: false,
  forgetsSubscriptions: false,
  answersToDrop: 0,
  hiddenProfiles: 0,
  copies: 1,
  echoes: 'early',
}
export type FakeInstagram = Awaited<ReturnType<typeof startFakeInstagram>>
type Event = Record<string, unknown>

export async function startFakeInstagram(options: { port?: number; at?: () => number } = {}) {
  const state = new InstagramState(options.at ?? Date.now)
  const server = http.createServer((request, response) => void handle(state, request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  state.origin = `http://127.0.0.1:${port}`
  return Object.assign(state, {
    /** With the version. */
    graphUrl: `${state.origin}/${INSTAGRAM_VERSION}`,
    async close() {
      state.isClosed = true
      server.closeAllConnections()
      server.close()
    },
  })
}

/** Accounts, chats and everything that was sent. Tests drive the fake through the methods. */
export class InstagramState {
  readonly now: () => number
  origin = ''
  accounts = new Map<string, FakeAccount>()
  sent: InstagramMessage[] = []
  /** Customers who were shown typing. */
  typing: string[] = []
  /** When typing was last shown. */
  typedAt = 0
  /** Files that customers have sent, by their path. */
  files = new Map<string, Uint8Array>()
  /** Deliveries that were answered with 200. */
  taken: string[] = []
  faults: InstagramFaults = { ...NO_INSTAGRAM_FAULTS, refusals: [] }
  /** Where deliveries are really sent, when their public address leads nowhere: an origin such as `http://127.0.0.1:3000`. */
  webhookOrigin: (() => string) | null = null
  isClosed = false
  #listeners = new Set<() => void>()

  constructor(now: () => number) {
    this.now = now
  }

  /** A professional account with an app that may use it. */
  addAccount(given: Partial<FakeAccount> = {}): FakeAccount {
    const digits = (length: number) => Array.from({ length }, () => randomInt(1, 10)).join('')
    const account: FakeAccount = {
      userId: `17841${digits(12)}`,
      id: digits(17),
      username: 'parley.coffee',
      accessToken: this.newToken(),
      tokenMadeAt: this.now(),
      olderTokens: [],
      app: { secret: randomBytes(16).toString('hex'), webhook: null },
      subscribedFields: [],
      heardAt: new Map(),
      customers: new Map(),
      ...given,
    }
    this.accounts.set(account.userId, account)
    return account
  }

  newToken(): string {
    return `IGAA${randomBytes(70).toString('base64url').replaceAll(/[-_]/g, 'Z')}`
  }

  account(userId: string): FakeAccount {
    const account = this.accounts.get(userId)
    if (!account) throw new Error(`the fake has no account ${userId}`)
    return account
  }

  /** A person enters an address in the dashboard of the app: it has to answer. @returns whether it was accepted */
  async enterWebhook(userId: string, webhook: Webhook): Promise<boolean> {
    const challenge = String(randomInt(1, 2 ** 31))
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': challenge,
      'hub.verify_token': webhook.verifyToken,
    })
    const answer = await fetch(`${this.reachable(webhook.url)}?${query}`).catch(() => null)
    const isAccepted = answer?.status === 200 && (await answer.text()) === challenge
    if (isAccepted) this.account(userId).app.webhook = webhook
    return isAccepted
  }

  /** A customer writes. @returns the id of the message */
  customerSays(userId: string, customer: InstagramCustomer, text: string, more: object = {}): string {
    return this.customerSends(userId, customer, { text, ...more })
  }

  /** A customer sends anything. @returns the id of the message */
  customerSends(userId: string, customer: InstagramCustomer, content: object): string {
    const { mid, body } = this.message(userId, customer, content)
    void this.deliver(userId, 'messages', body)
    return mid
  }

  /** The delivery of a customer's message. */
  message(userId: string, customer: InstagramCustomer, content: object) {
    const account = this.account(userId)
    const mid = this.messageId()
    account.heardAt.set(customer.id, this.now())
    account.customers.set(customer.id, customer)
    return { mid, body: this.event(userId, customer.id, { message: { mid, ...content } }) }
  }

  /** The customer does something else: reads, edits, presses a button of a template, reacts. */
  customerDoes(userId: string, { id }: InstagramCustomer, field: string, event: Event): void {
    void this.deliver(userId, field, this.event(userId, id, event))
  }

  /** A person answers in Instagram itself. @returns the id of the message */
  ownerSays(userId: string, to: string, text: string): string {
    const mid = this.messageId()
    void this.deliver(userId, 'messages', this.echo(userId, to, { mid, text }))
    return mid
  }

  /** The delivery of what the account itself has sent. */
  echo(userId: string, to: string, message: object): object {
    return this.#delivery(userId, {
      sender: { id: userId },
      recipient: { id: to },
      message: { ...message, is_echo: true },
    })
  }

  /** The delivery of something that a customer did. */
  event(userId: string, customerId: string, event: Event): object {
    return this.#delivery(userId, { sender: { id: customerId }, recipient: { id: userId }, ...event })
  }

  /** Signs a delivery and posts it until it is taken, if the account is subscribed to what it tells. */
  async deliver(userId: string, field: string, body: object, tried?: () => void): Promise<void> {
    const { subscribedFields, app } = this.account(userId)
    const { webhook } = app
    if (!webhook || !subscribedFields.includes(field)) return tried?.()
    const copies = Array.from({ length: this.faults.copies }, () => this.#post(webhook.url, app.secret, body, tried))
    await Promise.all(copies)
    this.taken.push(JSON.stringify(body))
    this.changed()
  }

  /** Waits for the first attempt only. */
  async deliverOnce(userId: string, field: string, body: object): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    void this.deliver(userId, field, body, resolve)
    await promise
  }

  /** The messages sent to a chat, oldest first. */
  sentTo(customerId: string): InstagramMessage[] {
    return this.sent.filter(({ to }) => to === customerId)
  }

  /** Moves a customer's reply window forward by so many milliseconds. */
  lapse(userId: string, customerId: string, ms = DAY_MS + 1000): void {
    const { heardAt } = this.account(userId)
    heardAt.set(customerId, (heardAt.get(customerId) ?? 0) - ms)
  }

  isOpen(account: FakeAccount, customerId: string): boolean {
    return (account.heardAt.get(customerId) ?? 0) > this.now() - DAY_MS
  }

  messageId(): string {
    return `aWdfZAG1${randomBytes(60).toString('base64url').replaceAll(/[-_]/g, 'Z')}`
  }

  /** The address of a file that a customer has sent. */
  addFile(name: string, bytes: Uint8Array): string {
    const path = `/ig_messaging_cdn/${this.files.size}/${encodeURIComponent(name)}`
    this.files.set(path, bytes)
    return this.origin + path
  }

  /** @throws after 20 seconds */
  async waitFor(isTrue: () => boolean, what: string): Promise<void> {
    if (isTrue()) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const look = () => isTrue() && resolve()
    const timer = setTimeout(() => reject(new Error(`the fake Instagram waited in vain for ${what}`)), 20_000)
    this.#listeners.add(look)
    await promise.finally(() => {
      clearTimeout(timer)
      this.#listeners.delete(look)
    })
  }

  changed(): void {
    for (const look of this.#listeners) look()
  }

  #delivery(userId: string, event: Event) {
    const time = this.now()
    return { object: 'instagram', entry: [{ time, id: userId, messaging: [{ ...event, timestamp: time }] }] }
  }

  async #post(url: string, secret: string, body: object, tried?: () => void): Promise<void> {
    const text = JSON.stringify(body)
    const signature = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
    for (let pauseMs = RETRY_MS.first; !this.isClosed; pauseMs = Math.min(2 * pauseMs, RETRY_MS.last)) {
      const answer = await fetch(this.reachable(url), { method: 'POST', headers, body: text }).catch(() => null)
      tried?.()
      if (answer?.status === 200) return
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
    }
  }

  /** The real target of an address. */
  reachable(url: string): string {
    return this.webhookOrigin === null ? url : this.webhookOrigin() + new URL(url).pathname
  }
}

async function handle(state: InstagramState, request: http.IncomingMessage, response: http.ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url ?? '/', state.origin)
  const control = /^\/control\/(\w+)$/.exec(url.pathname)?.[1]
  if (control) return drive(state, control, Buffer.concat(chunks).toString(), response)
  const answer = await answerInstagram(state, {
    verb: request.method ?? 'GET',
    url,
    token: /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null,
    contentType: request.headers['content-type'] ?? '',
    text: Buffer.concat(chunks).toString(),
  })
  if (answer === null) return request.socket.destroy()
  const isFile = answer.body instanceof Uint8Array
  const body = isFile ? (answer.body as Uint8Array) : Buffer.from(JSON.stringify(answer.body))
  response
    .writeHead(answer.status, { 'content-type': isFile ? 'application/octet-stream' : 'application/json' })
    .end(body)
}

async function drive(state: InstagramState, name: string, text: string, response: http.ServerResponse) {
  const given = JSON.parse(text || '[]') as unknown[]
  const method = (state as unknown as Record<string, unknown>)[name]
  if (typeof method !== 'function') return response.writeHead(404).end()
  const result: unknown = await method.apply(state, given)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result ?? null))
}

if (import.meta.main) {
  const fake = await startFakeInstagram({ port: Number(process.argv[2] ?? 0) })
  process.stdout.write(`${fake.origin}\n`)
}
