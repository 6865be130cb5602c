// A strict stand-in for GREEN-API on loopback. It records what customers really sent and received, outside the server under test. What
// the HTTP methods check and answer is in green-api-methods.ts.
// Alone: `node tests/fakes/green-api/green-api.ts [port]` prints its URL; `POST /control/<method>` with a JSON array of arguments drives it.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { refusing } from '#tests/fakes/refusing.ts'
import { GreenApiError, greenApiMethods, isAnswerLost } from './green-api-methods.ts'
import { partnerAnswer } from './green-api-partner.ts'

export type InstanceState =
  | 'notAuthorized'
  | 'authorized'
  | 'blocked'
  | 'sleepMode'
  | 'starting'
  | 'yellowCard'
  | 'suspended'
  | 'pendingPassword'
/** One notification as GREEN-API makes it. */
export type Notification = Record<string, unknown> & { typeWebhook: string }
export type FakeInstance = {
  idInstance: string
  apiToken: string
  /** Digits, of the WhatsApp account that is linked or will be. */
  phone: string
  state: InstanceState
  settings: Record<string, string | number> & { webhookUrl: string; webhookUrlToken: string }
  /** `at` by `performance.now()`. */
  queue: { receiptId: number; body: Notification; at: number }[]
  /** Messages that wait until the instance may send again. */
  held: SentMessage[]
  /** Chats that the free plan allows; null: all. */
  quotaChats: Set<string> | null
  recentCalls: Map<string, number[]>
  /** As the partner has named it; empty: made in the console. */
  name: string
  isDelivering: boolean
}
export type UploadedFile = { name: string; mimeType: string; bytes: Uint8Array }
/** A message that an instance sent, as the customer's phone has it. */
export type SentMessage = {
  idInstance: string
  chatId: string
  text: string
  fileUrl: string | null
  /** One that was uploaded. */
  file: UploadedFile | null
  idMessage: string
  /** By `performance.now()`. */
  at: number
  /** The sender never received the answer that it was accepted. */
  isUnanswered?: boolean
}

export type FakeGreenApi = Awaited<ReturnType<typeof startFakeGreenApi>>

/** Seconds for which an instance that is refused a webhook is silent. */
const WEBHOOK_PAUSE_SECONDS = 60
const QUEUE_SECONDS = 24 * 3600
/** The real GREEN-API takes up to five minutes. */
const RESTART_SECONDS = 10

/** `secondMs`: how long a second of GREEN-API takes here; tests run faster than real time. The others: in those seconds. */
type Options = { port?: number; secondMs?: number; restartSeconds?: number; queueSeconds?: number }

/** Starts the fake. */
export async function startFakeGreenApi(options: Options = {}) {
  const state = new GreenApiState(options)
  const server = http.createServer((request, response) => void handle(state, request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    /** What `GREEN_API_URL` is set to. */
    url: `http://127.0.0.1:${port}`,
    /** Refuses new connections for so many milliseconds. */
    refuseConnections: refusing(server),
    async close() {
      state.isClosed = true
      state.changed()
      server.closeAllConnections()
      server.close()
    },
  })
}

/** Instances, chats and everything that was sent. Tests drive the fake through the methods. */
export class GreenApiState {
  readonly secondMs: number
  readonly queueSeconds: number
  readonly restartSeconds: number
  instances = new Map<string, FakeInstance>()
  sent: SentMessage[] = []
  typing: { idInstance: string; chatId: string; at: number }[] = []
  /** Calls with good arguments, those over a limit included. */
  calls: { idInstance: string; method: string; chatId: string | null; at: number }[] = []
  /** Ids of the messages whose notifications the server has taken: webhook answered 200, or deleted from the queue. */
  acknowledged = new Set<string>()
  /** Where webhooks are really posted, when their public address leads nowhere: an origin such as `http://127.0.0.1:3000`. */
  webhookOrigin: (() => string) | null = null
  /** Posts one notification; a replacement may lose the answer, or post it twice. @returns whether it was accepted */
  post: (webhook: { url: string; token: string }, body: Notification) => Promise<boolean> = postNotification
  /** The partner token that may create instances; null: none. */
  partnerToken: string | null = null
  isClosed = false
  faults = {
    /** The next so many sends arrive, but their answers are lost. */
    answersToDrop: 0,
    /** Share of sends, 0 to 1, that arrive but whose answers are lost. */
    dropRate: 0,
    /** Share of polls, 0 to 1, whose answers are lost. */
    pollDropRate: 0,
    /** The next so many sends are answered with this status before anything is written. */
    refusals: { count: 0, status: 500 },
    /** Messages come into the log as late as they can. */
    isLogLate: false,
    /** What is answered instead of a code to be scanned; null: the code. */
    qr: null as { type: string; message: string } | null,
  }
  private listeners = new Set<() => void>()
  /** Never one of an earlier run: a server may still hold its receipt. */
  private nextReceiptId = Math.floor(Date.now() / 1000)

  constructor({ secondMs = 1000, restartSeconds = RESTART_SECONDS, queueSeconds = QUEUE_SECONDS }: Options) {
    this.secondMs = secondMs
    this.queueSeconds = queueSeconds
    this.restartSeconds = restartSeconds
  }

  /** An instance as the console makes it: with all notifications off. */
  addInstance(
    given: Partial<Pick<FakeInstance, 'idInstance' | 'apiToken' | 'phone' | 'state' | 'name'>> = {},
  ): FakeInstance {
    const instance: FakeInstance = {
      idInstance: `7103${Math.floor(100_000 + Math.random() * 899_999)}`,
      apiToken: randomBytes(25).toString('hex'),
      phone: `7700${Math.floor(1_000_000 + Math.random() * 8_999_999)}`,
      state: 'authorized',
      settings: newSettings(),
      queue: [],
      held: [],
      quotaChats: null,
      recentCalls: new Map(),
      name: '',
      isDelivering: false,
      ...given,
    }
    this.instances.set(instance.idInstance, instance)
    return instance
  }

  /** The instance is deleted in the console. */
  removeInstance(idInstance: string): void {
    this.instances.delete(idInstance)
    this.changed()
  }

  /** A customer writes to the number. @returns the id of the message */
  customerSays(idInstance: string, from: { phone: string; name?: string } | string, text: string): string {
    const body = this.textMessage(idInstance, from, text)
    if (this.instance(idInstance).settings.incomingWebhook === 'yes') this.notify(idInstance, body)
    return String(body.idMessage)
  }

  /** The notification of a customer's message, for tests that deliver it themselves. */
  textMessage(idInstance: string, from: { phone: string; name?: string } | string, text: string): Notification {
    const customer = typeof from === 'string' ? { phone: from } : from
    return this.message(idInstance, 'incomingMessageReceived', chatOf(customer.phone), {
      sender: chatOf(customer.phone),
      senderName: customer.name ?? 'Customer',
      text,
    })
  }

  /** A person answers from the phone that the number belongs to. @returns the id of the message */
  phoneSays(idInstance: string, phone: string, text: string): string {
    const instance = this.instance(idInstance)
    const content = { sender: chatOf(instance.phone), senderName: 'Owner', text }
    const body = this.message(idInstance, 'outgoingMessageReceived', chatOf(phone), content)
    if (instance.settings.outgoingMessageWebhook === 'yes') this.notify(idInstance, body)
    return String(body.idMessage)
  }

  /** The delivery status of a sent message. */
  reportStatus(idMessage: string, status: 'sent' | 'delivered' | 'read' | 'failed' | 'noAccount'): void {
    const message = this.sent.find((each) => each.idMessage === idMessage)
    if (!message) throw new Error(`the fake GREEN-API sent no message ${idMessage}`)
    const instance = this.instance(message.idInstance)
    // These two cannot be switched off.
    const isAlwaysReported = status === 'failed' || status === 'noAccount'
    if (instance.settings.outgoingWebhook !== 'yes' && !isAlwaysReported) return
    this.notify(message.idInstance, {
      ...this.head(message.idInstance, 'outgoingMessageStatus'),
      chatId: message.chatId,
      idMessage,
      status,
      sendByApi: true,
    })
  }

  /** The instance changes its state; what it kept leaves when it may send again. */
  setState(idInstance: string, state: InstanceState): void {
    const instance = this.instance(idInstance)
    if (instance.state === state) return
    instance.state = state
    if (instance.settings.stateWebhook === 'yes') {
      this.notify(idInstance, { ...this.head(idInstance, 'stateInstanceChanged'), stateInstance: state })
    }
    this.forget(instance)
    if (state === 'authorized') for (const message of instance.held.splice(0)) this.arrive(instance, message)
    this.changed()
  }

  /** The customer scans the code that is shown. */
  scan(idInstance: string): void {
    this.setState(idInstance, 'authorized')
  }

  /** The instance restarts: an authorized one is starting for a while. */
  restart(instance: FakeInstance): void {
    if (instance.state !== 'authorized') return
    instance.state = 'starting'
    const timer = setTimeout(() => {
      if (instance.state === 'starting' && !this.isClosed) this.setState(instance.idInstance, 'authorized')
    }, this.restartSeconds * this.secondMs)
    timer.unref()
  }

  /** Puts a notification into the instance's queue, or on its way to the webhook. */
  notify(idInstance: string, body: Notification): void {
    const instance = this.instance(idInstance)
    instance.queue.push({ receiptId: this.nextReceiptId++, body, at: performance.now() })
    this.deliverSoon(instance)
    this.changed()
  }

  /** Both queues keep what is in them for a day. */
  forget(instance: FakeInstance): void {
    const oldest = performance.now() - this.queueSeconds * this.secondMs
    instance.queue = instance.queue.filter(({ at }) => at >= oldest)
    instance.held = instance.held.filter(({ at }) => at >= oldest)
  }

  /** Everything a chat received, in order. */
  sentTo(phone: string): SentMessage[] {
    return this.sent.filter((message) => message.chatId === chatOf(phone))
  }

  /** Waits until a chat has received so many messages. @throws after `limitMs` */
  async waitForSent(phone: string, count = 1, limitMs = 45_000): Promise<SentMessage[]> {
    await this.waitFor(() => this.sentTo(phone).length >= count, `${count} messages to ${phone}`, limitMs)
    return this.sentTo(phone)
  }

  /** Waits until something holds; checked after each event of the fake. @throws after `limitMs` */
  async waitFor(holds: () => boolean, what: string, limitMs = 45_000): Promise<void> {
    if (holds()) return
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.listeners.delete(check)
        reject(new Error(`the fake GREEN-API waited ${limitMs} ms in vain for ${what}`))
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

  instance(idInstance: string): FakeInstance {
    const instance = this.instances.get(idInstance)
    if (!instance) throw new GreenApiError(403, { message: 'Forbidden' })
    return instance
  }

  /** Wakes those who wait for an event. */
  changed(): void {
    for (const listener of [...this.listeners]) listener()
  }

  newMessageId(): string {
    return randomBytes(16).toString('hex').toUpperCase()
  }

  /** A message was handed to the instance. */
  take(instance: FakeInstance, message: SentMessage): void {
    if (instance.state === 'authorized' || instance.state === 'sleepMode') this.arrive(instance, message)
    else instance.held.push(message)
    this.changed()
  }

  acknowledge(bodies: Notification[]): void {
    for (const { idMessage } of bodies) if (typeof idMessage === 'string') this.acknowledged.add(idMessage)
    this.changed()
  }

  /** Resolves when a notification is there, the time is over, or the caller has aborted. */
  async waitForNotification(instance: FakeInstance, limitMs: number, gone: Promise<void>): Promise<void> {
    const isOver = () => instance.queue.length > 0 || this.isClosed
    await Promise.race([this.waitFor(isOver, 'a notification', limitMs).catch(() => undefined), gone])
  }

  /** Notifications go out one after another; one that is not answered with 200 stops all, and is sent again after a pause. */
  deliverSoon(instance: FakeInstance): void {
    if (instance.isDelivering) return
    instance.isDelivering = true
    void this.deliver(instance)
  }

  /** The webhook at an address that exists on this machine. */
  reachable(instance: FakeInstance): { url: string; token: string } {
    const { webhookUrl: url, webhookUrlToken: token } = instance.settings
    return { url: this.webhookOrigin === null ? url : `${this.webhookOrigin()}${new URL(url).pathname}`, token }
  }

  private async deliver(instance: FakeInstance): Promise<void> {
    for (;;) {
      this.forget(instance)
      const first = instance.queue[0]
      if (!first || this.isClosed || instance.settings.webhookUrl === '') break
      if (await this.post(this.reachable(instance), first.body)) {
        instance.queue = instance.queue.filter((each) => each !== first)
        this.acknowledge([first.body])
      } else {
        await new Promise((resolve) => setTimeout(resolve, WEBHOOK_PAUSE_SECONDS * this.secondMs).unref())
      }
    }
    instance.isDelivering = false
  }

  private arrive(instance: FakeInstance, message: SentMessage): void {
    this.sent.push(message)
    if (instance.settings.outgoingAPIMessageWebhook === 'yes') {
      const content = { sender: chatOf(instance.phone), senderName: 'Owner', text: message.text }
      const body = this.message(instance.idInstance, 'outgoingAPIMessageReceived', message.chatId, content)
      this.notify(instance.idInstance, { ...body, idMessage: message.idMessage })
    }
    this.reportStatus(message.idMessage, 'sent')
    this.changed()
  }

  private message(
    idInstance: string,
    typeWebhook: string,
    chatId: string,
    content: { sender: string; senderName: string; text: string },
  ): Notification {
    const { sender, senderName, text } = content
    return {
      ...this.head(idInstance, typeWebhook),
      idMessage: this.newMessageId(),
      senderData: { chatId, chatName: senderName, sender, senderName },
      messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: text } },
    }
  }

  private head(idInstance: string, typeWebhook: string) {
    const { phone } = this.instance(idInstance)
    return {
      typeWebhook,
      instanceData: { idInstance: Number(idInstance), wid: chatOf(phone), typeInstance: 'whatsapp' },
      timestamp: Math.floor(Date.now() / 1000),
    }
  }
}

/** Posts one notification the way GREEN-API does. @returns whether it was taken */
export async function postNotification(webhook: { url: string; token: string }, body: unknown): Promise<boolean> {
  const headers = {
    'content-type': 'application/json',
    ...(webhook.token === '' ? {} : { authorization: `Bearer ${webhook.token}` }),
  }
  try {
    const response = await fetch(webhook.url, { method: 'POST', headers, body: JSON.stringify(body) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

/** The chat of a phone number. */
export function chatOf(phone: string): string {
  return `${phone}@c.us`
}

function newSettings(): FakeInstance['settings'] {
  const off = [
    'incomingWebhook',
    'outgoingWebhook',
    'outgoingMessageWebhook',
    'outgoingAPIMessageWebhook',
    'stateWebhook',
    'editedMessageWebhook',
    'pollMessageWebhook',
  ]
  return {
    webhookUrl: '',
    webhookUrlToken: '',
    delaySendMessagesMilliseconds: 500,
    markIncomingMessagesReaded: 'no',
    markIncomingMessagesReadedOnReply: 'no',
    ...Object.fromEntries(off.map((name) => [name, 'no'])),
  }
}

async function handle(state: GreenApiState, request: http.IncomingMessage, response: http.ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://fake')
  const body = await readBody(request)
  if (url.pathname.startsWith('/control/')) return answer(response, 200, control(state, url.pathname.slice(9), body))
  const partner = /^\/partner\/(\w+)\/([\w.]+)$/.exec(url.pathname)
  if (partner) {
    const [, method = '', token = ''] = partner
    return answer(response, 200, partnerAnswer(state, { verb: request.method ?? 'GET', method, token, body }))
  }
  const match = /^\/waInstance(\d+)\/(\w+)\/(\w+)(?:\/(\w+))?$/.exec(url.pathname)
  if (!match) return answer(response, 404, { statusCode: 404, message: 'Not Found' })
  const [, idInstance = '', method = '', token = '', rest = ''] = match
  const gone = new Promise<void>((resolve) => response.on('close', resolve))
  try {
    const instance = state.instance(idInstance)
    if (instance.apiToken !== token) throw new GreenApiError(401, { message: 'Unauthorized' })
    const verb = request.method ?? 'GET'
    const value = await greenApiMethods(state, instance, { verb, method, rest, query: url.searchParams, body, gone })
    if (isAnswerLost(state, method, value)) return void response.destroy()
    answer(response, 200, value)
  } catch (error) {
    const failure = error instanceof GreenApiError ? error : new GreenApiError(500, { message: String(error) })
    answer(response, failure.status, failure.body)
  }
}

async function readBody(request: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  if (chunks.length === 0) return undefined
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) return readForm(Buffer.concat(chunks), type)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    return null
  }
}

/** Fields by name; a file as an UploadedFile. Null: it cannot be read. */
async function readForm(bytes: Buffer, type: string): Promise<Record<string, unknown> | null> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null)
  if (form === null) return null
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form.entries()) {
    fields[name] =
      typeof value === 'string'
        ? value
        : { name: value.name, mimeType: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }
  }
  return fields
}

function answer(response: http.ServerResponse, status: number, value: unknown): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(value === undefined ? '' : JSON.stringify(value))
}

/** The methods that a test in another process may call. */
function control(state: GreenApiState, method: string, args: unknown): unknown {
  const [a, b, c] = Array.isArray(args) ? args : []
  switch (method) {
    case 'addInstance':
      return state.addInstance(a).idInstance
    case 'customerSays':
      return state.customerSays(a, b, c)
    case 'phoneSays':
      return state.phoneSays(a, b, c)
    case 'setState':
      return state.setState(a, b) ?? null
    case 'sent':
      return a === undefined ? state.sent : state.sentTo(a)
    case 'acknowledged':
      return [...state.acknowledged]
    case 'faults':
      return Object.assign(state.faults, a)
    default:
      throw new Error(`the fake GREEN-API knows no control method ${method}`)
  }
}

if (import.meta.main) {
  const fake = await startFakeGreenApi({ port: Number(process.argv[2] ?? 0) })
  console.log(fake.url)
}
