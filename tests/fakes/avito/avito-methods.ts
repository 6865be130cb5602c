// What the fake Avito answers: the calls of its OAuth, of accounts and of the messenger, with their checks and the envelope of errors.
// @source developers.avito.ru/api-catalog/messenger/documentation, developers.avito.ru/api-catalog/auth/documentation
import { randomBytes } from 'node:crypto'
import type { AvitoState, FakeAvitoAccount, FakeAvitoMessage, FakeChat } from './avito.ts'

export type AvitoRequest = { verb: string; url: URL; token: string | null; contentType: string; bytes: Buffer }
/** Null: the connection is cut. */
export type AvitoAnswer = { status: number; body: unknown; retryAfter?: number } | null

class Refusal extends Error {
  readonly status: number
  readonly retryAfter: number | undefined
  constructor(status: number, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

const LOST = Symbol('the answer is lost')
const TEXT_MAX = 1000
const IMAGE_MAX_BYTES = 24 * 1024 * 1024
/** How the files begin that are pictures to Avito: JPEG, PNG, GIF, BMP and HEIC. */
const PICTURES = [/^\xff\xd8/, /^\x89PNG/, /^GIF8/, /^BM/, /^....ftyphei/s]

type Fields = Record<string, unknown>
/** What stands at its place of the path. */
type Place = { account: FakeAvitoAccount; chat: FakeChat | null; request: AvitoRequest }
type Answer = (state: AvitoState, place: Place) => unknown

/** Method and path of each call; `:user` and `:chat` stand for ids. */
const CALLS: Record<string, Answer> = {
  'GET /core/v1/accounts/self': (_, { account }) => ({
    ...{ id: account.userId, name: account.name, email: 'shop@example.com', phone: '79990000000' },
    profile_url: `https://avito.ru/user/${account.userId}/profile`,
  }),
  'POST /messenger/v3/webhook': subscribe,
  'POST /messenger/v1/webhook/unsubscribe': unsubscribe,
  'POST /messenger/v1/subscriptions': ({ faults }, { account }) => {
    if (faults.failedLists-- > 0) throw new Refusal(500, 'oops')
    return { subscriptions: account.subscriptions }
  },
  'GET /messenger/v2/accounts/:user/chats': listChats,
  'GET /messenger/v2/accounts/:user/chats/:chat': async (state, { account, chat }) => {
    await new Promise((resolve) => setTimeout(resolve, state.faults.slowChatsMs))
    return described(account, given(chat))
  },
  'GET /messenger/v3/accounts/:user/chats/:chat/messages/': listMessages,
  'POST /messenger/v1/accounts/:user/chats/:chat/messages': sendText,
  'POST /messenger/v1/accounts/:user/chats/:chat/messages/image': sendImage,
  'POST /messenger/v1/accounts/:user/chats/:chat/read': (state, { chat }) => {
    given(chat).reads += 1
    for (const message of given(chat).messages) message.isRead = true
    state.changed()
    return { ok: true }
  },
  'POST /messenger/v1/accounts/:user/uploadImages': upload,
  'GET /messenger/v1/accounts/:user/getVoiceFiles': voices,
}

export async function answerAvito(state: AvitoState, request: AvitoRequest): Promise<AvitoAnswer> {
  try {
    return { status: 200, body: await run(state, request) }
  } catch (error) {
    if (error === LOST) return null
    if (!(error instanceof Refusal)) throw error
    const { status, message, retryAfter } = error
    const body = { error: { code: status, message } }
    return { status, body, ...(retryAfter !== undefined && { retryAfter }) }
  }
}

function run(state: AvitoState, request: AvitoRequest): unknown {
  const { verb, url } = request
  if (url.pathname === '/token') return giveToken(state, request)
  const account = [...state.accounts.values()].find(({ tokens }) => tokens.has(request.token ?? ''))
  if (!account) throw new Refusal(401, 'Invalid access token')
  if ((account.tokens.get(request.token ?? '') ?? 0) <= state.now()) throw new Refusal(401, 'Access token expired')
  const [, userId, chatId] = /\/accounts\/(\d+)(?:\/chats\/([^/]+))?/.exec(url.pathname) ?? []
  const named = url.pathname.replace(/\/accounts\/\d+/, '/accounts/:user').replace(/\/chats\/[^/]+/, '/chats/:chat')
  const call = CALLS[`${verb} ${named}`]
  if (!call) throw new Refusal(404, 'Not found')
  if (userId !== undefined && Number(userId) !== account.userId) throw new Refusal(403, 'Permission denied')
  if (url.pathname.startsWith('/messenger/') && !account.hasMessenger) throw new Refusal(403, 'Access is not paid for')
  const chat = chatId === undefined ? null : (account.chats.get(decodeURIComponent(chatId)) ?? null)
  if (chatId !== undefined && !chat) throw new Refusal(404, 'Chat not found')
  return call(state, { account, chat, request })
}

function giveToken(state: AvitoState, { verb, contentType, bytes }: AvitoRequest): unknown {
  if (verb !== 'POST') throw new Refusal(404, 'Not found')
  if (!contentType.startsWith('application/x-www-form-urlencoded')) throw new Refusal(400, 'invalid_request')
  const form = new URLSearchParams(bytes.toString())
  if (form.get('grant_type') !== 'client_credentials') throw new Refusal(400, 'unsupported_grant_type')
  if (state.faults.failedTokens > 0) {
    state.faults.failedTokens -= 1
    throw new Refusal(503, 'Service unavailable')
  }
  const account = [...state.accounts.values()].find(
    ({ clientId, clientSecret }) => clientId === form.get('client_id') && clientSecret === form.get('client_secret'),
  )
  if (!account) throw new Refusal(401, 'invalid_client')
  const token = randomBytes(24).toString('base64url')
  account.tokens.set(token, state.now() + state.tokenSeconds * 1000)
  return { access_token: token, expires_in: state.tokenSeconds, token_type: 'Bearer' }
}

function subscribe(state: AvitoState, { account, request }: Place): unknown {
  const url = urlOf(request)
  if (!account.subscriptions.some((one) => one.url === url)) account.subscriptions.push({ url, version: '3' })
  state.changed()
  return { ok: true }
}

function unsubscribe(state: AvitoState, { account, request }: Place): unknown {
  const url = urlOf(request)
  account.subscriptions = account.subscriptions.filter((one) => one.url !== url)
  state.changed()
  return { ok: true }
}

function urlOf(request: AvitoRequest): string {
  const { url, ...rest } = json(request)
  if (typeof url !== 'string' || !URL.canParse(url) || Object.keys(rest).length > 0) throw new Refusal(400, 'Bad url')
  return url
}

/** The chat with the latest message comes first. */
function listChats(state: AvitoState, { account, request: { url } }: Place): unknown {
  const types = (url.searchParams.get('chat_types') ?? 'u2i').split(',')
  if (types.some((type) => type !== 'u2i' && type !== 'u2u')) throw new Refusal(400, 'Bad chat_types')
  const isUnreadOnly = url.searchParams.get('unread_only') === 'true'
  const all = [...account.chats.values()]
    .filter(({ type }) => types.includes(type))
    .filter(({ messages }) => messages.length > 0)
    .filter(({ messages }) => !isUnreadOnly || messages.some((one) => isUnread(account, one)))
    .sort((a, b) => updatedAt(b) - updatedAt(a))
  if (state.listsOldestFirst) all.reverse()
  return { chats: paged(all, url).map((chat) => described(account, chat)) }
}

function isUnread({ userId }: FakeAvitoAccount, { authorId, isRead }: FakeAvitoMessage): boolean {
  return authorId !== userId && !isRead
}

/** The newest first. */
function listMessages(state: AvitoState, { account, chat, request: { url } }: Place): unknown {
  const { messages } = given(chat)
  const listed = paged(state.listsOldestFirst ? messages : messages.toReversed(), url).map((message) =>
    shown(account, message),
  )
  return state.wrapsMessages ? { messages: listed, meta: { has_more: false } } : listed
}

function paged<T>(all: T[], url: URL): T[] {
  const limit = Number(url.searchParams.get('limit') ?? 100)
  const offset = Number(url.searchParams.get('offset') ?? 0)
  if (!(limit >= 1 && limit <= 100 && offset >= 0 && offset <= 1000)) throw new Refusal(400, 'Bad limit or offset')
  return all.slice(offset, offset + limit)
}

async function sendText(state: AvitoState, place: Place): Promise<unknown> {
  const { type, message, ...rest } = json(place.request)
  const { text, ...more } = (message ?? {}) as Fields
  const isWhole = type === 'text' && Object.keys({ ...rest, ...more }).length === 0
  if (!isWhole || typeof text !== 'string' || text === '') throw new Refusal(400, 'Bad message')
  if ([...text].length > TEXT_MAX) throw new Refusal(400, `The text is longer than ${TEXT_MAX} characters`)
  return post(state, place, { type, content: { text } })
}

async function sendImage(state: AvitoState, place: Place): Promise<unknown> {
  const { image_id: id, ...rest } = json(place.request)
  const file = place.account.images.get(String(id))
  if (!file || Object.keys(rest).length > 0) throw new Refusal(400, 'No such image')
  const sizes = { '1280x960': `${state.url}/images/${String(id)}` }
  return post(state, place, { type: 'image', content: { image: { sizes } }, file })
}

async function post(
  state: AvitoState,
  { account, chat }: Place,
  content: Pick<FakeAvitoMessage, 'type' | 'content'> & { file?: FakeAvitoMessage['file'] },
): Promise<unknown> {
  const refusal = state.faults.refusals.shift()
  if (refusal) throw new Refusal(refusal.status, refusal.message, refusal.retryAfter)
  if (given(chat).isBlocked) throw new Refusal(403, 'The user has blocked you')
  const { notified, ...message } = state.add(account.userId, given(chat), { ...content, authorId: account.userId })
  if (state.faults.tellsFirst) await notified
  await new Promise((resolve) => setTimeout(resolve, state.faults.slowSendsMs))
  if (state.faults.answersToDrop > 0) {
    state.faults.answersToDrop -= 1
    throw LOST
  }
  return { ...shown(account, message), direction: 'out' }
}

/** One picture at a time. */
async function upload(state: AvitoState, { account, request: { contentType, bytes } }: Place): Promise<unknown> {
  const body = new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
  const form = await body.formData().catch(() => null)
  const [file, ...others] = form?.getAll('uploadfile[]') ?? []
  if (!(file instanceof File) || others.length > 0) throw new Refusal(400, 'One file is wanted in uploadfile[]')
  const content = new Uint8Array(await file.arrayBuffer())
  const head = Buffer.from(content.slice(0, 16)).toString('latin1')
  if (content.length > IMAGE_MAX_BYTES || !PICTURES.some((kind) => kind.test(head))) {
    throw new Refusal(400, 'It is no picture, or too large')
  }
  const id = `${randomBytes(3).readUIntBE(0, 3)}.${randomBytes(16).toString('hex')}`
  account.images.set(id, { name: file.name, bytes: content })
  return { [id]: { '1280x960': state.serve(content, 'jpg'), '140x105': state.serve(content, 'jpg') } }
}

function voices(state: AvitoState, { account, request: { url } }: Place): unknown {
  const ids = url.searchParams.getAll('voice_ids')
  const known = ids.flatMap((id) => {
    const bytes = account.voices.get(id)
    return bytes ? [[id, state.serve(bytes, 'mp4')] as const] : []
  })
  return { voices_urls: Object.fromEntries(known) }
}

function described(account: FakeAvitoAccount, { id, customer, ad, messages }: FakeChat): object {
  const [first, last] = [messages.at(0), messages.at(-1)]
  const value = ad && {
    ...{ id: ad.id, title: ad.title, price_string: ad.priceString, url: ad.url },
    ...{ user_id: account.userId, status_id: 10, images: { count: 0 } },
  }
  return {
    ...(value && { context: { type: 'item', value } }),
    ...{ created: first?.created ?? 0, id, updated: last?.created ?? 0 },
    ...(last && { last_message: shown(account, last) }),
    users: [customer, { id: account.userId, name: account.name }],
  }
}

function updatedAt({ messages }: FakeChat): number {
  return messages.at(-1)?.created ?? 0
}

function shown({ userId }: FakeAvitoAccount, { id, authorId, created, type, content, isRead }: FakeAvitoMessage) {
  const direction = authorId === userId ? 'out' : 'in'
  return { author_id: authorId, content, created, direction, id, is_read: isRead, read: null, type }
}

function given(chat: FakeChat | null): FakeChat {
  if (!chat) throw new Refusal(404, 'Chat not found')
  return chat
}

function json({ contentType, bytes }: AvitoRequest): Fields {
  if (!contentType.startsWith('application/json')) throw new Refusal(400, 'JSON is wanted')
  try {
    return JSON.parse(bytes.toString()) as Fields
  } catch {
    throw new Refusal(400, 'JSON is wanted')
  }
}
