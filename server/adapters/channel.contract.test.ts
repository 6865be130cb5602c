// What every channel promises, tried on each of them over the fake of its provider.
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeGreenApi, startFakeGreenApi } from '#tests/fakes/green-api.ts'
import { type FakeTelegram, randomToken, startFakeTelegram } from '#tests/fakes/telegram.ts'
import { AdapterError, type ChannelAdapter, type Credentials } from './channel.ts'
import { greenApiToken } from './green-api/green-api.access.ts'
import { createWhatsappChannel } from './green-api/green-api.ts'
import { createTelegramChannel } from './telegram/telegram.ts'

/** One channel with the account of a person on a provider. */
type Stage = {
  adapter: ChannelAdapter
  credentials: Credentials
  /** Refused by the provider. */
  stranger: Credentials
  /** A customer who can be written to. */
  chatId: string
  /** The same account on a provider that stands elsewhere. */
  at(url: string): { adapter: ChannelAdapter; credentials: Credentials }
  /** The customer writes. */
  say(text: string): void
  /** A body of the customer's message, as a webhook brings it. */
  body(text: string): unknown
  headers(secret: string): Headers
  sent(): string[]
  /** Whether the provider has forgotten everything that was said. */
  isForgotten(): boolean
  waitForPoll(): Promise<void>
  /** Another program takes what is delivered. */
  steal(): void
  /** Whatever may be found in an error if it leaks. */
  secret: string
  close(): Promise<void>
}

const TIMEOUT_MS = 300
const STAGES: [name: string, open: () => Promise<Stage>][] = [
  ['telegram', openTelegram],
  ['whatsapp', openWhatsapp],
]

describe.each(STAGES)('the channel %s', (_, open) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())

  it('names the account behind good credentials, and refuses others', async () => {
    const { externalAccountId, identifier } = await stage.adapter.identify(stage.credentials.token)
    expect(externalAccountId).toMatch(/^\d+$/)
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

  it('believes a webhook by its whole secret only', () => {
    const { adapter, credentials, headers } = stage
    expect(adapter.verify(credentials, headers(credentials.webhookSecret))).toBe(true)
    for (const wrong of ['', 'secre', 'secret2', 'SECRET']) {
      expect(adapter.verify(credentials, headers(wrong))).toBe(false)
    }
    expect(adapter.verify(credentials, new Headers())).toBe(false)
    expect(adapter.verify({ ...credentials, webhookSecret: '' }, headers(''))).toBe(false)
  })

  it('sends a text and answers with the id of the message', async () => {
    const { externalMessageId } = await stage.adapter.send(stage.credentials, stage.chatId, 'Good day')
    expect(externalMessageId).toBeTruthy()
    expect(stage.sent().at(-1)).toBe('Good day')
    await stage.adapter.showTyping(stage.credentials, stage.chatId)
  })

  it('sends a text of the length that it names, and is refused a longer one', async () => {
    const { adapter, credentials, chatId } = stage
    await adapter.send(credentials, chatId, 'x'.repeat(adapter.maxTextLength))
    const error = await failure(adapter.send(credentials, chatId, 'x'.repeat(adapter.maxTextLength + 1)))
    expect(error.kind).toBe('permanent')
  })

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

  it('tells when somebody else takes the updates', async () => {
    stage.steal()
    const polled = stage.adapter.poll(stage.credentials, null, 5, new AbortController().signal)
    expect(await failure(polled)).toMatchObject({ kind: 'conflict' })
  })

  it('knows that nothing was sent without a connection', async () => {
    const free = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => free.once('listening', resolve))
    const { port } = free.address() as AddressInfo
    await new Promise((resolve) => free.close(resolve))
    for (const url of [`http://127.0.0.1:${port}`, 'http://no-such-host.invalid']) {
      const { adapter, credentials } = stage.at(url)
      expect(await failure(adapter.send(credentials, stage.chatId, 'x'))).toMatchObject({ kind: 'temporary' })
    }
  })

  it.each<[string, http.RequestListener]>([
    ['an answer that never comes', () => undefined],
    ['a connection that is cut', (request) => request.socket.destroy()],
    ['an error page of a proxy', (_, response) => response.writeHead(502).end('<html>Bad gateway</html>')],
    ['an error of the server', (_, response) => response.writeHead(500).end(SERVER_ERROR)],
    ['half an answer', halfAnAnswer],
    ['nonsense', (_, response) => response.writeHead(200).end('{"some":"thing"')],
  ])('does not know what became of a message after %s', async (_, listener) => {
    using server = await misbehaving(listener)
    const { adapter, credentials } = stage.at(server.url)
    expect(await failure(adapter.send(credentials, stage.chatId, 'x'))).toMatchObject({ kind: 'unknown_outcome' })
  })

  it('lets no secret into an error', async () => {
    using server = await misbehaving((request) => request.socket.destroy())
    const { adapter, credentials } = stage.at(server.url)
    const errors = [
      await failure(adapter.send(credentials, stage.chatId, 'x')),
      await failure(stage.adapter.send(stage.stranger, stage.chatId, 'x')),
      await failure(stage.adapter.send(stage.credentials, 'nowhere', 'x')),
    ]
    for (const error of errors) {
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(
        stage.secret,
      )
    }
  })
})

const halfAnAnswer: http.RequestListener = (_, response) => {
  response.writeHead(200, { 'content-length': 99 }).write('{"ok":')
  response.destroy()
}
const SERVER_ERROR = '{"ok":false,"error_code":500,"description":"oops"}'

async function openTelegram(): Promise<Stage> {
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

async function openWhatsapp(): Promise<Stage> {
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
