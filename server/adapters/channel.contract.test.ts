// What every channel promises, tried on each of them over the fake of its provider.
import { randomBytes, randomUUID } from 'node:crypto'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Channel, FILE_CHANNELS } from '#shared/channels.ts'
import { type FakeGreenApi, startFakeGreenApi } from '#tests/fakes/green-api.ts'
import { headersFor, startFakeHttpProgram } from '#tests/fakes/http-channel.ts'
import { type FakeTelegram, randomToken, startFakeTelegram } from '#tests/fakes/telegram.ts'
import {
  AdapterError,
  type AdapterErrorKind,
  type ChannelAdapter,
  type Credentials,
  type PolledChannel,
} from './channel.ts'
import { greenApiToken } from './green-api/green-api.access.ts'
import { createWhatsappChannel } from './green-api/green-api.ts'
import { httpToken } from './http-channel/http-channel.access.ts'
import { createHttpChannel } from './http-channel/http-channel.ts'
import { createOutbound } from './outbound.ts'
import { createTelegramChannel } from './telegram/telegram.ts'
import { createWebchatChannel } from './webchat/webchat.ts'

/** One channel with an account. */
type Stage = {
  adapter: ChannelAdapter
  credentials: Credentials
  /** Refused. */
  stranger: Credentials
  /** A customer who can be written to. */
  chatId: string
  /** A body of the customer's message, as it comes in. */
  body(text: string): unknown
  /** Whatever may be found in an error if it leaks. */
  secret: string
  close(): Promise<void>
}

/** One whose account is kept by a provider. */
type ProviderStage = Stage & {
  /** The same account on a provider that stands elsewhere. */
  at(url: string): { adapter: ChannelAdapter; credentials: Credentials }
  /** Of a webhook with this body. */
  headers(secret: string, body: string): Headers
  /** Texts that the customer was shown. */
  sent(): string[]
  /** Failures after which the channel's protocol leaves no doubt. */
  certain?: Partial<Record<keyof typeof FAILURES, AdapterErrorKind | 'sent'>>
}

/** A channel that can be asked. */
type PolledStage = ProviderStage & {
  adapter: PolledChannel
  /** The customer writes. */
  say(text: string): void
  /** Whether the provider has forgotten everything that was said. */
  isForgotten(): boolean
  waitForPoll(): Promise<void>
  /** Another program takes what is delivered. */
  steal(): void
}

const TIMEOUT_MS = 300
const POLLED: [name: Channel, open: () => Promise<PolledStage>][] = [
  ['telegram', openTelegram],
  ['whatsapp', openWhatsapp],
]
const SERVER_ERROR = '{"ok":false,"error_code":500,"description":"oops"}'
const FAILURES = {
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
const PROVIDERS: [name: Channel, open: () => Promise<ProviderStage>][] = [...POLLED, ['http', openHttp]]
const CHANNELS: [name: Channel, open: () => Promise<Stage>][] = [...PROVIDERS, ['webchat', openWebchat]]
/** Part ids. */
let parts = 0
const part = () => `part${++parts}`

describe.each(CHANNELS)('the channel %s', (name, open) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())

  it('names the account behind good credentials, and refuses others', async () => {
    const { externalAccountId, identifier } = await stage.adapter.identify(stage.credentials.token)
    expect(externalAccountId).toMatch(/^[\w-]+$/)
    expect(identifier).toBeTruthy()
    expect(await failure(stage.adapter.identify(stage.stranger.token))).toMatchObject({ kind: 'unauthorized' })
  })

  it('understands a message: the same body has the same key, another has another', () => {
    const body = stage.body('Hello')
    const inbound = stage.adapter.parse(body, stage.credentials)
    expect(inbound).toMatchObject({ kind: 'message', chatId: stage.chatId, text: 'Hello', sender: { name: 'Anna' } })
    expect(stage.adapter.parse(structuredClone(body), stage.credentials)).toEqual(inbound)
    expect(stage.adapter.parse(stage.body('Hello'), stage.credentials).externalKey).not.toBe(inbound.externalKey)
  })

  it.each([null, 7, 'text', [], {}, { unheard: 'of' }])('keeps %j as not understood, with a key', (garbage) => {
    const inbound = stage.adapter.parse(garbage, stage.credentials)
    expect(inbound.kind).toBe('unknown')
    expect(inbound.externalKey).not.toBe('')
    expect(stage.adapter.parse(garbage, stage.credentials)).toEqual(inbound)
  })

  it('sends a text and answers with the id of the message', async () => {
    const { externalMessageId } = await stage.adapter.send(stage.credentials, stage.chatId, 'Good day', part())
    expect(externalMessageId).toBeTruthy()
    await stage.adapter.showTyping(stage.credentials, stage.chatId)
  })

  it('sends a text of the length that it names, and is refused a longer one', async () => {
    const { adapter, credentials, chatId } = stage
    await adapter.send(credentials, chatId, 'x'.repeat(adapter.maxTextLength), part())
    const error = await failure(adapter.send(credentials, chatId, 'x'.repeat(adapter.maxTextLength + 1), part()))
    expect(error.kind).toBe('permanent')
  })

  it('is named among those that send files if it does', () => {
    expect(stage.adapter.media?.sendFile !== undefined).toBe(FILE_CHANNELS.includes(name))
  })

  it('is tried out by a notification that means nothing, is believed, and has a key of its own each time', () => {
    const { adapter, credentials } = stage
    if (!adapter.probe) return
    const [one, two] = [adapter.probe(credentials, 1), adapter.probe(credentials, 2)]
    const body = JSON.stringify(one.body)
    expect(adapter.verify(credentials, new Headers(one.headers), body)).toBe(true)
    const [first, second] = [one, two].map((probe) => adapter.parse(probe.body, credentials))
    expect(first?.kind).toBe('ignored')
    expect(first?.externalKey).not.toBe(second?.externalKey)
  })

  it('lets no secret into an error', async () => {
    const { adapter, credentials, chatId } = stage
    const errors = [
      await failure(adapter.identify(stage.stranger.token)),
      await failure(adapter.send(credentials, chatId, 'x'.repeat(adapter.maxTextLength + 1), part())),
    ]
    for (const error of errors) expect(`${error.message} ${error.stack}`).not.toContain(stage.secret)
  })
})

describe.each(PROVIDERS)('the provider behind %s', (_, open) => {
  let stage: ProviderStage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())

  it('believes a webhook by its whole secret only', () => {
    const { adapter, credentials, headers } = stage
    const body = JSON.stringify(stage.body('Hello'))
    expect(adapter.verify(credentials, headers(credentials.webhookSecret, body), body)).toBe(true)
    for (const wrong of ['', 'secre', 'secret2', 'SECRET']) {
      expect(adapter.verify(credentials, headers(wrong, body), body)).toBe(false)
    }
    expect(adapter.verify(credentials, new Headers(), body)).toBe(false)
    expect(adapter.verify({ ...credentials, webhookSecret: '' }, headers('', body), body)).toBe(false)
  })

  it('is given the text that was sent', async () => {
    await stage.adapter.send(stage.credentials, stage.chatId, 'Good day', part())
    expect(stage.sent().at(-1)).toBe('Good day')
  })

  it('sends a part again without showing it twice, or says that it cannot', async () => {
    const { adapter, credentials, chatId } = stage
    const before = stage.sent().length
    const partId = part()
    for (let copy = 0; copy < 2; copy++) await adapter.send(credentials, chatId, 'Once?', partId)
    expect(stage.sent()).toHaveLength(before + (adapter.dropsRepeats ? 1 : 2))
  })

  it('knows that nothing was sent without a connection', async () => {
    const free = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => free.once('listening', resolve))
    const { port } = free.address() as AddressInfo
    await new Promise((resolve) => free.close(resolve))
    for (const url of [`http://127.0.0.1:${port}`, 'http://no-such-host.invalid']) {
      const { adapter, credentials } = stage.at(url)
      expect(await failure(adapter.send(credentials, stage.chatId, 'x', part()))).toMatchObject({ kind: 'temporary' })
    }
  })

  it.each(Object.keys(FAILURES) as (keyof typeof FAILURES)[])(
    'does not know what became of a message after %s, unless its protocol says so',
    async (name) => {
      using server = await misbehaving(FAILURES[name])
      const { adapter, credentials } = stage.at(server.url)
      const kind = stage.certain?.[name] ?? 'unknown_outcome'
      const sent = adapter.send(credentials, stage.chatId, 'x', part())
      if (kind === 'sent') await sent
      else expect(await failure(sent)).toMatchObject({ kind })
    },
  )

  it('lets no secret into an error', async () => {
    using server = await misbehaving((request) => request.socket.destroy())
    const { adapter, credentials } = stage.at(server.url)
    const errors = [
      await failure(adapter.send(credentials, stage.chatId, 'x', part())),
      await failure(stage.adapter.send(stage.stranger, stage.chatId, 'x', part())),
      await failure(stage.adapter.send(stage.credentials, 'nowhere', 'x', part())),
    ]
    for (const error of errors) {
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(
        stage.secret,
      )
    }
  })
})

describe.each(POLLED)('the channel %s, asked for what was said,', (_, open) => {
  let stage: PolledStage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())

  it('polls what was said, in order, and confirms it with the next poll only', async () => {
    const { adapter, credentials } = stage
    const signal = new AbortController().signal
    await adapter.connect(credentials, null)
    for (const text of ['one', 'two']) stage.say(text)
    const texts: string[] = []
    let offset: number | null = null
    while (texts.length < 2) {
      const polled = await adapter.poll(credentials, offset, 5, signal)
      for (const update of polled.updates) {
        const inbound = adapter.parse(update, credentials)
        if (inbound.kind === 'message') texts.push(inbound.text)
      }
      expect(stage.isForgotten()).toBe(false)
      offset = polled.nextOffset
    }
    expect(texts).toEqual(['one', 'two'])
    const controller = new AbortController()
    const last = adapter.poll(credentials, offset, 5, controller.signal)
    await stage.waitForPoll()
    expect(stage.isForgotten()).toBe(true)
    controller.abort('enough')
    await expect(last).rejects.toBe('enough')
  })

  it('tells where is delivered, and that it is nowhere while it is polled', async () => {
    const { adapter, credentials } = stage
    await adapter.connect(credentials, 'https://parley.example/webhooks/path')
    expect(await adapter.webhook?.(credentials)).toMatchObject({ url: 'https://parley.example/webhooks/path' })
    await adapter.connect(credentials, null)
    expect(await adapter.webhook?.(credentials)).toMatchObject({ url: null, lastError: null })
    expect(await failure(adapter.webhook?.(stage.stranger) ?? Promise.resolve())).toMatchObject({
      kind: 'unauthorized',
    })
  })

  it('tells when somebody else takes the updates', async () => {
    stage.steal()
    const polled = stage.adapter.poll(stage.credentials, null, 5, new AbortController().signal)
    expect(await failure(polled)).toMatchObject({ kind: 'conflict' })
  })
})

async function openTelegram(): Promise<PolledStage> {
  const telegram: FakeTelegram = await startFakeTelegram()
  const { token } = telegram.addBot()
  const customer = { chatId: 4242, firstName: 'Anna' }
  const credentials = { token, webhookSecret: 'secret' }
  const adapter = (apiRoot: string) => createTelegramChannel({ apiRoot, callTimeoutMs: TIMEOUT_MS })
  telegram.textUpdate(token, customer, 'makes the chat known')
  return {
    adapter: adapter(telegram.url),
    credentials,
    stranger: { ...credentials, token: randomToken() },
    chatId: '4242',
    at: (url) => ({ adapter: adapter(url), credentials }),
    say: (text) => void telegram.customerSays(token, customer, text),
    body: (text) => telegram.textUpdate(token, customer, text),
    headers: (secret) => new Headers({ 'x-telegram-bot-api-secret-token': secret }),
    sent: () => telegram.sentTo(4242).map(({ text }) => text),
    isForgotten: () => telegram.bot(token).pending.length === 0,
    waitForPoll: () => telegram.waitFor(() => telegram.pollers.size > 0, 'the poll'),
    steal: () => {
      telegram.bot(token).webhook = { url: 'http://127.0.0.1:9/', secret: '' }
    },
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
  const adapter = createWhatsappChannel({ callTimeoutMs: TIMEOUT_MS, slowPauseMs: 30 })
  const polls = () => greenApi.calls.filter(({ method }) => method === 'receiveNotification').length
  return {
    adapter,
    credentials: credentialsAt(greenApi.url),
    stranger: credentialsAt(greenApi.url, 'f'.repeat(50)),
    chatId: '77001234567@c.us',
    at: (url) => ({ adapter, credentials: credentialsAt(url) }),
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
    secret: apiToken,
    close: () => greenApi.close(),
  }
}

/** A status is the whole answer: what is not taken was not shown, and what is taken twice is shown once. */
async function openHttp(): Promise<ProviderStage> {
  const program = await startFakeHttpProgram()
  const outbound = createOutbound({ isAllowed: () => true })
  const adapter = createHttpChannel({ outbound, callTimeoutMs: TIMEOUT_MS })
  const credentialsAt = (url: string, keys = program.outboundSecret) => ({
    token: httpToken({ id: 'account1', url, keys }),
    webhookSecret: 'whsec_secret',
  })
  const body = (text: string) => ({
    id: randomUUID(),
    event: { type: 'message', chatId: '42', sender: { name: 'Anna' }, text },
  })
  return {
    adapter,
    credentials: credentialsAt(program.url),
    stranger: credentialsAt(program.url, 'whsec_c3RyYW5nZXI='),
    chatId: '42',
    at: (url) => ({ adapter, credentials: credentialsAt(url) }),
    body,
    headers: (secret, text) => new Headers(headersFor(`whsec_${secret.replace('whsec_', '')}`, text)),
    sent: () => program.textsTo('42'),
    certain: {
      'an error page of a proxy': 'temporary',
      'an error of the server': 'temporary',
      nonsense: 'sent',
    },
    secret: program.outboundSecret,
    close: () => program.close(),
  }
}

/** Has no provider: what may be written to is whoever has come. */
async function openWebchat(): Promise<Stage> {
  const key = randomBytes(16).toString('base64url')
  let id = 0
  return {
    adapter: createWebchatChannel(),
    credentials: { token: key, webhookSecret: 'secret' },
    stranger: { token: 'not a key', webhookSecret: 'secret' },
    chatId: 'visitor',
    body: (text) => ({ visitorId: 'visitor', id: `m${id++}`, text, name: 'Anna', language: 'en' }),
    secret: key,
    close: async () => undefined,
  }
}

async function failure(call: Promise<unknown>): Promise<AdapterError> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AdapterError)) throw error
  return error
}

/** A server that does something to every request. */
async function misbehaving(listener: http.RequestListener) {
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
