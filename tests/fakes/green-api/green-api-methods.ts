// What the fake GREEN-API answers an instance: the methods that we call, with their checks, limits and error texts.
// @source green-api.com/en/docs/api, and /ratelimiter, /common-errors, /466-error-example-body below it

import { qrPicture } from '#tests/fakes/qr-picture.ts'
import type { FakeInstance, GreenApiState, SentMessage, UploadedFile } from './green-api.ts'

/** A refusal, with the body that the real one sends. */
export class GreenApiError extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, body: object) {
    super(`${status} ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
  }
}

export type Request = {
  verb: string
  method: string
  /** What follows the token in the path. */
  rest: string
  query: URLSearchParams
  body: unknown
  /** Resolves when the caller has hung up. */
  gone: Promise<void>
}
type Check = (value: unknown) => boolean
type Method = {
  verb: 'GET' | 'POST' | 'DELETE'
  /** Calls of one instance per second. */
  perSecond: number
  /** Of the body; `!` marks what has to be given. */
  params?: Record<string, Check>
  required?: string[]
  /** The body is a form; it is JSON otherwise. */
  isForm?: boolean
  /** What may stand in the query of the address. */
  query?: string[]
  run(state: GreenApiState, instance: FakeInstance, params: Record<string, unknown>, request: Request): unknown
}

const MESSAGE_MAX = 20_000
const KEPT_MINUTES = 1440
/** The time after which a message is in the log at the latest. */
const LOG_SECONDS = 120
/** Methods whose answers can be dropped on the way. */
const SENDING = new Set(['sendMessage', 'sendFileByUpload', 'sendFileByUrl'])
/** The code to type on a phone without a camera. */
export const PHONE_CODE = 'GAPI2015'
const QR_TEXT = 'https://wa.me/settings/linked_devices#fake'

const text: Check = (value) => typeof value === 'string'
const flag: Check = (value) => typeof value === 'boolean'
const yesNo: Check = (value) => value === 'yes' || value === 'no'
const chatId: Check = (value) => typeof value === 'string' && /^(\d{5,20}@(c|g)\.us|\d{5,20}@lid)$/.test(value)
const isUpload: Check = (value) => typeof value === 'object' && value !== null && 'bytes' in value
const between =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max

/** Settings that exist; everything else is refused. */
const SETTINGS: Record<string, Check> = {
  webhookUrl: text,
  webhookUrlToken: text,
  delaySendMessagesMilliseconds: between(500, 600_000),
  markIncomingMessagesReaded: yesNo,
  markIncomingMessagesReadedOnReply: yesNo,
  outgoingWebhook: yesNo,
  outgoingMessageWebhook: yesNo,
  outgoingAPIMessageWebhook: yesNo,
  incomingWebhook: yesNo,
  stateWebhook: yesNo,
  keepOnlineStatus: yesNo,
  pollMessageWebhook: yesNo,
  incomingCallWebhook: yesNo,
  editedMessageWebhook: yesNo,
  deletedMessageWebhook: yesNo,
}

const METHODS: Record<string, Method> = {
  getStateInstance: { verb: 'GET', perSecond: 1, run: (_, instance) => ({ stateInstance: instance.state }) },
  getSettings: { verb: 'GET', perSecond: 1, run: (_, instance) => settingsOf(instance) },
  setSettings: { verb: 'POST', perSecond: 1, params: SETTINGS, run: setSettings },
  qr: { verb: 'GET', perSecond: 3, run: qr },
  getAuthorizationCode: {
    verb: 'POST',
    perSecond: 1,
    params: { phoneNumber: between(1_000_000, 999_999_999_999_999) },
    required: ['phoneNumber'],
    run: (_, instance) => ({
      status: instance.state === 'notAuthorized',
      code: instance.state === 'notAuthorized' ? PHONE_CODE : '',
    }),
  },
  reboot: {
    verb: 'GET',
    perSecond: 1,
    run: (state, instance) => {
      state.restart(instance)
      return { isReboot: true }
    },
  },
  logout: {
    verb: 'GET',
    perSecond: 1,
    run: (state, instance) => {
      state.setState(instance.idInstance, 'notAuthorized')
      return { isLogout: true }
    },
  },
  sendMessage: {
    verb: 'POST',
    perSecond: 50,
    params: {
      chatId,
      message: (value) => typeof value === 'string' && value.length > 0 && value.length <= MESSAGE_MAX,
      quotedMessageId: text,
      linkPreview: flag,
      typingTime: between(1000, 20_000),
    },
    required: ['chatId', 'message'],
    run: (state, instance, params) => send(state, instance, String(params.chatId), String(params.message)),
  },
  sendFileByUrl: {
    verb: 'POST',
    perSecond: 50,
    params: {
      chatId,
      urlFile: (value) => text(value) && URL.canParse(String(value)),
      fileName: text,
      caption: (value) => text(value) && String(value).length <= 20_000,
      quotedMessageId: text,
    },
    required: ['chatId', 'urlFile', 'fileName'],
    run: (state, instance, params) =>
      send(state, instance, String(params.chatId), String(params.caption ?? ''), { fileUrl: String(params.urlFile) }),
  },
  sendFileByUpload: {
    verb: 'POST',
    perSecond: 50,
    isForm: true,
    params: {
      chatId,
      file: isUpload,
      fileName: (value) => text(value) && /\.\w+$/.test(String(value)),
      caption: (value) => text(value) && String(value).length <= 20_000,
      quotedMessageId: text,
    },
    required: ['chatId', 'file'],
    run: (state, instance, params) => ({
      ...send(state, instance, String(params.chatId), String(params.caption ?? ''), uploaded(params)),
      urlFile: `https://storage.example/${instance.idInstance}`,
    }),
  },
  showMessagesQueue: {
    verb: 'GET',
    perSecond: 1,
    run(state, instance) {
      state.forget(instance)
      return instance.held.map(({ idMessage, chatId, text: message }) => ({
        messageID: idMessage,
        messagesIDs: [],
        type: 'sendMessage',
        body: { chatId, message },
      }))
    },
  },
  clearMessagesQueue: {
    verb: 'GET',
    perSecond: 1,
    run(_, instance) {
      instance.held = []
      return { isCleared: true }
    },
  },
  readChat: {
    verb: 'POST',
    perSecond: 10,
    params: { chatId, idMessage: text },
    required: ['chatId'],
    run: () => ({ setRead: true }),
  },
  sendTyping: {
    verb: 'POST',
    perSecond: 50,
    params: { chatId, typingTime: between(1000, 20_000), typingType: (value) => value === 'recording' },
    required: ['chatId'],
    run(state, instance, params) {
      state.typing.push({ idInstance: instance.idInstance, chatId: String(params.chatId), at: Date.now() })
      return undefined
    },
  },
  lastOutgoingMessages: { verb: 'GET', perSecond: 1, query: ['minutes'], run: lastOutgoingMessages },
  receiveNotification: { verb: 'GET', perSecond: 100, query: ['receiveTimeout'], run: receiveNotification },
  deleteNotification: { verb: 'DELETE', perSecond: 100, run: deleteNotification },
}

/** Runs one method. Undefined: the body of the answer is empty. @throws GreenApiError */
export async function greenApiMethods(
  state: GreenApiState,
  instance: FakeInstance,
  request: Request,
): Promise<unknown> {
  const method = METHODS[request.method]
  if (!method || method.verb !== request.verb)
    throw new GreenApiError(404, { statusCode: 404, message: `Cannot ${request.verb} ${request.method}` })
  const hasRest = request.method === 'deleteNotification'
  if (hasRest !== (request.rest !== '')) throw new GreenApiError(404, { statusCode: 404, message: 'Not Found' })
  const params = checkBody(method, request)
  state.calls.push({
    idInstance: instance.idInstance,
    method: request.method,
    chatId: typeof params.chatId === 'string' ? params.chatId : null,
    at: Date.now(),
  })
  state.changed()
  limitRate(state, instance, request.method, method.perSecond)
  return method.run(state, instance, params, request)
}

/** Whether the answer is dropped on the way. The sent message records that its answer was lost. */
export function isAnswerLost(state: GreenApiState, method: string, value: unknown): boolean {
  const { faults } = state
  if (method === 'receiveNotification') return Math.random() < faults.pollDropRate
  if (!SENDING.has(method)) return false
  if (faults.answersToDrop === 0 && Math.random() >= faults.dropRate) return false
  if (faults.answersToDrop > 0) faults.answersToDrop--
  const { idMessage } = value as { idMessage: string }
  const message = state.sent.find((each) => each.idMessage === idMessage)
  if (message) message.isUnanswered = true
  return true
}

function checkBody(
  { verb, params = {}, required = [], isForm = false, query: known = [] }: Method,
  { body, query }: Request,
): Record<string, unknown> {
  for (const name of query.keys()) if (!known.includes(name)) throw invalid(`"${name}" is not allowed`)
  if (verb !== 'POST') {
    if (body !== undefined) throw invalid('"body" is not allowed')
    return {}
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new GreenApiError(400, { message: 'bad request data' })
  const given = body as Record<string, unknown>
  if (Object.keys(given).length === 0) throw invalid('"value" must have at least 1 key')
  const hasForm = Object.values(given).some(isUpload)
  if (hasForm !== isForm) throw new GreenApiError(400, { message: 'bad request data' })
  for (const name of required) if (!(name in given)) throw invalid(`"${name}" is required`)
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(params, name) ? params[name] : undefined
    if (!check) throw invalid(`"${name}" is not allowed`)
    if (!check(value)) throw invalid(`"${name}" is not valid`)
  }
  return given
}

function invalid(detail: string): GreenApiError {
  return new GreenApiError(400, { statusCode: 400, message: `Validation failed. Details: ${detail}` })
}

function limitRate(state: GreenApiState, instance: FakeInstance, method: string, perSecond: number): void {
  const now = performance.now()
  const recent = (instance.recentCalls.get(method) ?? []).filter((at) => now - at < state.secondMs)
  if (recent.length >= perSecond) throw new GreenApiError(429, { message: 'Too Many Requests' })
  instance.recentCalls.set(method, [...recent, now])
}

function settingsOf({ settings, state, phone }: FakeInstance): object {
  return { wid: state === 'notAuthorized' ? '' : `${phone}@c.us`, typeInstance: 'whatsapp', ...settings }
}

/** The instance restarts with every change of its settings. */
function setSettings(state: GreenApiState, instance: FakeInstance, given: Record<string, unknown>): object {
  const url = given.webhookUrl
  if (typeof url === 'string' && url !== '' && !/^https?:\/\//.test(url))
    throw invalid('"webhookUrl" must be a valid uri')
  Object.assign(instance.settings, given)
  state.restart(instance)
  state.deliverSoon(instance)
  return { saveSettings: true }
}

/** A code is valid for twenty seconds, and then replaced. */
function qr(state: GreenApiState, instance: FakeInstance): object {
  if (state.faults.qr) return state.faults.qr
  if (instance.state === 'authorized') return { type: 'alreadyLogged', message: 'instance account already authorized' }
  if (instance.state !== 'notAuthorized') return { type: 'error', message: 'instance in starting process try later' }
  const turn = Math.floor(performance.now() / (20 * state.secondMs))
  return { type: 'qrCode', message: qrPicture(`${QR_TEXT}/${instance.idInstance}/${turn}`).toString('base64') }
}

/** An instance that may not send keeps the message and sends it later: up to a day of messages leaves at once. */
function send(
  state: GreenApiState,
  instance: FakeInstance,
  chat: string,
  message: string,
  sent: Partial<Pick<SentMessage, 'fileUrl' | 'file'>> = {},
): object {
  const { faults } = state
  if (faults.refusals.count > 0) {
    faults.refusals.count--
    throw new GreenApiError(faults.refusals.status, { message: 'Refused on demand' })
  }
  if (instance.quotaChats !== null && !instance.quotaChats.has(chat)) throw quotaExceeded(instance.quotaChats)
  const idMessage = state.newMessageId()
  state.take(instance, {
    idInstance: instance.idInstance,
    chatId: chat,
    text: message,
    fileUrl: null,
    file: null,
    ...sent,
    idMessage,
    at: performance.now(),
  })
  return { idMessage }
}

/** The name that is given goes before that of the file itself. */
function uploaded({ file, fileName }: Record<string, unknown>): { file: UploadedFile } {
  const given = file as UploadedFile
  return { file: { ...given, name: typeof fileName === 'string' ? fileName : given.name } }
}

function quotaExceeded(chats: Set<string>): GreenApiError {
  const used = chats.size
  return new GreenApiError(466, {
    invokeStatus: { method: 'sendmessage', used, total: 0, status: 'QUOTE_ALLOWED' },
    correspondentsStatus: {
      method: 'correspondents',
      used,
      total: used,
      status: 'CORRESPONDENTS_QUOTE_EXCEEDED',
      description: `Monthly quota has been exceeded. You can only send or receive messages from these numbers: ${[...chats].join(',')}`,
    },
  })
}

/** What has left, the newest first; a text with a link is of another type than one without. */
function lastOutgoingMessages(
  state: GreenApiState,
  { idInstance }: FakeInstance,
  _: unknown,
  { query }: Request,
): object[] {
  const minutes = Number(query.get('minutes') ?? KEPT_MINUTES)
  if (!between(1, KEPT_MINUTES)(minutes)) throw invalid('"minutes" must be between 1 and 1440')
  const now = performance.now()
  const oldest = now - minutes * 60 * state.secondMs
  const newest = state.faults.isLogLate ? now - LOG_SECONDS * state.secondMs : now
  return state.sent
    .filter((message) => message.idInstance === idInstance && message.at >= oldest && message.at <= newest)
    .reverse()
    .map(logged)
}

function logged({ idMessage, chatId: chat, text, file, fileUrl, at }: SentMessage): object {
  const timestamp = Math.floor((performance.timeOrigin + at) / 1000)
  const head = { type: 'outgoing', idMessage, timestamp, chatId: chat, statusMessage: 'sent', sendByApi: true }
  if (file !== null || fileUrl !== null) return { ...head, typeMessage: 'documentMessage', caption: text }
  if (!/https?:\/\//.test(text)) return { ...head, typeMessage: 'textMessage', textMessage: text }
  return { ...head, typeMessage: 'extendedTextMessage', extendedTextMessage: { text } }
}

/** The oldest notification, which stays the oldest until it is deleted; null when none comes in time. */
async function receiveNotification(
  state: GreenApiState,
  instance: FakeInstance,
  _: unknown,
  { query, gone }: Request,
): Promise<unknown> {
  const seconds = Number(query.get('receiveTimeout') ?? 5)
  if (!between(5, 60)(seconds)) throw invalid('"receiveTimeout" must be between 5 and 60')
  if (instance.settings.webhookUrl !== '') throw new GreenApiError(400, { message: 'custom webhook url is set' })
  state.forget(instance)
  if (instance.queue.length === 0) await state.waitForNotification(instance, seconds * state.secondMs, gone)
  const first = instance.queue[0]
  return first === undefined ? null : { receiptId: first.receiptId, body: first.body }
}

function deleteNotification(state: GreenApiState, instance: FakeInstance, _: unknown, { rest }: Request): object {
  const at = instance.queue.findIndex(({ receiptId }) => String(receiptId) === rest)
  if (at === -1) return { result: false, reason: 'receipt not found' }
  state.acknowledge(instance.queue.splice(at, 1).map(({ body }) => body))
  return { result: true, reason: '' }
}
