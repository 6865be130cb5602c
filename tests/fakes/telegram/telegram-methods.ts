// What the fake Telegram answers a bot: the methods of the Bot API that we call, with its checks and error texts.
// @source core.telegram.org/bots/api
import type { SentButton, SentEntity, SentFile, SentMessage, TelegramState } from './telegram.ts'

/** `date`: when it was connected, in seconds. */
export type FakeBusiness = { ownerId: number; date: number; isEnabled: boolean; canReply: boolean }

/** One notification, as Telegram makes it. */
export type Update = object & { update_id: number }
export type FakeBot = {
  id: number
  token: string
  username: string
  webhook: { url: string; secret: string } | null
  /** The last failure of its webhook; `date` in seconds. */
  lastError: { date: number; message: string } | null
  /** Kinds of updates that it subscribes to; null: all. */
  allowedUpdates: string[] | null
  /** Business accounts that it answers for, by the id of the connection. */
  businesses: Map<string, FakeBusiness>
  /** Updates that wait to be polled. */
  pending: Update[]
  poller: { wake(): void; terminate(): void } | null
  nextUpdateId: number
  nextMessageId: number
  /** Chats that have written: a bot cannot begin. */
  knownChats: Set<string>
  /** The menu of commands by language of the messenger; empty: of everybody who has no list of their own. */
  menus: Map<string, { command: string; description: string }[]>
}

/** A refusal of the Bot API. */
export class BotApiError extends Error {
  readonly code: number
  readonly description: string
  readonly parameters: { retry_after: number } | { migrate_to_chat_id: number } | null
  constructor(code: number, description: string, parameters: BotApiError['parameters'] = null) {
    super(description)
    this.code = code
    this.description = description
    this.parameters = parameters
  }
}

type Answer = { value: unknown; isAnswerLost?: boolean }

/** Where something is sent. */
const CHAT = ['chat_id', 'message_thread_id', 'business_connection_id']
/** Parameters of each method; anything else is refused, which the real Bot API would ignore. */
const PARAMETERS: Record<string, string[]> = {
  getMe: [],
  setWebhook: ['url', 'secret_token', 'allowed_updates', 'drop_pending_updates', 'max_connections'],
  deleteWebhook: ['drop_pending_updates'],
  getWebhookInfo: [],
  getUpdates: ['offset', 'limit', 'timeout', 'allowed_updates'],
  sendMessage: [...CHAT, 'text', 'entities', 'link_preview_options', 'reply_markup'],
  sendVoice: [...CHAT, 'voice'],
  sendPhoto: [...CHAT, 'photo'],
  sendDocument: [...CHAT, 'document'],
  sendChatAction: [...CHAT, 'action'],
  answerCallbackQuery: ['callback_query_id', 'text', 'show_alert', 'url', 'cache_time'],
  setMyCommands: ['commands', 'scope', 'language_code'],
  getFile: ['file_id'],
}

/** Runs one method. `gone` resolves when the caller has hung up. @throws BotApiError */
export async function botMethods(
  state: TelegramState,
  method: string,
  bot: FakeBot,
  body: unknown,
  gone: Promise<void>,
): Promise<Answer> {
  const allowed = PARAMETERS[method]
  if (!allowed) throw new BotApiError(404, 'Not Found')
  if (typeof body !== 'object' || body === null) throw new BotApiError(400, "Bad Request: can't parse the body as JSON")
  const params = body as Record<string, unknown>
  const unknown = Object.keys(params).filter((name) => !allowed.includes(name))
  if (unknown.length > 0) throw new BotApiError(400, `Bad Request: unknown parameters ${unknown.join(', ')}`)
  state.calls.push({ method, chatId: 'chat_id' in params ? String(params.chat_id) : null, at: Date.now() })
  state.changed()
  switch (method) {
    case 'getMe':
      return { value: { id: bot.id, is_bot: true, first_name: bot.username, username: bot.username } }
    case 'setWebhook':
      return { value: setWebhook(state, bot, params) }
    case 'deleteWebhook':
      return { value: deleteWebhook(bot, params) }
    case 'getWebhookInfo':
      return { value: webhookInfo(bot) }
    case 'getUpdates':
      return {
        value: await getUpdates(state, bot, params, gone),
        isAnswerLost: Math.random() < state.faults.pollDropRate,
      }
    case 'sendMessage':
      return sendMessage(state, bot, params)
    case 'sendVoice':
      return sendVoice(state, bot, params)
    case 'sendPhoto':
      return sendPhoto(state, bot, params)
    case 'sendDocument':
      return sendDocument(state, bot, params)
    case 'answerCallbackQuery':
      return { value: answerCallbackQuery(state, params) }
    case 'setMyCommands':
      return { value: setMyCommands(bot, params) }
    case 'getFile':
      return { value: getFile(state, params) }
    default:
      return { value: sendChatAction(state, bot, params) }
  }
}

function setWebhook(state: TelegramState, bot: FakeBot, params: Record<string, unknown>): true {
  const url = typeof params.url === 'string' ? params.url : ''
  const secret = typeof params.secret_token === 'string' ? params.secret_token : ''
  if (url === '') return deleteWebhook(bot, params)
  if (!/^https?:\/\//.test(url)) throw new BotApiError(400, 'Bad Request: bad webhook: An HTTPS URL must be provided')
  if (!/^[A-Za-z0-9_-]{0,256}$/.test(secret)) {
    throw new BotApiError(400, 'Bad Request: secret token contains unallowed characters')
  }
  bot.poller?.terminate()
  bot.webhook = { url, secret }
  allowUpdates(bot, params)
  if (params.drop_pending_updates === true) bot.pending.length = 0
  state.flushPending(bot)
  return true
}

/** `last_error_…` stand there only after a failure. */
function webhookInfo({ webhook, pending, lastError, allowedUpdates }: FakeBot): object {
  return {
    url: webhook?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: pending.length,
    ...(webhook && lastError && { last_error_date: lastError.date, last_error_message: lastError.message }),
    ...(allowedUpdates && { allowed_updates: allowedUpdates }),
  }
}

/** Left out: as before. An empty list: all but a few kinds. */
function allowUpdates(bot: FakeBot, { allowed_updates: kinds }: Record<string, unknown>): void {
  if (kinds === undefined) return
  if (!Array.isArray(kinds) || kinds.some((kind) => typeof kind !== 'string')) {
    throw new BotApiError(400, "Bad Request: can't parse allowed updates")
  }
  bot.allowedUpdates = kinds.length > 0 ? (kinds as string[]) : null
}

function deleteWebhook(bot: FakeBot, params: Record<string, unknown>): true {
  bot.webhook = null
  if (params.drop_pending_updates === true) bot.pending.length = 0
  return true
}

/** Waits for updates up to `timeout` seconds. Asking from an offset on confirms, and so forgets, everything before it. */
async function getUpdates(
  state: TelegramState,
  bot: FakeBot,
  params: Record<string, unknown>,
  gone: Promise<void>,
): Promise<object[]> {
  if (bot.webhook) {
    throw new BotApiError(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    )
  }
  const { token } = bot
  bot.poller?.terminate()
  allowUpdates(bot, params)
  const offset = typeof params.offset === 'number' ? params.offset : null
  if (offset !== null) confirm(state, bot, offset)
  const limit = typeof params.limit === 'number' ? params.limit : 100
  if (bot.pending.length > 0) return bot.pending.slice(0, limit)
  const seconds = typeof params.timeout === 'number' ? params.timeout : 0
  const end = await waitForUpdate(state, bot, seconds * 1000, gone)
  if (end === 'terminated') {
    throw new BotApiError(
      409,
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    )
  }
  if (bot.token !== token) throw new BotApiError(401, 'Unauthorized') // renewed while it waited
  return bot.pending.slice(0, limit)
}

function confirm(state: TelegramState, bot: FakeBot, offset: number): void {
  const taken = bot.pending.filter((update) => update.update_id < offset)
  for (const update of taken) state.acknowledged.add(update.update_id)
  bot.pending = bot.pending.filter((update) => update.update_id >= offset)
  state.changed()
}

function waitForUpdate(
  state: TelegramState,
  bot: FakeBot,
  limitMs: number,
  gone: Promise<void>,
): Promise<'woken' | 'terminated'> {
  if (limitMs === 0) return Promise.resolve('woken')
  return new Promise((resolve) => {
    const end = (how: 'woken' | 'terminated') => {
      clearTimeout(timer)
      if (bot.poller === poller) bot.poller = null
      state.pollers.delete(poller)
      resolve(how)
    }
    const poller = { wake: () => end('woken'), terminate: () => end('terminated') }
    const timer = setTimeout(() => end('woken'), limitMs)
    bot.poller = poller
    state.pollers.add(poller)
    state.changed()
    void gone.then(() => end('woken'))
  })
}

async function sendMessage(state: TelegramState, bot: FakeBot, params: Record<string, unknown>): Promise<Answer> {
  const chatId = checkChat(state, bot, params)
  const { text } = params
  if (typeof text !== 'string' || text.trim() === '') throw new BotApiError(400, 'Bad Request: message text is empty')
  if (text.length > 4096) throw new BotApiError(400, 'Bad Request: message is too long')
  const entities = checkEntities(state, params.entities, text)
  const buttons = checkKeyboard(params.reply_markup)
  return arrive(state, bot, { ...placeOf(params), chatId, text, entities, ...(buttons && { buttons }) })
}

async function sendVoice(state: TelegramState, bot: FakeBot, params: Record<string, unknown>): Promise<Answer> {
  const chatId = checkChat(state, bot, params)
  const { voice } = params
  if (!(voice instanceof File)) throw new BotApiError(400, 'Bad Request: there is no voice in the request')
  const bytes = new Uint8Array(await voice.arrayBuffer())
  if (Buffer.from(bytes.subarray(0, 4)).toString() !== 'OggS')
    throw new BotApiError(400, 'Bad Request: wrong file type')
  return arrive(state, bot, { ...placeOf(params), chatId, text: '', voice: bytes })
}

/** A ratio of the sides beyond 1 to 20 is refused; here it is read from the bytes alone, which must be a PNG or a JPEG. */
async function sendPhoto(state: TelegramState, bot: FakeBot, params: Record<string, unknown>): Promise<Answer> {
  const chatId = checkChat(state, bot, params)
  const photo = await fileOf(params.photo, 'photo')
  if (photo.bytes.length > 10 * 1024 * 1024) throw new BotApiError(400, 'Bad Request: file is too big')
  const isPicture = photo.bytes[0] === 0x89 || photo.bytes[0] === 0xff
  if (!isPicture) throw new BotApiError(400, 'Bad Request: IMAGE_PROCESS_FAILED')
  return arrive(state, bot, { ...placeOf(params), chatId, text: '', photo })
}

async function sendDocument(state: TelegramState, bot: FakeBot, params: Record<string, unknown>): Promise<Answer> {
  const chatId = checkChat(state, bot, params)
  return arrive(state, bot, {
    ...placeOf(params),
    chatId,
    text: '',
    document: await fileOf(params.document, 'document'),
  })
}

async function fileOf(given: unknown, what: string): Promise<SentFile> {
  if (!(given instanceof File)) throw new BotApiError(400, `Bad Request: there is no ${what} in the request`)
  if (given.size === 0) throw new BotApiError(400, 'Bad Request: file must be non-empty')
  return { name: given.name, bytes: new Uint8Array(await given.arrayBuffer()) }
}

/** Written down before it is answered; the answer may be late or lost. */
async function arrive(
  state: TelegramState,
  bot: FakeBot,
  { chatId, ...content }: Omit<SentMessage, 'token' | 'messageId' | 'at'>,
): Promise<Answer> {
  const { faults } = state
  if (faults.refusals.count > 0) {
    faults.refusals.count--
    throw new BotApiError(faults.refusals.status, 'Refused on demand')
  }
  const message: SentMessage = {
    token: bot.token,
    chatId,
    ...content,
    messageId: bot.nextMessageId++,
    at: performance.now(),
  }
  state.sent.push(message)
  state.changed()
  if (state.sendingTo.has(chatId)) state.overlappingSends++
  state.sendingTo.add(chatId)
  if (faults.answerDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.answerDelayMs))
  state.sendingTo.delete(chatId)
  const isAnswerLost = faults.answersToDrop > 0 || Math.random() < faults.dropRate
  if (faults.answersToDrop > 0) faults.answersToDrop--
  if (isAnswerLost) message.isUnanswered = true
  const chat = { id: Number(chatId), type: 'private' }
  const date = Math.floor(Date.now() / 1000)
  return { value: { message_id: message.messageId, date, chat, text: content.text }, isAnswerLost }
}

function getFile(state: TelegramState, params: Record<string, unknown>): object {
  const file = state.files.get(String(params.file_id))
  if (!file) throw new BotApiError(400, 'Bad Request: wrong file_id or the file is temporarily unavailable')
  if (file.bytes.length > 20 * 1024 * 1024) throw new BotApiError(400, 'Bad Request: file is too big')
  return { file_id: params.file_id, file_unique_id: params.file_id, file_path: file.path, file_size: file.bytes.length }
}

/** Rows of buttons that say something and carry 1 to 64 bytes. */
function checkKeyboard(markup: unknown): SentButton[][] | null {
  if (markup === undefined) return null
  const { inline_keyboard: rows } = (markup ?? {}) as { inline_keyboard?: unknown }
  if (!Array.isArray(rows) || !rows.every((row) => Array.isArray(row))) {
    throw new BotApiError(400, 'Bad Request: object expected as reply markup')
  }
  for (const { text, callback_data: data } of rows.flat() as Partial<SentButton>[]) {
    if (typeof text !== 'string' || text.trim() === '') {
      throw new BotApiError(
        400,
        'Bad Request: can\'t parse inline keyboard button: Field "text" must be of type String',
      )
    }
    const bytes = typeof data === 'string' ? Buffer.byteLength(data) : 0
    if (bytes < 1 || bytes > 64) throw new BotApiError(400, 'Bad Request: BUTTON_DATA_INVALID')
  }
  return rows as SentButton[][]
}

/** Each press is answered once. */
function answerCallbackQuery(
  state: TelegramState,
  { callback_query_id: id, text = null }: Record<string, unknown>,
): true {
  if (typeof id !== 'string' || state.presses.get(id) !== 'open') {
    const why = 'query is too old and response timeout expired or query ID is invalid'
    throw new BotApiError(400, `Bad Request: ${why}`)
  }
  if (text !== null && (typeof text !== 'string' || text.length > 200)) {
    throw new BotApiError(400, 'Bad Request: MESSAGE_TOO_LONG')
  }
  state.presses.set(id, { notice: text })
  state.changed()
  return true
}

/** Lower-case names and descriptions of the documented length, at most a hundred; two letters name a language. */
function setMyCommands(bot: FakeBot, { commands, language_code: language = '' }: Record<string, unknown>): true {
  const isCommand = ({ command, description }: { command: unknown; description: unknown }) =>
    typeof command === 'string' &&
    /^[a-z0-9_]{1,32}$/.test(command) &&
    typeof description === 'string' &&
    description.length >= 1 &&
    description.length <= 256
  if (!Array.isArray(commands)) throw new BotApiError(400, "Bad Request: can't parse commands")
  if (commands.length > 100) throw new BotApiError(400, 'Bad Request: BOT_COMMANDS_TOO_MUCH')
  if (!commands.every(isCommand)) throw new BotApiError(400, 'Bad Request: BOT_COMMAND_INVALID')
  if (typeof language !== 'string' || !/^([a-z]{2})?$/.test(language)) {
    throw new BotApiError(400, 'Bad Request: LANG_CODE_INVALID')
  }
  bot.menus.set(language, commands)
  return true
}

function sendChatAction(state: TelegramState, bot: FakeBot, params: Record<string, unknown>): true {
  const chatId = checkChat(state, bot, params)
  if (params.action !== 'typing') throw new BotApiError(400, 'Bad Request: wrong parameter action in request')
  state.typing.push({ token: bot.token, chatId, at: Date.now() })
  return true
}

function checkChat(state: TelegramState, bot: FakeBot, params: Record<string, unknown>): string {
  const { chat_id: id } = params
  if (typeof id !== 'number' && typeof id !== 'string') throw new BotApiError(400, 'Bad Request: chat_id is empty')
  const chatId = String(id)
  checkPlace(state, bot, params)
  if (!bot.knownChats.has(chatId)) throw new BotApiError(400, 'Bad Request: chat not found')
  if (state.faults.blocked.has(chatId)) throw new BotApiError(403, 'Forbidden: bot was blocked by the user')
  const grownInto = state.faults.grown.get(chatId)
  if (grownInto !== undefined) {
    const description = 'Bad Request: group chat was upgraded to a supergroup chat'
    throw new BotApiError(400, description, { migrate_to_chat_id: grownInto })
  }
  const waitMs = (state.faults.rateLimitedUntil.get(chatId) ?? 0) - Date.now()
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1000)
    throw new BotApiError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
  }
  return chatId
}

/** A topic that was never opened, and a business account that the bot does not answer for, cannot be written to. */
function checkPlace(state: TelegramState, bot: FakeBot, params: Record<string, unknown>): void {
  const { message_thread_id: thread, business_connection_id: business } = params
  if (thread !== undefined && (typeof thread !== 'number' || !state.topics.has(`${params.chat_id}/${thread}`))) {
    throw new BotApiError(400, 'Bad Request: message thread not found')
  }
  if (business === undefined) return
  const connected = typeof business === 'string' ? bot.businesses.get(business) : undefined
  if (!connected) throw new BotApiError(400, 'Bad Request: business connection not found')
  if (!connected.isEnabled) throw new BotApiError(400, 'Bad Request: BUSINESS_CONNECTION_INVALID')
  if (!connected.canReply) throw new BotApiError(400, 'Bad Request: BUSINESS_PEER_INVALID')
}

function placeOf({ message_thread_id: thread, business_connection_id: business }: Record<string, unknown>) {
  return {
    ...(typeof thread === 'number' && { threadId: thread }),
    ...(typeof business === 'string' && { businessConnectionId: business }),
  }
}

const ENTITIES = ['bold', 'italic', 'strikethrough', 'code', 'pre', 'text_link', 'blockquote']

/** Of the types that are documented, each within the text. */
function checkEntities(state: TelegramState, given: unknown, text: string): SentEntity[] {
  if (given === undefined) return []
  const isEntity = (entity: SentEntity) =>
    ENTITIES.includes(entity.type) &&
    Number.isInteger(entity.offset) &&
    Number.isInteger(entity.length) &&
    entity.offset >= 0 &&
    entity.length > 0 &&
    entity.offset + entity.length <= text.length &&
    (entity.type === 'text_link') === (typeof entity.url === 'string')
  const isRefused = state.faults.refusesEntities && Array.isArray(given) && given.length > 0
  if (isRefused || !Array.isArray(given) || !(given as SentEntity[]).every(isEntity)) {
    throw new BotApiError(400, "Bad Request: can't parse entities")
  }
  return given as SentEntity[]
}
