// What the fake MAX answers: the calls that we make, with the checks and the errors of its Bot API.
// @source dev.max.ru/docs-api
import { randomBytes, randomInt } from 'node:crypto'
import type { FakeMaxBot, MaxMessage, MaxState } from './max.ts'

export type MaxRequest = {
  verb: string
  url: URL
  token: string | null
  contentType: string
  bytes: Buffer
  /** The caller has disconnected. */
  left: AbortSignal
}
/** `body`: JSON, the text of another kind, or a file. */
export type MaxAnswer = { status: number; body: unknown }
/** The connection is cut. */
export const MAX_LOST = Symbol('the answer is lost')

class MaxError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type Fields = Record<string, unknown>
type Handler = (state: MaxState, bot: FakeMaxBot, request: MaxRequest) => unknown
type Chat = NonNullable<ReturnType<MaxState['findChat']>>

const TEXT_MAX = 4000
const DONE = { success: true }
const KINDS = ['image', 'video', 'audio', 'file']
const ACTIONS = ['typing_on', 'sending_photo', 'sending_video', 'sending_audio', 'sending_file', 'mark_seen']
const TYPES = ['message_created', 'message_callback', 'message_edited', 'message_removed', 'bot_started', 'bot_stopped']
const TAGS = new Set(['i', 'em', 'b', 'strong', 'del', 's', 'ins', 'u', 'a', 'pre', 'code', 'mark', 'blockquote', 'h1'])

const METHODS: Record<string, Handler> = {
  'GET /me': (_, { userId, firstName, username }) => ({
    user_id: userId,
    first_name: firstName,
    username,
    is_bot: true,
    last_activity_time: Date.now(),
    name: firstName,
  }),
  'GET /subscriptions': ({ faults }, { subscription }) => {
    if (faults.failedLists-- > 0) throw new MaxError(500, 'internal', 'oops')
    return {
      subscriptions: subscription.map(({ url, types, time }) => ({ url, time, update_types: types, version: null })),
    }
  },
  'POST /subscriptions': subscribe,
  'DELETE /subscriptions': (_, bot, { url }) => {
    const address = url.searchParams.get('url')
    const before = bot.subscription.length
    bot.subscription = bot.subscription.filter((each) => each.url !== address)
    return bot.subscription.length < before ? DONE : { success: false, message: 'no such subscription' }
  },
  'GET /updates': listUpdates,
  'POST /messages': send,
  'POST /uploads': (state, _, { url }) => {
    const kind = url.searchParams.get('type') ?? ''
    if (!KINDS.includes(kind)) throw wrong(`type: ${kind}`)
    const id = randomBytes(12).toString('hex')
    const token = randomBytes(24).toString('base64url')
    state.places.set(id, { kind, token })
    return { url: `${state.url}/upload.do/${id}`, ...(kind !== 'image' && kind !== 'file' && { token }) }
  },
  'POST /answers': (state, _, request) => {
    const callbackId = request.url.searchParams.get('callback_id') ?? ''
    const { notification, message, ...others } = jsonOf(request)
    if (!state.presses.has(callbackId)) throw wrong('callback_id')
    const hasText = typeof notification === 'string' && notification !== ''
    if ((!hasText && !message) || Object.keys(others).length > 0) throw wrong('message or notification is required')
    if (hasText) state.notices.push({ callbackId, text: notification })
    return DONE
  },
}

export async function answerMax(state: MaxState, request: MaxRequest): Promise<MaxAnswer | typeof MAX_LOST> {
  try {
    return { status: 200, body: await run(state, request) }
  } catch (error) {
    if (error === MAX_LOST) return MAX_LOST
    if (!(error instanceof MaxError)) throw error
    return { status: error.status, body: { code: error.code, message: error.message } }
  }
}

async function run(state: MaxState, request: MaxRequest): Promise<unknown> {
  const { verb, url, token } = request
  const [, first = '', id = '', last] = url.pathname.split('/')
  if (first === 'upload.do') return upload(state, id, request)
  if (first === 'files') return state.files.get(id) ?? absent('file.not.found')
  const bot = token === null ? undefined : state.bots.get(token)
  if (!bot) throw new MaxError(401, 'verify.token', 'Invalid access_token')
  if (verb === 'POST' && first === 'chats' && last === 'actions') {
    const { action } = jsonOf(request)
    if (!ACTIONS.includes(String(action))) throw wrong('action')
    state.typedAt.set(chatBy(state, bot, { chatId: Number(id) }).chatId, performance.now())
    state.changed()
    return DONE
  }
  if (verb === 'GET' && first === 'videos')
    return { token: id, urls: state.videos.get(id) ?? absent('video.not.found') }
  const method = METHODS[`${verb} ${url.pathname}`]
  if (method) return method(state, bot, request)
  const isKnown = Object.keys(METHODS).some((name) => name.endsWith(` ${url.pathname}`))
  throw isKnown ? new MaxError(405, 'method.not.allowed', verb) : new MaxError(404, 'not.found', 'unknown method')
}

function subscribe(state: MaxState, bot: FakeMaxBot, request: MaxRequest): unknown {
  const { url, secret = null, update_types: types = null, ...others } = jsonOf(request)
  if (Object.keys(others).length > 0) throw wrong(Object.keys(others).join())
  const address = typeof url === 'string' ? URL.parse(url) : null
  if (state.faults.failedSubscriptions-- > 0) throw new MaxError(500, 'internal', 'oops')
  // MAX delivers to the default https port only.
  if (address?.protocol !== 'https:' || address.port !== '') throw wrong('url')
  if (secret !== null && !/^[\w-]{5,256}$/.test(String(secret))) throw wrong('secret')
  if (types !== null && !(Array.isArray(types) && types.every((each) => TYPES.includes(each))))
    throw wrong('update_types')
  const elsewhere = bot.subscription.filter((each) => each.url !== url)
  const time = Math.max(Date.now(), ...elsewhere.map((each) => each.time + 1))
  const given = { url: address.href, secret: secret as string | null, types: types as string[] | null, time }
  bot.subscription = [...elsewhere, given]
  return DONE
}

/** Polls return nothing while a webhook is set. Without a marker only the latest update is returned, and nothing is dropped. */
async function listUpdates(state: MaxState, bot: FakeMaxBot, { url, left }: MaxRequest): Promise<unknown> {
  const number = (name: string, usual: number, max: number) => {
    const value = Number(url.searchParams.get(name) ?? usual)
    if (!Number.isSafeInteger(value) || value < 0 || value > max) throw wrong(name)
    return value
  }
  const limit = number('limit', 100, 100)
  const until = performance.now() + number('timeout', 30, 30) * 1000
  const marker = url.searchParams.has('marker') ? number('marker', 0, Number.MAX_SAFE_INTEGER) : null
  const types = url.searchParams.get('types')?.split(',') ?? null
  if (types?.some((each) => !TYPES.includes(each))) throw wrong('types')
  if (marker !== null) bot.pending = bot.pending.filter(({ seq }) => seq >= marker)
  const poller = randomBytes(6).toString('hex')
  bot.askedAt = Date.now()
  state.pollers.add(poller)
  state.changed()
  const found = () => {
    const updates =
      bot.subscription.length > 0 ? [] : bot.pending.filter(({ body }) => types?.includes(body.update_type) ?? true)
    return marker === null ? updates.slice(-1) : updates.slice(0, limit)
  }
  while (found().length === 0 && performance.now() < until && !left.aborted && !state.isClosed) {
    await state.change(Math.min(until - performance.now(), 1000))
  }
  state.pollers.delete(poller)
  const updates = found()
  return { updates: updates.map(({ body }) => body), marker: (updates.at(-1)?.seq ?? bot.nextSeq - 1) + 1 }
}

function send(state: MaxState, bot: FakeMaxBot, request: MaxRequest): unknown {
  const refusal = state.faults.refusals.shift()
  if (refusal) throw new MaxError(refusal.status, refusal.code, refusal.message)
  const chat = chatBy(state, bot, addressee(request.url.searchParams))
  if (chat.isStopped) throw new MaxError(403, 'chat.denied', 'error.dialog.suspended')
  const message = read(state, bot, chat, jsonOf(request))
  state.sent.push(message)
  state.changed()
  if (state.faults.answersToDrop > 0) {
    state.faults.answersToDrop--
    throw MAX_LOST
  }
  const recipient = { chat_id: chat.chatId, chat_type: 'dialog', user_id: chat.customer.userId }
  const body = { mid: message.mid, seq: Date.now() * 1000, text: message.text }
  return { message: { recipient, timestamp: Date.now(), body } }
}

function addressee(query: URLSearchParams): { chatId: number } | { userId: number } {
  const [chat, user] = [query.get('chat_id'), query.get('user_id')]
  if (chat !== null && /^-?\d+$/.test(chat)) return { chatId: Number(chat) }
  if (user !== null && /^\d+$/.test(user)) return { userId: Number(user) }
  throw wrong('Unknown recipient')
}

function chatBy(state: MaxState, bot: FakeMaxBot, by: Parameters<MaxState['findChat']>[1]): Chat {
  return state.findChat(bot.userId, by) ?? absent('chat.not.found')
}

/** A message as it was sent. @throws MaxError for one that MAX would refuse */
function read(state: MaxState, bot: FakeMaxBot, chat: Chat, given: Fields): MaxMessage {
  const { text = '', attachments = [], format = null, ...others } = given
  if (Object.keys(others).length > 0) throw wrong(Object.keys(others).join())
  if (typeof text !== 'string' || text.length > TEXT_MAX) throw wrong('text: size must be between 0 and 4000')
  if (format !== null && format !== 'html') throw wrong('format')
  const message: MaxMessage = {
    bot: bot.userId,
    chatId: chat.chatId,
    mid: state.mid(),
    text: format === 'html' ? textOf(text) : text,
    html: format === 'html' ? text : null,
    buttons: [],
    file: null,
    at: performance.now(),
  }
  for (const each of attachments as Fields[]) attach(state, message, each)
  if (message.text === '' && !message.file) throw wrong('text or attachments are required')
  return message
}

function attach(state: MaxState, message: MaxMessage, { type, payload, ...others }: Fields): void {
  if (Object.keys(others).length > 0) throw wrong(Object.keys(others).join())
  if (type === 'inline_keyboard') {
    message.buttons = ((payload as Fields).buttons as Fields[][]).map((row) => row.map(buttonOf))
    if (message.buttons.length > 30 || message.buttons.some((row) => row.length > 7)) throw wrong('buttons')
    return
  }
  const { token, photos } = payload as { token?: string; photos?: Record<string, { token: string }> }
  const stored = state.uploads.get(token ?? Object.values(photos ?? {})[0]?.token ?? '')
  if (!stored || stored.kind !== type) throw wrong('attachments: unknown token')
  if (state.faults.notReady > 0) {
    state.faults.notReady--
    throw new MaxError(400, 'attachment.not.ready', 'Key: errors.process.attachment.file.not.processed')
  }
  message.file = stored
}

function buttonOf({ type, text, payload, ...others }: Fields): { text: string; payload: string } {
  const isText = (value: unknown, max: number) => typeof value === 'string' && value !== '' && value.length <= max
  if (type !== 'callback' || !isText(text, 128) || !isText(payload, 1024)) throw wrong('button')
  if (Object.keys(others).length > 0) throw wrong(Object.keys(others).join())
  return { text: text as string, payload: payload as string }
}

/** The plain text of a formatted text. @throws MaxError for tags that MAX does not know, or that are not nested correctly */
function textOf(html: string): string {
  const open: string[] = []
  const text = html.replaceAll(/<(\/?)([a-z0-9]+)(?: href="[^"<>]*")?>|[<>]/g, (whole, close: string, tag: string) => {
    if (!TAGS.has(tag)) throw wrong(`format: ${whole}`)
    if (close && open.pop() !== tag) throw wrong(`format: ${whole}`)
    if (!close) open.push(tag)
    return ''
  })
  if (open.length > 0) throw wrong(`format: <${open.join()}>`)
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** An upload address takes one file, once, without credentials. */
async function upload(state: MaxState, id: string, { verb, contentType, bytes }: MaxRequest): Promise<unknown> {
  const place = state.places.get(id)
  if (!place || verb !== 'POST') throw new MaxError(404, 'not.found', 'no such place')
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => null)
  const data = form?.get('data')
  if (!(data instanceof File)) throw wrong('data')
  state.places.delete(id)
  const content = new Uint8Array(await data.arrayBuffer())
  if (place.kind === 'image' && !isPicture(content)) throw wrong('not an image')
  state.uploads.set(place.token, { kind: place.kind, name: data.name, bytes: content })
  if (place.kind === 'image') return { photos: { [`${randomInt(1e9)}==`]: { token: place.token } } }
  if (place.kind === 'file') return { fileId: randomInt(1e9), token: place.token }
  return '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<retval>1</retval>'
}

/** PNG, JPEG or GIF. */
function isPicture(bytes: Uint8Array): boolean {
  return [0x89, 0xff, 0x47].includes(bytes[0] ?? 0)
}

function jsonOf({ contentType, bytes }: MaxRequest): Fields {
  if (!contentType.startsWith('application/json')) throw wrong('content-type')
  const given: unknown = JSON.parse(bytes.toString() || 'null')
  if (typeof given !== 'object' || given === null) throw wrong('a body is required')
  return given as Fields
}

function wrong(message: string): MaxError {
  return new MaxError(400, 'proto.payload', message)
}

function absent(code: string): never {
  throw new MaxError(404, code, code)
}
