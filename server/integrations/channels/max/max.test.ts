// The channel MAX beyond what every channel promises: formatting, one address, asking from the right place, files that take time.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { failure } from '#tests/channel-stages.ts'
import { type FakeMax, NO_MAX_FAULTS, startFakeMax } from '#tests/fakes/max/max.ts'
import { notConnected } from './max.call.ts'
import { maxText } from './max.format.ts'
import { createMaxChannel } from './max.ts'

let max: FakeMax
let chatId: number
let token: string
const anna = { userId: 77, firstName: 'Anna' }
const signal = new AbortController().signal
const outbound = createOutbound({ isAllowed: () => true })
const channel = (options: object = {}) =>
  createMaxChannel({ apiUrl: max.url, outbound, callTimeoutMs: 2000, secondMs: 5, ...options })
const credentials = () => ({ token, webhookSecret: 'secret', identifier: 'coffee_bot' })

beforeAll(async () => {
  max = await startFakeMax()
  token = max.addBot({ username: 'coffee_bot' }).token
  chatId = max.chatOf(token, anna).chatId
})
afterEach(() => {
  max.faults = { ...NO_MAX_FAULTS, refusals: [] }
  max.bot(token).subscription = []
  max.bot(token).pending = []
})
afterAll(() => max.close())
const send = (text: string, options = {}) => channel().send(credentials(), String(chatId), text, 'part', options)
const last = () => max.sentTo(chatId).at(-1)

describe('formatting', () => {
  it.each([
    ['plain words', { text: 'plain words' }],
    ['2 < 3 & 4', { text: '2 < 3 & 4' }],
    ['**a _b_** <c>', { text: '<b>a <i>b</i></b> &lt;c&gt;', format: 'html' }],
    ['[site](https://a.kz/?a=1&b="2")', { text: '<a href="https://a.kz/?a=1&amp;b=%222%22">site</a>', format: 'html' }],
    ['# Prices\n\n- `tea`\n- ~~milk~~', { text: '<b>Prices</b>\n\n• <code>tea</code>\n• <s>milk</s>', format: 'html' }],
  ])('%j goes as %j', (source, sent) => {
    const { text, ...format } = maxText(source, false)
    expect({ text: text.replaceAll('&quot;', '%22'), ...format }).toEqual(sent)
  })

  it('of a person is none, and what tags would make too long goes without them', () => {
    expect(maxText('**a**', true)).toEqual({ text: '**a**' })
    const long = '**word** '.repeat(400)
    expect(maxText(long, false)).toEqual({ text: 'word '.repeat(400).trim() })
  })

  it('that MAX refuses is sent without formatting', async () => {
    max.faults.refusals.push({ status: 400, code: 'proto.payload', message: 'format' })
    await send('**Nine**')
    expect(last()).toMatchObject({ text: 'Nine', html: null })
    await send('**Nine**')
    expect(last()).toMatchObject({ text: 'Nine', html: '<b>Nine</b>' })
  })
})

it('has a name, writes to a person whose chat is not known, and not to one who has never written', async () => {
  expect(await channel().identify(token)).toMatchObject({ identifier: 'coffee_bot', state: null })
  await channel().send(credentials(), `user:${anna.userId}`, 'Hello', 'part', { isPlain: true })
  expect(last()?.text).toBe('Hello')
  const error = await failure(channel().send(credentials(), 'user:1', 'Hello', 'part'))
  expect(error.kind).toBe('blocked')
})

it('shows choices one per row, and scores side by side', async () => {
  await send('Shall we?', { choices: ['Yes', 'No'] })
  expect(last()?.buttons).toEqual([[{ text: 'Yes', payload: 'Yes' }], [{ text: 'No', payload: 'No' }]])
  await send('How was it?', { choices: ['1', '2'], ratingId: '0'.repeat(32) })
  expect(last()?.buttons).toEqual([['1', '2'].map((text) => ({ text, payload: `rating:${'0'.repeat(32)}:${text}` }))])
  const press = max.press(token, anna, last()?.mid ?? '', 'Yes')
  await channel().buttons.answerPress?.(credentials(), press.callback.callback_id, 'Thank you')
  expect(max.notices.at(-1)).toEqual({ callbackId: press.callback.callback_id, text: 'Thank you' })
})

describe('delivery', () => {
  it('goes to one address, and to none after the last', async () => {
    const [ours, old] = ['https://parley.example/webhooks/max/a', 'https://old.example/b']
    await channel().connect(credentials(), old)
    await channel().connect(credentials(), ours)
    expect(max.bot(token).subscription.map(({ url }) => url)).toEqual([ours])
    expect(await channel().inspect?.(credentials())).toEqual({ url: ours, pending: null, lastError: null })
    const time = Date.now()
    max.bot(token).subscription.push({ url: 'https://other.example/b', secret: null, types: null, time })
    await channel().disconnect(credentials(), null)
    expect(max.bot(token).subscription).toHaveLength(2)
    await channel().disconnect(credentials(), 'https://moved.example/webhooks/max/a')
    expect(max.bot(token).subscription.map(({ url }) => url)).toEqual(['https://other.example/b'])
  })

  it('tells of another program that has come later', async () => {
    await channel().connect(credentials(), 'https://parley.example/webhooks/max/a')
    const time = Date.now() + 1000
    max.bot(token).subscription.push({ url: 'https://other.example/', secret: null, types: null, time })
    expect(await channel().inspect?.(credentials())).toMatchObject({ url: 'https://other.example/' })
  })
})

it('delivery of fewer kinds of updates than are answered to counts as none', async () => {
  const url = 'https://parley.example/webhooks/max/a'
  await channel().connect(credentials(), url)
  const [subscription] = max.bot(token).subscription
  if (subscription) subscription.types = ['message_created', 'message_callback', 'message_edited']
  expect(await channel().inspect?.(credentials())).toMatchObject({ url: null })
  await channel().connect(credentials(), url)
  expect(await channel().inspect?.(credentials())).toMatchObject({ url })
})

describe('asking', () => {
  const poll = (from: ReturnType<typeof channel>, offset: number | null) =>
    from.polling.poll(credentials(), offset, 0, signal)

  it('misses nothing that is sent between the connection and the first request', async () => {
    const adapter = channel()
    max.customerSays(token, anna, 'before')
    await adapter.connect(credentials(), null)
    for (const text of ['one', 'two', 'three']) max.customerSays(token, anna, text)
    const heard: (string | null)[] = []
    for (let offset: number | null = null, at = 0; at < 3; at++) {
      const { updates, nextOffset } = await poll(adapter, offset)
      heard.push(...updates.map((update) => (update as ReturnType<FakeMax['message']>).message.body.text))
      offset = nextOffset
    }
    expect(heard).toEqual(['before', 'one', 'two', 'three'])
  })

  it('may be asked by another from where the connection began', async () => {
    const adapter = channel()
    await adapter.connect(credentials(), null)
    const beginning = await adapter.polling.beginPolling?.(credentials())
    for (const text of ['one', 'two']) max.customerSays(token, anna, text)
    const { updates } = await poll(channel(), beginning ?? null)
    expect(updates).toMatchObject([{ message: { body: { text: 'one' } } }, { message: { body: { text: 'two' } } }])
  })

  it('goes on where it was when nothing has come', async () => {
    const adapter = channel()
    await adapter.connect(credentials(), null)
    const { nextOffset } = await poll(adapter, null)
    expect(nextOffset).not.toBeNull()
    expect(await poll(adapter, nextOffset)).toEqual({ updates: [], nextOffset })
  })

  it('keeps to the pace of MAX', async () => {
    const adapter = channel({ isPaced: true })
    const beganAt = performance.now()
    const { nextOffset } = await poll(adapter, 1)
    await poll(adapter, nextOffset)
    // Timers may be a moment early.
    expect(performance.now() - beganAt).toBeGreaterThan(490)
    expect(adapter.pace?.all).toEqual({ count: 30, perMs: 1000 })
    expect(channel().pace).toBeUndefined()
  })
})

describe('files', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47])
  const sendFile = (name: string, mimeType: string, bytes: Uint8Array) =>
    channel().media?.sendFile?.(credentials(), String(chatId), { kind: 'image', name, mimeType, bytes }, 'part')

  it('wait until MAX has worked them through', async () => {
    max.faults.notReady = 3
    await sendFile('a.png', 'image/png', png)
    expect(last()?.file).toMatchObject({ kind: 'image', name: 'a.png' })
    max.faults.notReady = 9
    const before = max.sent.length
    expect(await failure(sendFile('a.png', 'image/png', png) ?? Promise.resolve())).toMatchObject({ kind: 'temporary' })
    expect(max.sent).toHaveLength(before)
  })

  it('that are no pictures in truth go as files', async () => {
    await sendFile('a.png', 'image/png', Buffer.from('no picture'))
    expect(last()?.file).toMatchObject({ kind: 'file', name: 'a.png' })
  })

  it('that a person has recorded are heard', async () => {
    await channel().media?.sendVoice?.(credentials(), String(chatId), Buffer.from('OggS'), 'part1')
    expect(last()?.file).toMatchObject({ kind: 'audio' })
  })

  it('of a video are asked for by its token, the smaller one', async () => {
    const clip = max.attachment('file', 'clip.mp4', Buffer.from('clip')) as { payload: { url: string } }
    max.videos.set('abc', { mp4_1080: 'http://127.0.0.1:9/', mp4_480: clip.payload.url })
    const bytes = await channel().media?.download(credentials(), 'video:abc', 100, signal)
    expect(Buffer.from(bytes ?? []).toString()).toBe('clip')
  })

  it('may be available later when the server does not answer now', async () => {
    const download = channel().media?.download(credentials(), 'http://127.0.0.1:9/a', 100, signal)
    expect(await failure(download ?? Promise.resolve())).toMatchObject({ kind: 'temporary' })
  })

  it('at addresses that are not public are not fetched', async () => {
    const guarded = channel({ outbound: createOutbound() })
    const { payload } = max.attachment('file', 'a.txt', Buffer.from('a')) as { payload: { url: string } }
    const error = await failure(guarded.media?.download(credentials(), payload.url, 100, signal) ?? Promise.resolve())
    expect(error.kind).toBe('permanent')
  })
})

it.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', true],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
  ['ECONNREFUSED', false],
])('says of %s whether it is the certificate that is not trusted: %s', (code, isCertificate) => {
  expect(notConnected(code).includes('docs/max.md')).toBe(isCertificate)
  expect(notConnected(code)).toContain(code)
})
