// The fake GREEN-API refuses what the real one refuses, keeps its order, and loses nothing.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FakeGreenApi, type FakeInstance, startFakeGreenApi } from './green-api.ts'

let fake: FakeGreenApi
let instance: FakeInstance
beforeAll(async () => {
  fake = await startFakeGreenApi({ secondMs: 10 })
})
beforeEach(() => {
  instance = fake.addInstance()
  Object.assign(instance.settings, { incomingWebhook: 'yes', outgoingMessageWebhook: 'yes', stateWebhook: 'yes' })
})
afterAll(() => fake.close())

async function call(
  method: string,
  body?: unknown,
  given: { verb?: string; token?: string; id?: string; tail?: string } = {},
) {
  const {
    verb = body === undefined ? 'GET' : 'POST',
    token = instance.apiToken,
    id = instance.idInstance,
    tail = '',
  } = given
  const response = await fetch(`${fake.url}/waInstance${id}/${method}/${token}${tail}`, {
    method: verb,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>) }
}

describe('what is refused', () => {
  it('an instance that does not exist, a token of another, a method that there is not, a wrong verb', async () => {
    expect(await call('getStateInstance', undefined, { id: '1' })).toMatchObject({ status: 403 })
    expect(await call('getStateInstance', undefined, { token: 'wrong' })).toMatchObject({ status: 401 })
    expect(await call('sendTelepathy', {})).toMatchObject({ status: 404 })
    expect(await call('sendMessage', undefined, { verb: 'GET' })).toMatchObject({ status: 404 })
    expect(await call('getStateInstance', { surplus: 1 })).toMatchObject({ status: 404 })
  })

  it.each([
    ['nothing', {}],
    ['no text', { chatId: '77001112233@c.us' }],
    ['an empty text', { chatId: '77001112233@c.us', message: '' }],
    ['a text that is too long', { chatId: '77001112233@c.us', message: 'x'.repeat(20_001) }],
    ['a number instead of a chat', { chatId: '77001112233', message: 'x' }],
    ['an argument that there is not', { chatId: '77001112233@c.us', message: 'x', parseMode: 'HTML' }],
    ['an argument of another type', { chatId: '77001112233@c.us', message: 'x', linkPreview: 'yes' }],
  ])('a message with %s', async (_, body) => {
    expect(await call('sendMessage', body)).toMatchObject({ status: 400 })
    expect(fake.sent.filter(({ idInstance }) => idInstance === instance.idInstance)).toEqual([])
  })

  it('settings that do not exist, or with values that they cannot have', async () => {
    expect(await call('setSettings', { telepathy: 'yes' })).toMatchObject({ status: 400 })
    expect(await call('setSettings', { incomingWebhook: true })).toMatchObject({ status: 400 })
    expect(await call('setSettings', { delaySendMessagesMilliseconds: 499 })).toMatchObject({ status: 400 })
    expect(await call('setSettings', { delaySendMessagesMilliseconds: 600_001 })).toMatchObject({ status: 400 })
    expect(await call('setSettings', { webhookUrl: 'nonsense' })).toMatchObject({ status: 400 })
  })

  it('the second call within a second of what may be called once', async () => {
    using slow = await slowFake()
    expect(await slow.state()).toBe(200)
    expect(await slow.state()).toBe(429)
  })

  it('a chat beyond the quota of the free plan', async () => {
    instance.quotaChats = new Set(['77000000001@c.us'])
    expect(await call('sendMessage', { chatId: '77000000002@c.us', message: 'x' })).toMatchObject({
      status: 466,
      body: { correspondentsStatus: { status: 'CORRESPONDENTS_QUOTE_EXCEEDED' } },
    })
    expect(await call('sendMessage', { chatId: '77000000001@c.us', message: 'x' })).toMatchObject({ status: 200 })
  })
})

describe('the queue of notifications', () => {
  const receive = async () => (await call('receiveNotification', undefined, { tail: '?receiveTimeout=5' })).body

  it('gives the oldest until it is deleted, then the next, then null', async () => {
    const [first, second] = [
      fake.customerSays(instance.idInstance, '77001112233', 'one'),
      fake.customerSays(instance.idInstance, '77001112233', 'two'),
    ]
    const received = await receive()
    expect(received).toMatchObject({ body: { idMessage: first, typeWebhook: 'incomingMessageReceived' } })
    expect(await receive()).toEqual(received)
    const tail = `/${received?.receiptId}`
    expect((await call('deleteNotification', undefined, { verb: 'DELETE', tail })).body).toMatchObject({ result: true })
    expect((await call('deleteNotification', undefined, { verb: 'DELETE', tail })).body).toMatchObject({
      result: false,
    })
    const next = await receive()
    expect(next).toMatchObject({ body: { idMessage: second } })
    await call('deleteNotification', undefined, { verb: 'DELETE', tail: `/${next?.receiptId}` })
    expect(await receive()).toBe(null)
    expect(fake.acknowledged).toContain(first)
  })

  it('holds a request open until something comes', async () => {
    const waiting = call('receiveNotification', undefined, { tail: '?receiveTimeout=60' })
    await fake.waitFor(() => fake.calls.at(-1)?.method === 'receiveNotification', 'the call')
    fake.customerSays(instance.idInstance, '77001112233', 'Hello')
    expect((await waiting).body).toMatchObject({ body: { messageData: { textMessageData: { textMessage: 'Hello' } } } })
  })

  it('cannot be asked while a webhook is set, nor with a time that is not allowed', async () => {
    expect(await call('receiveNotification', undefined, { tail: '?receiveTimeout=4' })).toMatchObject({ status: 400 })
    instance.settings.webhookUrl = 'http://127.0.0.1:9/'
    expect(await call('receiveNotification')).toMatchObject({ status: 400 })
  })

  it('holds nothing that was not asked for', async () => {
    Object.assign(instance.settings, { incomingWebhook: 'no', outgoingMessageWebhook: 'no', stateWebhook: 'no' })
    fake.customerSays(instance.idInstance, '77001112233', 'Hello')
    fake.phoneSays(instance.idInstance, '77001112233', 'Hello')
    fake.setState(instance.idInstance, 'blocked')
    expect(instance.queue).toEqual([])
  })
})

describe('a webhook', () => {
  it('is called with the token, one notification after another, and again after a refusal', async () => {
    const bodies: string[] = []
    let refusals = 2
    const server = http.createServer(async (request, response) => {
      expect(request.headers.authorization).toBe('Bearer secret')
      const chunks: Buffer[] = []
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
      const { idMessage } = JSON.parse(Buffer.concat(chunks).toString()) as { idMessage: string }
      bodies.push(idMessage)
      response.writeHead(refusals-- > 0 ? 500 : 200).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    Object.assign(instance.settings, { webhookUrl: `http://127.0.0.1:${port}/`, webhookUrlToken: 'secret' })
    const first = fake.customerSays(instance.idInstance, '77001112233', 'one')
    const second = fake.customerSays(instance.idInstance, '77001112233', 'two')
    await fake.waitFor(() => instance.queue.length === 0, 'both to be taken')
    expect(bodies).toEqual([first, first, first, second])
    server.close()
  })
})

describe('an instance', () => {
  it('shows a code only while it is not linked', async () => {
    instance.state = 'notAuthorized'
    const { body } = await call('qr')
    expect(body?.type).toBe('qrCode')
    expect(Buffer.from(String(body?.message), 'base64').subarray(1, 4).toString()).toBe('PNG')
    fake.scan(instance.idInstance)
    expect((await call('qr')).body).toMatchObject({ type: 'alreadyLogged' })
  })

  it('keeps what it may not send, and sends all of it at once when it may again', async () => {
    fake.setState(instance.idInstance, 'yellowCard')
    const chatId = '77009990000@c.us'
    for (const message of ['one', 'two']) await call('sendMessage', { chatId, message })
    expect(fake.sentTo('77009990000')).toEqual([])
    fake.setState(instance.idInstance, 'authorized')
    expect(fake.sentTo('77009990000').map(({ text }) => text)).toEqual(['one', 'two'])
  })

  it('keeps both queues for a day', async () => {
    const hasty = await startFakeGreenApi({ secondMs: 1 / 86_400 }) // a day is a millisecond
    const { idInstance } = hasty.addInstance({ state: 'blocked' })
    const kept = hasty.instance(idInstance)
    kept.settings.incomingWebhook = 'yes'
    const yesterday = performance.now() - 2
    const message = {
      idInstance,
      chatId: '77001112233@c.us',
      text: 'Hello',
      fileUrl: null,
      file: null,
      idMessage: 'A1',
    }
    kept.held = [{ ...message, at: yesterday }]
    hasty.customerSays(idInstance, '77001112233', 'Hello')
    for (const notification of kept.queue) notification.at = yesterday
    hasty.setState(idInstance, 'authorized')
    expect(hasty.sent).toEqual([])
    expect(kept.queue).toEqual([])
    await hasty.close()
  })

  it('is starting for a while after a change of its settings', async () => {
    await call('setSettings', { keepOnlineStatus: 'yes' })
    expect(instance.state).toBe('starting')
    await fake.waitFor(() => instance.state === 'authorized', 'the instance to have started')
  })
})

/** One whose seconds are long enough to make two calls within one. */
async function slowFake() {
  const slow = await startFakeGreenApi({ secondMs: 60_000 })
  const { idInstance, apiToken } = slow.addInstance()
  return {
    state: async () => (await fetch(`${slow.url}/waInstance${idInstance}/getStateInstance/${apiToken}`)).status,
    [Symbol.dispose]: () => void slow.close(),
  }
}
