// A strict stand-in for Meta's Cloud API on loopback: the numbers, what customers sent and received, and the deliveries, signed, retried
// until they are accepted. What its calls check and answer is in whatsapp-cloud-methods.ts.
// Alone: `node tests/fakes/whatsapp-cloud/whatsapp-cloud.ts [port]` prints its URL; `POST /control/<method>` with a JSON array of arguments drives it.
import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerGraph } from './whatsapp-cloud-methods.ts'

export const GRAPH_VERSION = 'v24.0'
const DAY_MS = 24 * 3_600_000
/** Pauses between attempts to deliver, doubling up to the last. */
const RETRY_MS = { first: 50, last: 2000 }

/** A template as the business has it. */
export type FakeTemplate = { name: string; language: string; status: string; category: string; components: object[] }
type Webhook = { url: string; verifyToken: string }
export type FakeNumber = {
  phoneNumberId: string
  accountId: string
  accessToken: string
  appSecret: string
  /** Of the app that the token was made with. */
  appId: string
  /** As people write it. */
  phone: string
  verifiedName: string
  quality: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'
  status: string
  /** Of the app, as its dashboard has it; null: none is entered. */
  appWebhook: Webhook | null
  /** Of this number alone; null: none. */
  webhook: Webhook | null
  isSubscribed: boolean
  /** Other apps subscribed to the account, by their ids. */
  otherApps: string[]
  templates: FakeTemplate[]
  files: Map<string, { bytes: Uint8Array; mimeType: string; name: string }>
  /** When each customer last wrote. */
  heardAt: Map<string, number>
}
/** What a customer's phone shows. */
export type CloudMessage = {
  phoneNumberId: string
  to: string
  id: string
  type: string
  text: string
  /** Buttons or rows, by their ids. */
  choices: { id: string; title: string }[]
  file: { name: string; bytes: Uint8Array } | null
  template: { name: string; language: string; words: string[] } | null
  at: number
}
export type CloudFaults = {
  /** The next sends are refused so: HTTP status and number of the error. */
  refusals: { status: number; code: number }[]
  /** The next so many subscriptions of an account fail with a server error. */
  failedSubscriptions: number
  /** Accounts cannot be subscribed, for good. */
  refusesSubscriptions: boolean
  /** Subscribing reports success without taking effect. */
  forgetsSubscriptions: boolean
  /** The next so many sends arrive, but their answers are lost. */
  answersToDrop: number
  /** How often each delivery is sent. */
  copies: number
}
export const NO_FAULTS: CloudFaults = {
  refusals: [],
  failedSubscriptions: 0,
  refusesSubscriptions: false,
  forgetsSubscriptions: false,
  answersToDrop: 0,
  copies: 1,
}
/** `userId`: an id of their own, sent as well. `hidesPhone`: only the id is sent. */
export type CloudCustomer = { phone: string; name: string; userId?: string; hidesPhone?: boolean }
export type FakeWhatsappCloud = Awaited<ReturnType<typeof startFakeWhatsappCloud>>

export async function startFakeWhatsappCloud(options: { port?: number; at?: () => number } = {}) {
  const state = new WhatsappCloudState(options.at ?? Date.now)
  const server = http.createServer((request, response) => void handle(state, request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  state.origin = `http://127.0.0.1:${port}`
  return Object.assign(state, {
    /** With the version. */
    graphUrl: `${state.origin}/${GRAPH_VERSION}`,
    async close() {
      state.isClosed = true
      server.closeAllConnections()
      server.close()
    },
  })
}

/** A press of a button under the message with this id. */
export function pressOf(id: string, button_reply: unknown): object {
  return { type: 'interactive', interactive: { type: 'button_reply', button_reply }, context: { id } }
}

/** Numbers, chats and everything that was sent. Tests drive the fake through the methods. */
export class WhatsappCloudState {
  readonly now: () => number
  origin = ''
  numbers = new Map<string, FakeNumber>()
  sent: CloudMessage[] = []
  /** Ids of messages that were shown as read, and those under which typing was shown. */
  read: string[] = []
  typing: string[] = []
  /** When typing was last shown. */
  typedAt = 0
  /** Messages of customers, and receipts, that were answered with 200. */
  taken: string[] = []
  faults: CloudFaults = { ...NO_FAULTS, refusals: [] }
  /** Where deliveries are really sent, when their public address leads nowhere: an origin such as `http://127.0.0.1:3000`. */
  webhookOrigin: (() => string) | null = null
  isClosed = false
  #listeners = new Set<() => void>()

  constructor(now: () => number) {
    this.now = now
  }

  /** A number as a business has it, with an app that may use it. */
  addNumber(given: Partial<FakeNumber> = {}): FakeNumber {
    const digits = (length: number) => Array.from({ length }, () => randomInt(1, 10)).join('')
    const number: FakeNumber = {
      phoneNumberId: digits(15),
      accountId: digits(15),
      accessToken: `EAA${randomBytes(60).toString('hex')}`,
      appSecret: randomBytes(16).toString('hex'),
      appId: digits(15),
      phone: '+7 700 900-00-00',
      verifiedName: 'Parley Coffee',
      quality: 'GREEN',
      status: 'CONNECTED',
      appWebhook: null,
      webhook: null,
      isSubscribed: false,
      otherApps: [],
      templates: [],
      files: new Map(),
      heardAt: new Map(),
      ...given,
    }
    this.numbers.set(number.phoneNumberId, number)
    return number
  }

  number(phoneNumberId: string): FakeNumber {
    const number = this.numbers.get(phoneNumberId)
    if (!number) throw new Error(`the fake has no number ${phoneNumberId}`)
    return number
  }

  /** A person enters an address in the dashboard of the app: it has to answer. @returns whether it was accepted */
  async enterWebhook(phoneNumberId: string, webhook: Webhook): Promise<boolean> {
    const isAccepted = await this.shakesHands(webhook)
    if (isAccepted) this.number(phoneNumberId).appWebhook = webhook
    return isAccepted
  }

  async shakesHands({ url, verifyToken }: Webhook): Promise<boolean> {
    const challenge = String(randomInt(1, 2 ** 31))
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': verifyToken,
      'hub.challenge': challenge,
    })
    const answer = await fetch(`${this.#reachable(url)}?${query}`).catch(() => null)
    return answer?.status === 200 && (await answer.text()) === challenge
  }

  /** A customer writes. @returns the id of the message */
  customerSays(phoneNumberId: string, customer: CloudCustomer, text: string, more: object = {}): string {
    return this.customerSends(phoneNumberId, customer, { type: 'text', text: { body: text }, ...more })
  }

  /** A customer sends anything. @returns the id of the message */
  customerSends(phoneNumberId: string, customer: CloudCustomer, content: object): string {
    const body = this.message(phoneNumberId, customer, content)
    const { heardAt } = this.number(phoneNumberId)
    for (const id of [customer.phone, customer.userId]) if (id !== undefined) heardAt.set(id, this.now())
    void this.deliver(phoneNumberId, body)
    return body.entry[0]?.changes[0]?.value.messages?.[0]?.id ?? ''
  }

  /** The delivery of a customer's message. */
  message(phoneNumberId: string, { phone, name, userId, hidesPhone }: CloudCustomer, content: object) {
    const from = { ...(!hidesPhone && { from: phone }), ...(userId && { from_user_id: userId }) }
    const message = { ...from, id: this.messageId(), timestamp: this.#seconds(), type: 'text', ...content }
    const ids = { ...(!hidesPhone && { wa_id: phone }), ...(userId && { user_id: userId }) }
    return this.#delivery(phoneNumberId, 'messages', {
      contacts: [{ profile: { name }, ...ids }],
      messages: [message],
    })
  }

  /** An operator answers from the app on the phone. */
  ownerSays(phoneNumberId: string, to: string, text: string): void {
    const { phone } = this.number(phoneNumberId)
    const from = phone.replaceAll(/\D/g, '')
    const echo = { from, to, id: this.messageId(), timestamp: this.#seconds(), type: 'text', text: { body: text } }
    void this.deliver(phoneNumberId, this.#delivery(phoneNumberId, 'smb_message_echoes', { message_echoes: [echo] }))
  }

  /** What becomes of a message that was taken. */
  receipt(phoneNumberId: string, id: string, status: 'sent' | 'delivered' | 'read' | 'failed', code = 131026) {
    const errors = [{ code, title: `title of ${code}`, error_data: { details: `what ${code} means` } }]
    const recipient_id = this.sent.find((message) => message.id === id)?.to ?? '0'
    const report = { id, status, timestamp: this.#seconds(), recipient_id, ...(status === 'failed' && { errors }) }
    return this.#delivery(phoneNumberId, 'messages', { statuses: [report] })
  }

  tell(phoneNumberId: string, id: string, status: 'sent' | 'delivered' | 'read' | 'failed', code?: number): void {
    void this.deliver(phoneNumberId, this.receipt(phoneNumberId, id, status, code))
  }

  /** Signs a delivery and posts it until it is taken; the number's own address goes before the app's. */
  async deliver(phoneNumberId: string, body: object): Promise<void> {
    const { isSubscribed, webhook, appWebhook, appSecret } = this.number(phoneNumberId)
    const to = webhook ?? appWebhook
    if (!to || !isSubscribed) return
    await Promise.all(Array.from({ length: this.faults.copies }, () => this.#post(to.url, appSecret, body)))
    this.taken.push(JSON.stringify(body))
    this.changed()
  }

  /** The messages sent to a chat, oldest first. */
  sentTo(phone: string): CloudMessage[] {
    return this.sent.filter(({ to }) => to === phone)
  }

  /** Moves a customer's reply window forward by so many milliseconds. */
  lapse(phoneNumberId: string, phone: string, ms = DAY_MS + 1000): void {
    const { heardAt } = this.number(phoneNumberId)
    heardAt.set(phone, (heardAt.get(phone) ?? 0) - ms)
  }

  isOpen(number: FakeNumber, phone: string): boolean {
    return (number.heardAt.get(phone) ?? 0) > this.now() - DAY_MS
  }

  messageId(): string {
    return `wamid.${randomBytes(24).toString('base64')}`
  }

  /** @throws after 20 seconds */
  async waitFor(isTrue: () => boolean, what: string): Promise<void> {
    if (isTrue()) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const look = () => isTrue() && resolve()
    const timer = setTimeout(() => reject(new Error(`the fake Cloud API waited in vain for ${what}`)), 20_000)
    this.#listeners.add(look)
    await promise.finally(() => {
      clearTimeout(timer)
      this.#listeners.delete(look)
    })
  }

  changed(): void {
    for (const look of this.#listeners) look()
  }

  #delivery(phoneNumberId: string, field: string, value: { messages?: { id: string }[] } & Record<string, unknown>) {
    const { accountId, phone } = this.number(phoneNumberId)
    const metadata = { display_phone_number: phone.replaceAll(/\D/g, ''), phone_number_id: phoneNumberId }
    const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } }
    return { object: 'whatsapp_business_account', entry: [{ id: accountId, changes: [change] }] }
  }

  async #post(url: string, appSecret: string, body: object): Promise<void> {
    const text = JSON.stringify(body)
    const signature = `sha256=${createHmac('sha256', appSecret).update(text).digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
    for (let pauseMs = RETRY_MS.first; !this.isClosed; pauseMs = Math.min(2 * pauseMs, RETRY_MS.last)) {
      const answer = await fetch(this.#reachable(url), { method: 'POST', headers, body: text }).catch(() => null)
      if (answer?.status === 200) return
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
    }
  }

  #reachable(url: string): string {
    return this.webhookOrigin === null ? url : this.webhookOrigin() + new URL(url).pathname
  }

  #seconds(): string {
    return String(Math.floor(this.now() / 1000))
  }
}

async function handle(state: WhatsappCloudState, request: http.IncomingMessage, response: http.ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url ?? '/', state.origin)
  const control = /^\/control\/(\w+)$/.exec(url.pathname)?.[1]
  if (control) return drive(state, control, Buffer.concat(chunks).toString(), response)
  const answer = await answerGraph(state, {
    verb: request.method ?? 'GET',
    url,
    token: /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null,
    contentType: request.headers['content-type'] ?? '',
    bytes: Buffer.concat(chunks),
  })
  if (answer === null) return request.socket.destroy()
  const isFile = answer.body instanceof Uint8Array
  const body = isFile ? (answer.body as Uint8Array) : Buffer.from(JSON.stringify(answer.body))
  response
    .writeHead(answer.status, { 'content-type': isFile ? 'application/octet-stream' : 'application/json' })
    .end(body)
}

async function drive(state: WhatsappCloudState, name: string, text: string, response: http.ServerResponse) {
  const given = JSON.parse(text || '[]') as unknown[]
  const method = (state as unknown as Record<string, unknown>)[name]
  if (typeof method !== 'function') return response.writeHead(404).end()
  const result: unknown = await method.apply(state, given)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result ?? null))
}

if (import.meta.main) {
  const fake = await startFakeWhatsappCloud({ port: Number(process.argv[2] ?? 0) })
  process.stdout.write(`${fake.origin}\n`)
}
