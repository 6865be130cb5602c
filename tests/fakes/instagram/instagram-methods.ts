// What the fake Instagram answers: the calls that we make, with the checks and the error envelope of Meta's Graph.
// @source developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/messaging-api
import type { FakeAccount, InstagramMessage, InstagramState } from './instagram.ts'

export type InstagramRequest = { verb: string; url: URL; token: string | null; contentType: string; text: string }
/** Null: the connection is cut. */
export type InstagramAnswer = { status: number; body: unknown } | null

/** A refusal with Meta's error codes. */
class GraphError extends Error {
  readonly code: number
  readonly subcode: number | undefined
  readonly status: number
  constructor(code: number, message: string, { subcode, status = 400 }: { subcode?: number; status?: number } = {}) {
    super(message)
    this.code = code
    this.subcode = subcode
    this.status = status
  }
}

type Fields = Record<string, unknown>
type Check = (value: unknown) => boolean

export const INSTAGRAM_VERSION = 'v24.0'

const LOST = Symbol('the answer is lost')
const DAY_MS = 24 * 3_600_000
const TEXT_MAX_BYTES = 1000
const QUICK_REPLIES = { count: 13, titleLength: 20, payloadLength: 1000 }
/** Fields of the webhook. */
const SUBSCRIBABLE = new Set([
  ...['comments', 'live_comments', 'mentions', 'message_edit', 'message_reactions', 'messages', 'messaging_handover'],
  ...['messaging_optins', 'messaging_postbacks', 'messaging_referral', 'messaging_seen', 'standby', 'story_insights'],
])
const MEGABYTE = 1024 * 1024
/** What may be sent by its address. */
const SENDABLE: Record<string, { types: RegExp; maxBytes: number }> = {
  image: { types: /^image\/(?:png|jpeg|gif)$/, maxBytes: 8 * MEGABYTE },
  audio: { types: /^audio\/(?:aac|mp4|x-m4a|wav|x-wav)$/, maxBytes: 25 * MEGABYTE },
  video: { types: /^video\/(?:mp4|ogg|x-msvideo|quicktime|webm)$/, maxBytes: 25 * MEGABYTE },
  file: { types: /^application\/pdf$/, maxBytes: 25 * MEGABYTE },
}
/** One account sends so many messages in so many milliseconds. */
const PACE = { count: 100, perMs: 1000 }

const isText =
  (max: number): Check =>
  (value) =>
    typeof value === 'string' && value.length > 0 && value.length <= max
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

export async function answerInstagram(state: InstagramState, request: InstagramRequest): Promise<InstagramAnswer> {
  const file = request.verb === 'GET' && state.files.get(request.url.pathname)
  if (file) return { status: 200, body: file }
  try {
    return { status: 200, body: await run(state, request) }
  } catch (error) {
    if (error === LOST) return null
    if (!(error instanceof GraphError)) throw error
    const { code, subcode, message, status } = error
    const named = { message: `(#${code}) ${message}`, type: 'OAuthException', code, error_subcode: subcode }
    return { status, body: { error: { ...named, fbtrace_id: 'Ab12' } } }
  }
}

function run(state: InstagramState, request: InstagramRequest): unknown {
  const { verb, url } = request
  if (url.pathname === '/refresh_access_token' && verb === 'GET') return refresh(state, url)
  const [version, id = '', edge = '', ...rest] = url.pathname.slice(1).split('/')
  if (version !== INSTAGRAM_VERSION || rest.length > 0) throw new GraphError(2500, 'Unknown path components')
  const account = accountOf(state, request.token)
  if (id !== 'me' && id !== account.userId && id !== account.id) return profile(state, account, id, edge, request)
  if (edge === '' && verb === 'GET') return describe(account, url)
  if (edge === 'subscribed_apps') return subscribe(state, account, request)
  if (edge === 'messages' && verb === 'POST') return post(state, account, json(request))
  throw new GraphError(2500, `Unknown path components: /${edge}`)
}

function accountOf(state: InstagramState, token: string | null): FakeAccount {
  const found = [...state.accounts.values()].find(
    ({ accessToken, olderTokens }) => token !== null && [accessToken, ...olderTokens].includes(token),
  )
  if (!found) throw new GraphError(190, 'Invalid OAuth access token - Cannot parse access token', { status: 401 })
  return found
}

/** A new token for one that is a day old and still valid. */
function refresh(state: InstagramState, { searchParams }: URL): unknown {
  if (searchParams.get('grant_type') !== 'ig_refresh_token') throw new GraphError(100, 'Invalid grant_type')
  const account = accountOf(state, searchParams.get('access_token'))
  if (account.tokenMadeAt > state.now() - DAY_MS) throw new GraphError(100, 'The token is not old enough')
  account.olderTokens.push(account.accessToken)
  account.accessToken = state.newToken()
  account.tokenMadeAt = state.now()
  return { access_token: account.accessToken, token_type: 'bearer', expires_in: (60 * DAY_MS) / 1000 }
}

function describe({ userId: user_id, id, username }: FakeAccount, url: URL): unknown {
  return chosen({ id, user_id, username, account_type: 'Business' }, url, 'id')
}

/** A customer's profile: only for those who have written. */
function profile(
  state: InstagramState,
  account: FakeAccount,
  id: string,
  edge: string,
  { verb, url }: InstagramRequest,
) {
  const customer = account.customers.get(id)
  if (edge !== '' || verb !== 'GET' || !/^\d+$/.test(id)) {
    throw new GraphError(100, `Unsupported ${verb.toLowerCase()} request. Object with ID '${id}' does not exist`)
  }
  if (!customer || state.faults.hiddenProfiles > 0) {
    state.faults.hiddenProfiles = Math.max(0, state.faults.hiddenProfiles - 1)
    throw new GraphError(230, 'User consent is required to access user profile')
  }
  return chosen({ id, name: customer.name, username: customer.username, follower_count: 7 }, url, 'id')
}

function chosen(known: Fields, url: URL, otherwise: string): unknown {
  const asked = (url.searchParams.get('fields') ?? otherwise).split(',')
  const foreign = asked.find((name) => !(name in known))
  if (foreign) throw new GraphError(100, `Tried accessing nonexisting field (${foreign})`)
  return { id: known.id, ...Object.fromEntries(asked.map((name) => [name, known[name]])) }
}

function subscribe({ faults }: InstagramState, account: FakeAccount, { verb, url }: InstagramRequest): unknown {
  if (verb === 'GET') {
    const { subscribedFields: subscribed_fields } = account
    return { data: subscribed_fields.length > 0 ? [{ name: 'Parley', id: '4242', subscribed_fields }] : [] }
  }
  if (faults.failedSubscriptions > 0) {
    faults.failedSubscriptions -= 1
    throw new GraphError(2, 'An unexpected error has occurred. Please retry your request later.', { status: 500 })
  }
  if (verb === 'POST' && faults.refusesSubscriptions) {
    throw new GraphError(100, 'The application does not have the capability to make this API call')
  }
  const fields = (url.searchParams.get('subscribed_fields') ?? '').split(',')
  if (verb === 'POST' && fields.some((field) => !SUBSCRIBABLE.has(field))) {
    throw new GraphError(100, 'Param subscribed_fields must be a list of known fields')
  }
  if (verb === 'POST' && faults.forgetsSubscriptions) return { success: true }
  account.subscribedFields = verb === 'DELETE' ? [] : fields
  return { success: true }
}

async function post(state: InstagramState, account: FakeAccount, body: Fields): Promise<unknown> {
  const what = 'sender_action' in body ? { sender_action: isText(20) } : { message: isObject }
  only(body, { recipient: isObject, ...what })
  const recipient = body.recipient as Fields
  only(recipient, { id: (value) => typeof value === 'string' && /^\d+$/.test(value) })
  const to = String(recipient.id)
  if ('sender_action' in body) return act(state, account, to, String(body.sender_action))
  const shown = await contentOf(state, body.message as Fields)
  refuse(state, account, to)
  const message: InstagramMessage = { account: account.userId, to, id: state.messageId(), at: state.now(), ...shown }
  state.sent.push(message)
  state.changed()
  await echo(state, message)
  if (state.faults.answersToDrop > 0) {
    state.faults.answersToDrop -= 1
    throw LOST
  }
  return { recipient_id: to, message_id: message.id }
}

function refuse(state: InstagramState, account: FakeAccount, to: string): void {
  const refusal = state.faults.refusals.shift()
  if (refusal) throw new GraphError(refusal.code, 'refused by the test', refusal)
  const recent = state.sent.filter(({ account: by, at }) => by === account.userId && at > state.now() - PACE.perMs)
  if (recent.length >= PACE.count) throw new GraphError(613, 'Calls to this api have exceeded the rate limit.')
  if (!account.heardAt.has(to)) throw new GraphError(100, 'No matching user found', { subcode: 2018001 })
  if (!state.isOpen(account, to)) {
    throw new GraphError(10, 'This message is sent outside of allowed window.', { subcode: 2534022 })
  }
}

/** The account's own messages are delivered like those it receives, by whatever means they were sent. */
async function echo(state: InstagramState, { account, to, id: mid, text, file }: InstagramMessage): Promise<void> {
  const attachments = file && [{ type: file.type, payload: { url: file.url } }]
  const body = state.echo(account, to, { mid, ...(text && { text }), ...(attachments && { attachments }) })
  if (state.faults.echoes === 'early') return state.deliverOnce(account, 'messages', body)
  setTimeout(() => void state.deliver(account, 'messages', body), 100).unref()
}

function act(state: InstagramState, account: FakeAccount, to: string, action: string): unknown {
  if (!['typing_on', 'typing_off', 'mark_seen'].includes(action)) throw new GraphError(100, 'Invalid sender_action')
  if (!account.heardAt.has(to)) throw new GraphError(100, 'No matching user found', { subcode: 2018001 })
  if (action === 'typing_on') {
    state.typing.push(to)
    state.typedAt = state.now()
    state.changed()
  }
  return { recipient_id: to }
}

type Shown = Pick<InstagramMessage, 'text' | 'quickReplies' | 'file'>

async function contentOf(state: InstagramState, message: Fields): Promise<Shown> {
  if ('attachment' in message) {
    only(message, { attachment: isObject })
    return { text: '', quickReplies: [], file: await fetched(state, message.attachment as Fields) }
  }
  const { quick_replies: given, ...rest } = message
  const fits: Check = (value) => isText(TEXT_MAX_BYTES)(value) && Buffer.byteLength(String(value)) <= TEXT_MAX_BYTES
  only(rest, { text: fits })
  const quickReplies = given === undefined ? [] : quickRepliesOf(given)
  state.changed()
  return { text: String(message.text), quickReplies, file: null }
}

/** Titles that are too long are cut off. */
function quickRepliesOf(given: unknown): Shown['quickReplies'] {
  const { count, titleLength, payloadLength } = QUICK_REPLIES
  if (!Array.isArray(given) || given.length === 0 || given.length > count) throw new GraphError(100, 'quick_replies')
  return (given as Fields[]).map((each) => {
    only(each, { content_type: (type) => type === 'text', title: isText(1000), payload: isText(payloadLength) })
    return { title: String(each.title).slice(0, titleLength), payload: String(each.payload) }
  })
}

/** A file is fetched from its address, before the call is answered. */
async function fetched(state: InstagramState, attachment: Fields): Promise<InstagramMessage['file']> {
  only(attachment, { type: (type) => typeof type === 'string' && type in SENDABLE, payload: isObject })
  only(attachment.payload as Fields, { url: isText(2000) })
  const type = String(attachment.type)
  const url = String((attachment.payload as Fields).url)
  const answer = await fetch(state.reachable(url)).catch(() => null)
  if (answer?.status !== 200) throw new GraphError(100, 'Failed to fetch the file from the url', { subcode: 2018008 })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const allowed = SENDABLE[type]
  if (!allowed?.types.test(answer.headers.get('content-type') ?? '') || bytes.length > allowed.maxBytes) {
    throw new GraphError(100, 'Upload attachment failure', { subcode: 2018047 })
  }
  return { type, url, bytes }
}

/** All of these and nothing else. */
function only(given: Fields, checks: Record<string, Check>): void {
  const foreign = Object.keys(given).find((name) => !(name in checks))
  if (foreign) throw new GraphError(100, `Unexpected key "${foreign}" on param`)
  const wrong = Object.entries(checks).find(([name, isRight]) => !isRight(given[name]))
  if (wrong) throw new GraphError(100, `Invalid parameter ${wrong[0]}`)
}

function json({ text, contentType }: InstagramRequest): Fields {
  if (!contentType.startsWith('application/json')) throw new GraphError(100, 'Invalid content type')
  const body: unknown = JSON.parse(text || '{}')
  if (!isObject(body)) throw new GraphError(100, 'Invalid parameter')
  return body as Fields
}
