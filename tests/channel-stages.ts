// Every channel with an account at the fake of its provider, as the tests of the contract (server/integrations/channels/contract/channel.ts) need one.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { AdapterError, type AdapterErrorKind } from '#server/integrations/channels/contract/adapter-error.ts'
import type { AdapterWith, ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import { greenApiToken } from '#server/integrations/channels/green-api/green-api.access.ts'
import { createWhatsappChannel } from '#server/integrations/channels/green-api/green-api.ts'
import { httpToken } from '#server/integrations/channels/http-channel/http-channel.access.ts'
import { createHttpChannel } from '#server/integrations/channels/http-channel/http-channel.ts'
import { createMaxChannel } from '#server/integrations/channels/max/max.ts'
import { createTelegramChannel } from '#server/integrations/channels/telegram/telegram.ts'
import { createWebchatChannel } from '#server/integrations/channels/webchat/webchat.ts'
import { cloudToken } from '#server/integrations/channels/whatsapp-cloud/whatsapp-cloud.access.ts'
import { createWhatsappCloudChannel } from '#server/integrations/channels/whatsapp-cloud/whatsapp-cloud.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { ReceiptState } from '#shared/messaging/conversations.ts'
import { type FakeGreenApi, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { headersFor, startFakeHttpProgram } from '#tests/fakes/http/http-channel.ts'
import { startFakeMax } from '#tests/fakes/max/max.ts'
import { startFakeSite } from '#tests/fakes/site.ts'
import { type FakeTelegram, randomToken, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { pressOf, startFakeWhatsappCloud } from '#tests/fakes/whatsapp-cloud/whatsapp-cloud.ts'
import { PATIENT_MS } from './channel-patience.ts'
import { openAvito } from './channel-stage-avito.ts'
import { openInstagram } from './channel-stage-instagram.ts'
import { openVk } from './channel-stage-vk.ts'

/** What a customer sends. */
export type GivenFile = { kind: 'image' | 'document'; name: string; bytes: Uint8Array }

/** One channel with an account. */
export type Stage = {
  adapter: ChannelAdapter
  credentials: Credentials
  /** Refused. */
  stranger: Credentials
  /** A customer who can be written to. */
  chatId: string
  /** A body of the customer's message, as it comes in. `secret`: of its webhook, for a channel that names it in the body. */
  body(text: string, secret?: string): unknown
  /** The customer presses a choice under a message of ours; left out by a channel that has no buttons. */
  press?(externalMessageId: string, choice: string): unknown
  /** A press says what is on the button, and nothing of the message that it was under. */
  pressesNameNothing?: true
  /** The notification by which the channel tells what became of a message; left out by one that tells nothing. */
  receipt?(externalMessageId: string, state: ReceiptState): unknown
  /** Receipt states that the channel reports; all if left out. */
  tells?: readonly ReceiptState[]
  /** Files are pictures and carry no caption: other files arrive without content and are refused. */
  knowsOnlyPictures?: true
  /** A customer sends a file with a few words. `bytes`: what it gives out. */
  fileBody(file: GivenFile): unknown
  /** Of what people of the team send it takes pictures, films, recordings and PDF only. */
  refusesTextFiles?: true
  /** Files that the customer was shown, oldest first; left out if only our own records could say. */
  files?(): { name: string; bytes: Uint8Array }[]
  /** Whatever may be found in an error if it leaks. */
  secret: string
  close(): Promise<void>
}

/** One whose account is kept by a provider. */
export type ProviderStage = Stage & {
  /** The same account on a provider that stands elsewhere, whose answers are waited for so long; left out: patiently. */
  at(url: string, callTimeoutMs?: number): { adapter: ChannelAdapter; credentials: Credentials }
  /** Webhooks are unsigned: they are trusted because their address is secret. */
  isBelievedByPath?: true
  /** Of a webhook with this body. */
  headers(secret: string, body: string): Headers
  /** Texts that the customer was shown. */
  sent(): string[]
  /** Failures after which the channel's protocol leaves no doubt. */
  /** Makes the provider refuse what is sent next, for each reason that its protocol has. The chat is good for nothing else afterwards. */
  refusals: Partial<Record<'rate_limited' | 'blocked' | 'suspended' | 'out_of_window', () => void>>
  /** A file is stored with the provider before it is sent: one that did not get there has definitely not arrived. */
  storesFilesFirst?: true
  certain?: Partial<Record<keyof typeof FAILURES, AdapterErrorKind | 'sent'>>
}

/** A channel that can be asked. */
export type PolledStage = ProviderStage & {
  adapter: AdapterWith<'polling'>
  /** The customer writes. */
  say(text: string): void
  /** Whether the provider has dropped all delivered messages. */
  isForgotten(): boolean
  waitForPoll(): Promise<void>
  /** Another program takes what is delivered. */
  steal(): void
}

/** Names of files that customers have sent. */
let files = 0
/** Those that can be asked. */
export const POLLED: [name: Channel, open: () => Promise<PolledStage>][] = [
  ['telegram', openTelegram],
  ['whatsapp', openWhatsapp],
  ['max', openMax],
  ['vk', openVk],
]
const SERVER_ERROR = '{"ok":false,"error_code":500,"description":"oops"}'
/** How servers answer that have a bad day. */
export const FAILURES = {
  'an answer that never comes': () => undefined,
  'a connection that is cut': (request) => request.socket.destroy(),
  'an error page of a proxy': (_, response) => response.writeHead(502).end('<html>Bad gateway</html>'),
  'an error of the server': (_, response) => response.writeHead(500).end(SERVER_ERROR),
  'half an answer': (_, response) => {
    response.writeHead(200, { 'content-length': 99 }).write('{"ok":')
    response.destroy()
  },
  nonsense: (_, response) => response.writeHead(200).end('{"some":"thing"'),
} satisfies Record<string, http.RequestListener>
/** Channels with an external provider. */
export const PROVIDERS: [name: Channel, open: () => Promise<ProviderStage>][] = [
  ...POLLED,
  ['whatsappCloud', openWhatsappCloud],
  ['avito', openAvito],
  ['instagram', openInstagram],
  ['http', openHttp],
]
/** All. */
export const CHANNELS: [name: Channel, open: () => Promise<Stage>][] = [...PROVIDERS, ['webchat', openWebchat]]
async function openTelegram(): Promise<PolledStage> {
  const telegram: FakeTelegram = await startFakeTelegram()
  const { token } = telegram.addBot()
  const customer = { chatId: 4242, firstName: 'Anna' }
  const credentials = { token, webhookSecret: 'secret' }
  const adapter = (apiRoot: string, callTimeoutMs = PATIENT_MS) => createTelegramChannel({ apiRoot, callTimeoutMs })
  telegram.textUpdate(token, customer, 'makes the chat known')
  return {
    adapter: adapter(telegram.url),
    credentials,
    stranger: { ...credentials, token: randomToken() },
    chatId: '4242',
    at: (url, callTimeoutMs) => ({ adapter: adapter(url, callTimeoutMs), credentials }),
    say: (text) => void telegram.customerSays(token, customer, text),
    body: (text) => telegram.textUpdate(token, customer, text),
    press: (_, text) => {
      const { update_id, message } = telegram.textUpdate(token, customer, 'Shall we?') as {
        update_id: number
        message: { from: object }
      }
      const under = { ...message, reply_markup: { inline_keyboard: [[{ text, callback_data: '0' }]] } }
      return { update_id, callback_query: { id: '1', from: message.from, data: '0', message: under } }
    },
    headers: (secret) => new Headers({ 'x-telegram-bot-api-secret-token': secret }),
    sent: () => telegram.sentTo(4242).map(({ text }) => text),
    isForgotten: () => telegram.bot(token).pending.length === 0,
    waitForPoll: () => telegram.waitFor(() => telegram.pollers.size > 0, 'the poll'),
    steal: () => {
      telegram.bot(token).webhook = { url: 'http://127.0.0.1:9/', secret: '' }
    },
    fileBody: ({ kind, name, bytes }) => {
      const file_id = `file${++files}`
      telegram.files.set(file_id, { path: `documents/${file_id}`, bytes })
      const content =
        kind === 'image'
          ? { photo: [{ file_id, width: 9, height: 9 }] }
          : { document: { file_id, file_name: name, mime_type: 'text/plain' } }
      const update = telegram.textUpdate(token, customer, '') as { update_id: number; message: object }
      return { ...update, message: { ...update.message, text: undefined, caption: 'Look', ...content } }
    },
    refusals: {
      rate_limited: () => telegram.rateLimit(4242, 2),
      blocked: () => telegram.block(4242),
    },
    files: () => telegram.sentTo(4242).flatMap(({ photo, document }) => photo ?? document ?? []),
    secret: token.split(':')[1] ?? token,
    close: () => telegram.close(),
  }
}

async function openWhatsapp(): Promise<PolledStage> {
  const greenApi: FakeGreenApi = await startFakeGreenApi({ secondMs: 20 })
  const { idInstance, apiToken } = greenApi.addInstance()
  const customer = { phone: '77001234567', name: 'Anna' }
  const credentialsAt = (apiUrl: string, secret = apiToken) => ({
    token: greenApiToken({ apiUrl, idInstance, apiToken: secret }),
    webhookSecret: 'secret',
  })
  const outbound = createOutbound({ isAllowed: () => true })
  const adapter = (callTimeoutMs = PATIENT_MS) => createWhatsappChannel({ callTimeoutMs, slowPauseMs: 30, outbound })
  const site = await startFakeSite('127.0.0.1')
  const polls = () => greenApi.calls.filter(({ method }) => method === 'receiveNotification').length
  return {
    adapter: adapter(),
    credentials: credentialsAt(greenApi.url),
    stranger: credentialsAt(greenApi.url, 'f'.repeat(50)),
    chatId: '77001234567@c.us',
    at: (url, callTimeoutMs) => ({ adapter: adapter(callTimeoutMs), credentials: credentialsAt(url) }),
    say: (text) => void greenApi.customerSays(idInstance, customer, text),
    body: (text) => greenApi.textMessage(idInstance, customer, text),
    headers: (secret) => new Headers({ authorization: `Bearer ${secret}` }),
    sent: () => greenApi.sentTo('77001234567').map(({ text }) => text),
    isForgotten: () =>
      !greenApi.instance(idInstance).queue.some(({ body }) => body.typeWebhook === 'incomingMessageReceived'),
    waitForPoll: () => {
      const before = polls()
      return greenApi.waitFor(() => polls() > before, 'the poll')
    },
    steal: () => {
      greenApi.instance(idInstance).settings.webhookUrl = 'http://127.0.0.1:9/'
    },
    receipt: (idMessage, status) => ({
      typeWebhook: 'outgoingMessageStatus',
      instanceData: { idInstance: Number(idInstance), wid: '77009999999@c.us', typeInstance: 'whatsapp' },
      timestamp: 1_700_000_000,
      chatId: '77001234567@c.us',
      idMessage,
      status,
      ...(status === 'failed' && { description: 'no such number' }),
      sendByApi: true,
    }),
    fileBody: ({ kind, name, bytes }) => {
      const text = greenApi.textMessage(idInstance, customer, '')
      const fileMessageData = {
        caption: 'Look',
        fileName: name,
        downloadUrl: served(site, bytes),
        mimeType: 'text/plain',
      }
      return { ...text, messageData: { typeMessage: `${kind}Message`, fileMessageData } }
    },
    refusals: {
      rate_limited: () => {
        const now = performance.now()
        greenApi.instance(idInstance).recentCalls.set('sendMessage', Array(50).fill(now + 60_000))
      },
      suspended: () => {
        greenApi.instance(idInstance).quotaChats = new Set(['77000000000@c.us'])
      },
    },
    files: () => greenApi.sentTo('77001234567').flatMap(({ file }) => file ?? []),
    secret: apiToken,
    close: async () => void (await Promise.all([greenApi.close(), site.close()])),
  }
}

async function openWhatsappCloud(): Promise<ProviderStage> {
  const cloud = await startFakeWhatsappCloud()
  const { phoneNumberId, accountId, accessToken, heardAt, files } = cloud.addNumber()
  const customer = { phone: '77001234567', name: 'Anna' }
  const adapter = (graphUrl: string, callTimeoutMs = PATIENT_MS) =>
    createWhatsappCloudChannel({ graphUrl, callTimeoutMs })
  const credentialsWith = (token: string) => ({
    token: cloudToken({ accessToken: token, phoneNumberId, accountId, verifyToken: 'verify' }),
    webhookSecret: 'secret',
  })
  const credentials = credentialsWith(accessToken)
  heardAt.set(customer.phone, Date.now())
  return {
    adapter: adapter(cloud.graphUrl),
    credentials,
    stranger: credentialsWith('EAAstranger'),
    chatId: customer.phone,
    at: (url, callTimeoutMs) => ({ adapter: adapter(url, callTimeoutMs), credentials }),
    body: (text) => cloud.message(phoneNumberId, customer, { type: 'text', text: { body: text } }),
    press: (id, title) => cloud.message(phoneNumberId, customer, pressOf(id, { id: `choice:${title}`, title })),
    headers: (secret, text) =>
      new Headers({ 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}` }),
    sent: () => cloud.sentTo(customer.phone).map(({ text }) => text),
    storesFilesFirst: true,
    refusals: {
      rate_limited: () => void cloud.faults.refusals.push({ status: 400, code: 130429 }),
      blocked: () => void cloud.faults.refusals.push({ status: 400, code: 131026 }),
      suspended: () => void cloud.faults.refusals.push({ status: 400, code: 131031 }),
      out_of_window: () => cloud.lapse(phoneNumberId, customer.phone),
    },
    receipt: (id, state) => cloud.receipt(phoneNumberId, id, state),
    fileBody: ({ kind, name, bytes }) => {
      const id = String(9_000_000 + files.size)
      files.set(id, { bytes, mimeType: 'text/plain', name })
      const file = { id, mime_type: 'text/plain', caption: 'Look', ...(kind === 'document' && { filename: name }) }
      return cloud.message(phoneNumberId, customer, { type: kind, [kind]: file })
    },
    files: () => cloud.sentTo(customer.phone).flatMap(({ file }) => file ?? []),
    secret: accessToken,
    close: () => cloud.close(),
  }
}

async function openMax(): Promise<PolledStage> {
  const max = await startFakeMax()
  const { token } = max.addBot()
  const customer = { userId: 4242, firstName: 'Anna' }
  const { chatId } = max.chatOf(token, customer)
  const credentials = { token, webhookSecret: 'secret' }
  const outbound = createOutbound({ isAllowed: () => true })
  const adapter = (apiUrl: string, callTimeoutMs = PATIENT_MS) =>
    createMaxChannel({ apiUrl, outbound, callTimeoutMs, secondMs: 5 })
  const refuse = (status: number, code: string) => void max.faults.refusals.push({ status, code, message: code })
  return {
    adapter: adapter(max.url),
    credentials,
    stranger: { ...credentials, token: 'f9LHodstranger' },
    chatId: String(chatId),
    at: (url, callTimeoutMs) => ({ adapter: adapter(url, callTimeoutMs), credentials }),
    say: (text) => void max.customerSays(token, customer, text),
    body: (text) => max.message(token, customer, { text }),
    press: (mid, choice) => max.press(token, customer, mid, choice),
    headers: (secret) => new Headers({ 'x-max-bot-api-secret': secret }),
    sent: () => max.sentTo(chatId).map(({ text }) => text),
    isForgotten: () => max.bot(token).pending.length === 0,
    waitForPoll: () => max.waitFor(() => max.pollers.size > 0, 'the poll'),
    steal: () => {
      max.bot(token).subscription = [{ url: 'https://thief.example/', secret: null, types: null, time: 1 }]
    },
    storesFilesFirst: true,
    refusals: {
      rate_limited: () => refuse(429, 'too.many.requests'),
      blocked: () => max.stop(token, customer),
    },
    fileBody: ({ kind, name, bytes }) => {
      const attachment = max.attachment(kind === 'image' ? 'image' : 'file', name, bytes)
      return max.message(token, customer, { text: 'Look', attachments: [attachment] })
    },
    files: () => max.sentTo(chatId).flatMap(({ file }) => file ?? []),
    secret: token,
    close: () => max.close(),
  }
}

/** The status is the whole answer: a rejected message was not shown, and one that is accepted twice is shown once. */
async function openHttp(): Promise<ProviderStage> {
  const program = await startFakeHttpProgram()
  const site = await startFakeSite('127.0.0.1')
  const outbound = createOutbound({ isAllowed: () => true })
  const adapter = (callTimeoutMs = PATIENT_MS) => createHttpChannel({ outbound, callTimeoutMs })
  const credentialsAt = (url: string, keys = program.outboundSecret) => ({
    token: httpToken({ id: 'account1', url, keys }),
    webhookSecret: 'whsec_secret',
  })
  const body = (text: string) => ({
    id: randomUUID(),
    event: { type: 'message', chatId: '42', sender: { name: 'Anna' }, text },
  })
  return {
    adapter: adapter(),
    credentials: credentialsAt(program.url),
    stranger: credentialsAt(program.url, 'whsec_c3RyYW5nZXI='),
    chatId: '42',
    at: (url, callTimeoutMs) => ({ adapter: adapter(callTimeoutMs), credentials: credentialsAt(url) }),
    body,
    headers: (secret, text) => new Headers(headersFor(`whsec_${secret.replace('whsec_', '')}`, text)),
    refusals: { rate_limited: () => void program.faults.push({ status: 429 }) },
    sent: () => program.textsTo('42'),
    certain: {
      'an error page of a proxy': 'temporary',
      'an error of the server': 'temporary',
      nonsense: 'sent',
    },
    receipt: (messageId, status) => ({
      id: `${status} ${messageId}`,
      event: { type: 'receipt', messageId, status, ...(status === 'failed' && { reason: 'no such number' }) },
    }),
    fileBody: ({ kind, name, bytes }) => {
      const { id, event } = body('Look')
      return { id, event: { ...event, attachments: [{ url: served(site, bytes), kind, name }] } }
    },
    secret: program.outboundSecret,
    close: async () => void (await Promise.all([program.close(), site.close()])),
  }
}

/** @returns the address of a file, as providers give them out */
function served(site: Awaited<ReturnType<typeof startFakeSite>>, bytes: Uint8Array): string {
  const path = `/file${++files}`
  site.pages.set(path, bytes)
  return site.origin + path
}

/** Has no provider: messages can be written to any visitor who has come. */
async function openWebchat(): Promise<Stage> {
  const key = randomBytes(16).toString('base64url')
  let id = 0
  return {
    adapter: createWebchatChannel(),
    credentials: { token: key, webhookSecret: 'secret' },
    stranger: { token: 'not a key', webhookSecret: 'secret' },
    chatId: 'visitor',
    body: (text) => ({ visitorId: 'visitor', id: `m${id++}`, text, name: 'Anna', language: 'en' }),
    fileBody: ({ kind, name, bytes }) => {
      const file = { kind, name, fileKey: 'upload-1', mimeType: null, sizeBytes: bytes.length }
      return { visitorId: 'visitor', id: `m${id++}`, text: 'Look', name: 'Anna', language: 'en', files: [file] }
    },
    secret: key,
    close: async () => undefined,
  }
}

/** The error of a call that has to fail. */
export async function failure(call: Promise<unknown>): Promise<AdapterError> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AdapterError)) throw error
  return error
}

/** A server that does something to every request. */
export async function misbehaving(listener: http.RequestListener) {
  const server = http.createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
