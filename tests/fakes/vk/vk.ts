// A strict stand-in for VK on loopback: communities, what customers sent and received, and events, delivered to callback servers until
// they are answered with "ok" and kept for polls. What its methods check and answer is in vk-methods.ts, files in vk-files.ts.
// Alone: `node tests/fakes/vk/vk.ts [port]` prints its URL; `POST /control/<method>` with a JSON array of arguments drives it.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { refusing } from '#tests/fakes/refusing.ts'
import { answerFile, type SavedFile } from './vk-files.ts'
import type { KeptMessage } from './vk-history.ts'
import { API_VERSION, answerMethod, SCOPES } from './vk-methods.ts'
import { answerPoll, type LongPoll, lastOf, newLongPoll } from './vk-poll.ts'

/** Pauses between attempts to deliver, doubling up to the last. */
const RETRY_MS = { first: 50, last: 2000 }
export type FakeServer = {
  id: number
  title: string
  url: string
  secretKey: string
  status: 'unconfigured' | 'failed' | 'wait' | 'ok'
  events: Set<string>
}
export type FakeCommunity = {
  groupId: number
  name: string
  screenName: string
  token: string
  /** What the key may do. */
  mask: number
  confirmationCode: string
  servers: FakeServer[]
  longPoll: LongPoll
  /** "Bot capabilities" in its settings. */
  hasBots: boolean
  /** Who may be written to, who does not want it any more, and who is blacklisted. */
  allowed: Set<number>
  blacklist: Set<number>
  lastMessageId: number
  /** Of each peer. */
  lastOfPeer: Map<number, number>
  files: Map<string, SavedFile>
  /** Every message of every chat. */
  history: KeptMessage[]
}
/** What a customer's screen shows. */
export type VkMessage = {
  groupId: number
  peerId: number
  id: number
  text: string
  randomId: number
  buttons: { label: string; payload: string }[]
  file: SavedFile | null
  at: number
}
export type VkCustomer = { id: number; name: string; screenName?: string }
export type VkFaults = {
  /** The next sends are refused with these numbers. */
  refusals: number[]
  /** The next so many sends arrive, but their answers are lost. */
  answersToDrop: number
  /** Every event is delivered so many times. */
  copies: number
  /** The next so many questions for names are not answered well. */
  namesToFail: number
  /** Settings of callback servers that fail from now on. */
  settingsToFail: number
  /** Calls that a key may make in a second. */
  callsPerSecond: number
  /** Every address is believed to be ours, without being asked. */
  confirmsAll: boolean
  /** The next so many questions for chats and their messages are refused with this number. */
  historyToFail: { count: number; code: number }
  /** The next polls are answered that what they ask for is lost, with this number. */
  lostPolls: (1 | 2 | 3)[]
  /** Echoes of what was sent by a key name the person who made it, as those of people do. */
  namesAuthors: boolean
}
export type FakeVk = Awaited<ReturnType<typeof startFakeVk>>

export async function startFakeVk(options: { port?: number } = {}) {
  const state = new VkState()
  const server = http.createServer((request, response) => void handle(state, request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  state.origin = `http://127.0.0.1:${port}`
  return Object.assign(state, {
    url: state.origin,
    refuseConnections: refusing(server),
    async close() {
      state.isClosed = true
      server.closeAllConnections()
      server.close()
    },
  })
}

/** Communities, chats and everything that was sent. Tests drive the fake through the methods. */
export class VkState {
  origin = ''
  communities = new Map<number, FakeCommunity>()
  customers = new Map<number, VkCustomer>()
  sent: VkMessage[] = []
  typing: { groupId: number; peerId: number; at: number }[] = []
  /** Names of methods, refused calls included. */
  calls: string[] = []
  /** Ids of events that a callback server has answered with "ok". */
  taken: string[] = []
  faults: VkFaults = {
    refusals: [],
    answersToDrop: 0,
    copies: 1,
    namesToFail: 0,
    settingsToFail: 0,
    callsPerSecond: 20,
    confirmsAll: false,
    historyToFail: { count: 0, code: 10 },
    lostPolls: [],
    namesAuthors: false,
  }
  /** Moments of the last calls by each key. */
  recent = new Map<string, number[]>()
  /** Where deliveries are really sent, when their public address leads nowhere: an origin such as `http://127.0.0.1:3000`. */
  webhookOrigin: (() => string) | null = null
  /** Called once a page of chats or messages is read, with how many have been: what happens before the next one. */
  afterPage: (pages: number) => void = () => undefined
  pagesRead = 0
  isClosed = false
  #listeners = new Set<() => void>()

  /** A community with a key that may do what is asked for. */
  addCommunity(given: Partial<FakeCommunity> = {}): FakeCommunity {
    const groupId = given.groupId ?? randomInt(100_000_000, 900_000_000)
    const community: FakeCommunity = {
      groupId,
      name: 'Parley Coffee',
      screenName: `parley${groupId}`,
      token: newKey(),
      mask: SCOPES.photos | SCOPES.messages | SCOPES.docs | SCOPES.manage,
      confirmationCode: randomBytes(4).toString('hex'),
      servers: [],
      longPoll: newLongPoll(),
      hasBots: true,
      allowed: new Set(),
      blacklist: new Set(),
      lastMessageId: randomInt(1, 1_000_000),
      lastOfPeer: new Map(),
      files: new Map(),
      history: [],
      ...given,
    }
    this.communities.set(groupId, community)
    return community
  }

  community(groupId: number): FakeCommunity {
    const community = this.communities.get(groupId)
    if (!community) throw new Error(`the fake has no community ${groupId}`)
    return community
  }

  /** An administrator deletes the key and makes another. @returns the new one */
  renewKey(groupId: number): string {
    const community = this.community(groupId)
    community.token = newKey()
    return community.token
  }

  /** An administrator lets the key do all that is asked for. */
  allow(groupId: number): void {
    this.community(groupId).mask = SCOPES.photos | SCOPES.messages | SCOPES.docs | SCOPES.manage
  }

  /** The confirmation string changes from time to time. */
  renewCode(groupId: number): void {
    this.community(groupId).confirmationCode = randomBytes(4).toString('hex')
  }

  /** A customer writes. @returns the id of the message */
  customerSays(groupId: number, customer: VkCustomer, text: string, more: object = {}): number {
    const event = this.messageNew(groupId, customer, text, more)
    this.community(groupId).history.push(event.object.message)
    this.emit(groupId, event)
    return event.object.message.id
  }

  /** The event of a customer's message, without the message itself. */
  messageNew(groupId: number, customer: VkCustomer, text: string, more: object = {}) {
    const community = this.community(groupId)
    this.customers.set(customer.id, customer)
    if (!community.blacklist.has(customer.id)) community.allowed.add(customer.id)
    const message = { ...this.message(community, customer.id), from_id: customer.id, out: 0, text, ...more }
    const client_info = { button_actions: ['text'], keyboard: true, inline_keyboard: true, carousel: true, lang_id: 3 }
    return this.event(groupId, 'message_new', { message, client_info })
  }

  /** A customer presses a button: a message like any other, with what the button carries. */
  press(groupId: number, customer: VkCustomer, { label, payload }: { label: string; payload: string }): number {
    return this.customerSays(groupId, customer, label, { payload })
  }

  /** A customer edits a message. */
  customerEdits(groupId: number, customer: VkCustomer, id: number, text: string): void {
    const community = this.community(groupId)
    const date = seconds()
    const edited = {
      ...this.message(community, customer.id),
      ...{ id, from_id: customer.id, out: 0, text, update_time: date },
    }
    const kept = community.history.find((message) => message.id === id)
    if (kept) Object.assign(kept, { text, update_time: date })
    this.emit(groupId, this.event(groupId, 'message_edit', edited))
  }

  /** An operator of the community answers at VK itself. */
  operatorSays(groupId: number, peerId: number, text: string, more: object = {}): void {
    const community = this.community(groupId)
    const author = { admin_author_id: 45, random_id: randomInt(1, 2 ** 31) }
    const reply = { ...this.message(community, peerId), from_id: -groupId, out: 1, text, ...author, ...more }
    community.history.push(reply)
    this.emit(groupId, this.event(groupId, 'message_reply', reply))
  }

  /** A customer has read everything up to a message. */
  read(groupId: number, peerId: number, id: number): void {
    this.emit(groupId, this.receipt(groupId, peerId, id))
  }

  receipt(groupId: number, peerId: number, id: number) {
    const object = { from_id: peerId, peer_id: peerId, read_message_id: id, conversation_message_id: 1 }
    return this.event(groupId, 'message_read', object)
  }

  /** VK keeps events for a limited time: those so far are gone, and polls for them receive an error. */
  forgetEvents(groupId: number): void {
    const { longPoll } = this.community(groupId)
    longPoll.from = lastOf(longPoll)
    longPoll.events = []
    this.changed()
  }

  /** A customer wants no messages any more. */
  deny(groupId: number, userId: number): void {
    this.community(groupId).allowed.delete(userId)
    this.emit(groupId, this.event(groupId, 'message_deny', { user_id: userId }))
  }

  /** What a peer has been sent, oldest first. */
  sentTo(peerId: number): VkMessage[] {
    return this.sent.filter((message) => message.peerId === peerId)
  }

  /** Something that a customer attaches. @returns the attachment */
  attach(groupId: number, kind: 'image' | 'document', { name, bytes }: { name: string; bytes: Uint8Array }): object {
    const { files } = this.community(groupId)
    const id = 1000 + files.size
    const key = `incoming${id}`
    files.set(key, { kind: kind === 'image' ? 'photo' : 'doc', name, bytes })
    const ids = { id, owner_id: 1, date: seconds(), access_key: randomBytes(8).toString('hex') }
    const url = `${this.origin}/files/${groupId}/${key}`
    if (kind === 'image') {
      const sizes = [
        { type: 's', width: 75, height: 75, url: `${this.origin}/files/${groupId}/none` },
        { type: 'w', width: 2000, height: 2000, url },
      ]
      return { type: 'photo', photo: { ...ids, album_id: -3, text: '', sizes } }
    }
    const ext = name.split('.').at(-1) ?? ''
    // As VK does it: the address of a document leads on to where it lies.
    const address = `${this.origin}/doc/${groupId}/${key}?hash=1&dl=1`
    return { type: 'doc', doc: { ...ids, title: name, size: bytes.length, ext, url: address, type: 1 } }
  }

  event<Content>(groupId: number, type: string, object: Content) {
    return { group_id: groupId, type, event_id: randomBytes(20).toString('hex'), v: API_VERSION, object }
  }

  /** Tells an event to everybody who wants it. */
  emit(groupId: number, event: { type: string; event_id: string }): void {
    const { servers, longPoll } = this.community(groupId)
    if (longPoll.isEnabled && longPoll.types.has(event.type)) longPoll.events.push(event)
    for (const server of servers) {
      if (server.status === 'ok' && server.events.has(event.type)) void this.#deliver(server, event)
    }
    this.changed()
  }

  /** Asks a callback server for the confirmation string. */
  async confirm(community: FakeCommunity, server: FakeServer): Promise<void> {
    server.status = 'wait'
    const { groupId, confirmationCode } = community
    const body = { type: 'confirmation', group_id: groupId, event_id: randomUUID(), v: API_VERSION }
    const answer = this.faults.confirmsAll ? confirmationCode : await this.#post(server, body)
    server.status = answer === confirmationCode ? 'ok' : 'failed'
  }

  /** The next message of a chat, without its author and text. */
  message(community: FakeCommunity, peerId: number) {
    const conversation_message_id = 1 + (community.lastOfPeer.get(peerId) ?? 0)
    community.lastOfPeer.set(peerId, conversation_message_id)
    const rest = { important: false, is_hidden: false, attachments: [], fwd_messages: [], random_id: 0 }
    const ids = { id: ++community.lastMessageId, peer_id: peerId, conversation_message_id, version: 10_000_000 }
    return { ...ids, date: seconds(), ...rest }
  }

  /** @throws after 20 seconds */
  async waitFor(isTrue: () => boolean, what: string): Promise<void> {
    if (isTrue()) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const look = () => isTrue() && resolve()
    const timer = setTimeout(() => reject(new Error(`the fake VK waited in vain for ${what}`)), 20_000)
    this.#listeners.add(look)
    await promise.finally(() => {
      clearTimeout(timer)
      this.#listeners.delete(look)
    })
  }

  changed(): void {
    for (const look of this.#listeners) look()
  }

  async #deliver(server: FakeServer, event: { event_id: string }): Promise<void> {
    await Promise.all(Array.from({ length: this.faults.copies }, () => this.#deliverOne(server, event)))
    this.taken.push(event.event_id)
    this.changed()
  }

  async #deliverOne(server: FakeServer, event: object): Promise<void> {
    let retries = 0
    for (let pauseMs = RETRY_MS.first; !this.isClosed; pauseMs = Math.min(2 * pauseMs, RETRY_MS.last)) {
      if ((await this.#post(server, event, retries++)) === 'ok') return
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
    }
  }

  /** @returns the text of the answer; null: there was none, or not 200 */
  async #post({ url, secretKey }: FakeServer, event: object, retries = 0): Promise<string | null> {
    const target = this.webhookOrigin === null ? url : this.webhookOrigin() + new URL(url).pathname
    const headers = { 'content-type': 'application/json', ...(retries > 0 && { 'x-retry-counter': String(retries) }) }
    const body = JSON.stringify({ ...event, ...(secretKey !== '' && { secret: secretKey }) })
    const answer = await fetch(target, { method: 'POST', headers, body }).catch(() => null)
    return answer?.status === 200 ? answer.text() : null
  }
}

function newKey(): string {
  return `vk1.a.${randomBytes(90).toString('base64url')}`
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

async function handle(state: VkState, request: http.IncomingMessage, response: http.ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const url = new URL(request.url ?? '/', state.origin)
  const [, area = '', ...rest] = url.pathname.split('/')
  if (area === 'control') return drive(state, rest[0] ?? '', bytes.toString(), response)
  if (area === 'longpoll') return answerPoll(state, Number(rest[0]), url.searchParams, response)
  if (area !== 'method') {
    const type = request.headers['content-type'] ?? ''
    return answerFile(state, { area, rest, type, bytes, query: url.searchParams }, response)
  }
  const answer = await answerMethod(state, rest[0] ?? '', {
    params: new URLSearchParams([...url.searchParams, ...new URLSearchParams(bytes.toString())]),
    key: /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null,
  })
  if (answer === null) return request.socket.destroy()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

async function drive(state: VkState, name: string, text: string, response: http.ServerResponse) {
  const given = JSON.parse(text || '[]') as unknown[]
  const method = (state as unknown as Record<string, unknown>)[name]
  if (typeof method !== 'function') return response.writeHead(404).end()
  const result: unknown = await method.apply(state, given)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result ?? null))
}

if (import.meta.main) {
  const fake = await startFakeVk({ port: Number(process.argv[2] ?? 0) })
  process.stdout.write(`${fake.url}\n`)
}
