// What the fake Cloud API answers: the calls that we make, with the checks and the error envelope of Meta's Graph.
// @source developers.facebook.com/documentation/business-messaging/whatsapp/reference
import { createHmac, randomInt } from 'node:crypto'
import type { CloudMessage, FakeNumber, WhatsappCloudState } from './whatsapp-cloud.ts'

export type GraphRequest = { verb: string; url: URL; token: string | null; contentType: string; bytes: Buffer }
/** Null: the connection is cut. */
export type GraphAnswer = { status: number; body: unknown } | null

/** A refusal with Meta's own number of it. */
class GraphError extends Error {
  readonly status: number
  readonly code: number
  constructor(code: number, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

type Fields = Record<string, unknown>
type Check = (value: unknown) => boolean

const VERSION = /^\/v\d+\.\d+\/(.+)$/
/** To one customer: so many messages in so many milliseconds. */
const PAIR = { count: 45, perMs: 6000 }

const isText =
  (max: number): Check =>
  (value) =>
    typeof value === 'string' && value.length > 0 && value.length <= max
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

export async function answerGraph(state: WhatsappCloudState, request: GraphRequest): Promise<GraphAnswer> {
  try {
    return { status: 200, body: await run(state, request) }
  } catch (error) {
    if (error === LOST) return null
    if (!(error instanceof GraphError)) throw error
    const { code, message, status } = error
    const detail = { messaging_product: 'whatsapp', details: message }
    const body = {
      message: `(#${code}) ${message}`,
      type: 'OAuthException',
      code,
      error_data: detail,
      fbtrace_id: 'Ab12',
    }
    return { status, body: { error: body } }
  }
}

const LOST = Symbol('the answer is lost')

function run(state: WhatsappCloudState, request: GraphRequest): unknown {
  const { verb, url, token } = request
  const file = /^\/files\/(\w+)$/.exec(url.pathname)?.[1]
  const path = VERSION.exec(url.pathname)?.[1]?.split('/')
  const mine = [...state.numbers.values()].filter(({ accessToken }) => accessToken === token)
  if (mine.length === 0) throw new GraphError(190, 'Invalid OAuth access token - Cannot parse access token', 401)
  if (file) return fileOf(mine, file).bytes
  const [id = '', edge = '', ...rest] = path ?? []
  if (!path || rest.length > 0) throw new GraphError(2500, 'Unknown path components')
  if (id === 'app' && edge === '' && verb === 'GET') return pick({ id: mine[0]?.appId, name: 'Parley' }, url, 'id,name')
  const number = mine.find(({ phoneNumberId }) => phoneNumberId === id)
  if (number && edge === '') return verb === 'POST' ? configure(state, number, json(request)) : describe(number, url)
  if (number && edge === 'messages' && verb === 'POST') return post(state, number, json(request))
  if (number && edge === 'media' && verb === 'POST') return upload(number, request)
  const account = mine.filter(({ accountId }) => accountId === id)
  if (account.length > 0) return runAccount(state, account, edge, request)
  if (edge === '' && verb === 'GET') return locate(state, mine, id)
  throw new GraphError(100, `Unsupported ${verb.toLowerCase()} request. Object with ID '${id}' does not exist`)
}

function runAccount(state: WhatsappCloudState, account: FakeNumber[], edge: string, request: GraphRequest): unknown {
  const { verb, url } = request
  if (edge === 'subscribed_apps' && verb === 'GET') return subscribedApps(account, url)
  if (edge === 'subscribed_apps' && (verb === 'POST' || verb === 'DELETE')) return subscribe(state, account, verb)
  if (edge === 'phone_numbers' && verb === 'GET') {
    const ids = account.map(({ phoneNumberId: id }) => ({ id }))
    return page(ids, url)
  }
  if (edge === 'message_templates' && verb === 'GET') return page(account[0]?.templates ?? [], url)
  throw new GraphError(2500, `Unknown path components: /${edge}`)
}

/** All apps subscribed to the account, also those of others. */
function subscribedApps(account: FakeNumber[], url: URL): unknown {
  const ours = account.flatMap(({ isSubscribed, appId }) => (isSubscribed ? [appId] : []))
  const ids = new Set([...account.flatMap(({ otherApps }) => otherApps), ...ours])
  const apps = [...ids].map((id) => ({ id, name: `App ${id}`, link: `https://www.facebook.com/games/?app_id=${id}` }))
  return page(
    apps.map((app) => ({ whatsapp_business_api_data: app })),
    url,
  )
}

/** Subscribes the token's app alone to the account, or unsubscribes it. */
function subscribe({ faults }: WhatsappCloudState, account: FakeNumber[], verb: 'POST' | 'DELETE'): unknown {
  if (faults.failedSubscriptions > 0) {
    faults.failedSubscriptions -= 1
    throw new GraphError(2, 'Service temporarily unavailable', 500)
  }
  if (verb === 'POST' && faults.refusesSubscriptions) {
    throw new GraphError(100, 'The application does not have the capability to make this API call')
  }
  if (verb === 'POST' && faults.forgetsSubscriptions) return { success: true }
  for (const number of account) number.isSubscribed = verb === 'POST'
  return { success: true }
}

/** Two to a page, whatever page size was requested: a client that reads only the first page fails. */
function page(all: object[], url: URL) {
  const from = Number(url.searchParams.get('after') ?? 0)
  const data = all.slice(from, from + 2)
  const isLast = from + 2 >= all.length
  return { data, paging: { cursors: { after: String(from + 2) }, ...(!isLast && { next: `${url.origin}/next` }) } }
}

function describe(number: FakeNumber, url: URL): unknown {
  const proof = url.searchParams.get('appsecret_proof')
  const expected = createHmac('sha256', number.appSecret).update(number.accessToken).digest('hex')
  if (proof !== null && proof !== expected) {
    throw new GraphError(100, 'Invalid appsecret_proof provided in the API argument')
  }
  const known: Fields = {
    id: number.phoneNumberId,
    display_phone_number: number.phone,
    verified_name: number.verifiedName,
    quality_rating: number.quality,
    status: number.status,
    whatsapp_business_manager_messaging_limit: 'TIER_1K',
    webhook_configuration: {
      ...(number.webhook && { phone_number: number.webhook.url }),
      ...(number.appWebhook && { application: number.appWebhook.url }),
    },
  }
  return pick(known, url, 'id,display_phone_number,verified_name')
}

function pick(known: Fields, url: URL, usual: string): Fields {
  const asked = (url.searchParams.get('fields') ?? usual).split(',')
  const foreign = asked.find((name) => !(name in known))
  if (foreign) throw new GraphError(100, `Tried accessing nonexisting field (${foreign})`)
  return Object.fromEntries(asked.map((name) => [name, known[name]]))
}

/** An address of the number's own is taken only if it answers, and the app has one already. */
async function configure(state: WhatsappCloudState, number: FakeNumber, body: Fields): Promise<unknown> {
  only(body, { webhook_configuration: isObject })
  const given = body.webhook_configuration as Fields
  if (given.override_callback_uri === '') {
    only(given, { override_callback_uri: () => true })
    number.webhook = null
    return { success: true }
  }
  only(given, { override_callback_uri: isText(200), verify_token: isText(1000) })
  const webhook = { url: String(given.override_callback_uri), verifyToken: String(given.verify_token) }
  if (!number.appWebhook)
    throw new GraphError(100, 'Before override the current callback uri, your app must be subscribed')
  else if (!(await state.shakesHands(webhook))) throw new GraphError(2200, 'Callback verification failed')
  else number.webhook = webhook
  return { success: true }
}

function post(state: WhatsappCloudState, number: FakeNumber, body: Fields): unknown {
  if (body.messaging_product !== 'whatsapp') throw new GraphError(100, 'The parameter messaging_product is required.')
  if (body.status !== undefined) return markRead(state, body)
  const type = typeof body.type === 'string' ? body.type : ''
  const content = CONTENTS[type]
  if (!content) throw new GraphError(100, `Param type must be one of {${Object.keys(CONTENTS).join(', ')}}`)
  const to = (value: unknown) => typeof value === 'string' && /^\+?\d{7,15}$/.test(value)
  const person: Check = (value) => typeof value === 'string' && /^[A-Z]{2}\.(?:ENT\.)?\w+$/.test(value)
  const whom = 'recipient' in body ? { recipient: person } : { to }
  only(body, {
    messaging_product: isText(20),
    recipient_type: (v) => v === 'individual',
    ...whom,
    type: isText(20),
    [type]: isObject,
  })
  const chat = String(body.to ?? body.recipient).replace('+', '')
  const shown = content(body[type] as Fields, number)
  const refusal = state.faults.refusals.shift()
  if (refusal) throw new GraphError(refusal.code, 'refused by the test', refusal.status)
  const recent = state.sentTo(chat).filter(({ at }) => at > state.now() - PAIR.perMs)
  if (recent.length >= PAIR.count)
    throw new GraphError(131056, '(Business Account, Consumer Account) pair rate limit hit')
  if (!shown.template && !state.isOpen(number, chat)) {
    throw new GraphError(
      131047,
      'Message failed to send because more than 24 hours have passed since the customer last replied',
    )
  }
  const message = {
    phoneNumberId: number.phoneNumberId,
    to: chat,
    id: state.messageId(),
    at: state.now(),
    type,
    ...shown,
  }
  state.sent.push(message)
  state.changed()
  if (state.faults.answersToDrop > 0) {
    state.faults.answersToDrop -= 1
    throw LOST
  }
  return { messaging_product: 'whatsapp', contacts: [{ input: chat, wa_id: chat }], messages: [{ id: message.id }] }
}

function markRead(state: WhatsappCloudState, body: Fields): unknown {
  const isTyping: Check = (value) => isObject(value) && (value as Fields).type === 'text'
  const { typing_indicator: typing, ...rest } = body
  only(rest, { messaging_product: isText(20), status: (value) => value === 'read', message_id: isText(300) })
  if (typing !== undefined && !isTyping(typing)) throw new GraphError(100, 'Invalid parameter typing_indicator')
  state.read.push(String(body.message_id))
  if (typing !== undefined) {
    state.typing.push(String(body.message_id))
    state.typedAt = state.now()
  }
  state.changed()
  return { success: true }
}

type Shown = Pick<CloudMessage, 'text' | 'choices' | 'file' | 'template'>
const NOTHING: Shown = { text: '', choices: [], file: null, template: null }

/** What each kind of message may hold, and what of it is shown. */
const CONTENTS: Record<string, (content: Fields, number: FakeNumber) => Shown> = {
  text(content) {
    only(content, { body: isText(4096), preview_url: (value) => typeof value === 'boolean' })
    return { ...NOTHING, text: String(content.body) }
  },
  interactive: (content) => ({ ...NOTHING, ...interactive(content) }),
  template: (content, number) => ({ ...NOTHING, template: templateOf(content, number) }),
  image: (content, number) => ({ ...NOTHING, file: sentFile(number, content, {}, /^image\/(?:jpeg|png)$/) }),
  video: (content, number) => ({ ...NOTHING, file: sentFile(number, content, {}, /^video\/(?:mp4|3gpp)$/) }),
  audio(content, number) {
    const flag: Check = (value) => typeof value === 'boolean'
    const types = /^audio\/(?:aac|amr|mpeg|mp4|ogg)$/
    return { ...NOTHING, file: sentFile(number, content, 'voice' in content ? { voice: flag } : {}, types) }
  },
  document(content, number) {
    const file = sentFile(number, content, { filename: isText(240) }, /./)
    return { ...NOTHING, file: { ...file, name: String(content.filename) } }
  },
}

function interactive(content: Fields): Pick<Shown, 'text' | 'choices'> {
  only(content, { type: (value) => value === 'button' || value === 'list', body: isObject, action: isObject })
  const isList = content.type === 'list'
  const body = content.body as Fields
  only(body, { text: isText(isList ? 4096 : 1024) })
  const action = content.action as Fields
  const choices = isList ? rowsOf(action) : buttonsOf(action)
  if (new Set(choices.map(({ id }) => id)).size !== choices.length) throw new GraphError(131009, 'Duplicated id')
  return { text: String(body.text), choices }
}

function buttonsOf(action: Fields): Shown['choices'] {
  only(action, { buttons: (value) => Array.isArray(value) && value.length >= 1 && value.length <= 3 })
  return (action.buttons as Fields[]).map((button) => {
    only(button, { type: (value) => value === 'reply', reply: isObject })
    const reply = button.reply as Fields
    only(reply, { id: isText(256), title: isText(20) })
    return { id: String(reply.id), title: String(reply.title) }
  })
}

function rowsOf(action: Fields): Shown['choices'] {
  only(action, { button: isText(20), sections: (value) => Array.isArray(value) && value.length === 1 })
  const [section] = action.sections as [Fields]
  only(section, { rows: (value) => Array.isArray(value) && value.length >= 1 && value.length <= 10 })
  return (section.rows as Fields[]).map((row) => {
    const { description = 'x', ...rest } = row
    only(rest, { id: isText(200), title: isText(24) })
    if (!isText(72)(description)) throw new GraphError(131009, 'Parameter value is not valid')
    return { id: String(row.id), title: String(row.title) }
  })
}

/** Every place has to be filled, and no other. */
function templateOf(content: Fields, { templates }: FakeNumber): Shown['template'] {
  only(content, { name: isText(512), language: isObject, components: Array.isArray })
  const language = String((content.language as Fields).code)
  const known = templates.find((one) => one.name === content.name && one.language === language)
  if (known?.status !== 'APPROVED') throw new GraphError(132001, 'Template name does not exist in the translation', 404)
  const words = (content.components as { type: string; parameters: { type: string; text: string }[] }[]).flatMap(
    ({ parameters }) => parameters.map(({ text }) => text),
  )
  const places =
    JSON.stringify(known.components.map((each) => ({ ...each, example: undefined }))).match(/\{\{\w+\}\}/g) ?? []
  if (words.length !== places.length) throw new GraphError(132000, 'Number of parameters does not match')
  if (words.some((word) => /\n|\t| {5}/.test(word))) throw new GraphError(132005, 'Parameters break the format')
  return { name: known.name, language, words }
}

function sentFile(number: FakeNumber, content: Fields, more: Record<string, Check>, types: RegExp) {
  only(content, { id: isText(100), ...more })
  const { name, bytes, mimeType } = fileOf([number], String(content.id))
  if (!types.test(mimeType)) throw new GraphError(131053, 'Media upload error')
  return { name, bytes }
}

function locate(state: WhatsappCloudState, mine: FakeNumber[], id: string): unknown {
  const { bytes, mimeType: mime_type } = fileOf(mine, id)
  return { messaging_product: 'whatsapp', url: `${state.origin}/files/${id}`, mime_type, file_size: bytes.length, id }
}

function fileOf(mine: FakeNumber[], id: string) {
  const file = mine.map(({ files }) => files.get(id)).find(Boolean)
  if (!file) throw new GraphError(100, `Unsupported get request. Object with ID '${id}' does not exist`)
  return file
}

async function upload(number: FakeNumber, { contentType, bytes }: GraphRequest): Promise<unknown> {
  const body = new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
  const form = await body.formData().catch(() => null)
  const file = form?.get('file')
  if (form?.get('messaging_product') !== 'whatsapp' || !form.get('type') || !(file instanceof File)) {
    throw new GraphError(100, 'The parameter file is required.')
  }
  const id = String(randomInt(10 ** 12, 10 ** 14))
  const mimeType = String(form.get('type'))
  number.files.set(id, { bytes: new Uint8Array(await file.arrayBuffer()), mimeType, name: file.name })
  return { id }
}

/** All of these and nothing else. */
function only(given: Fields, checks: Record<string, Check>): void {
  const foreign = Object.keys(given).find((name) => !(name in checks))
  if (foreign) throw new GraphError(100, `Unexpected key "${foreign}" on param`)
  const wrong = Object.entries(checks).find(([name, isRight]) => !isRight(given[name]))
  if (wrong) throw new GraphError(100, `Invalid parameter ${wrong[0]}`)
}

function json({ bytes, contentType }: GraphRequest): Fields {
  if (!contentType.startsWith('application/json')) throw new GraphError(100, 'Invalid content type')
  const body: unknown = JSON.parse(bytes.toString() || '{}')
  if (!isObject(body)) throw new GraphError(100, 'Invalid parameter')
  return body as Fields
}
