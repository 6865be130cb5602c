// What Avito has beyond the contract of channels: access tokens that expire, names and ads that are asked for, recordings, subscriptions
// next to those of others, and why a chat is closed.
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { failure, misbehaving } from '#tests/channel-stages.ts'
import { type FakeAvitoAccount, startFakeAvito } from '#tests/fakes/avito/avito.ts'
import { avitoToken } from './avito.access.ts'
import { createAvitoChannel } from './avito.ts'

const signal = new AbortController().signal
const anna = { id: 94_235_311, name: 'Anna' }
const ad = { id: 17, title: 'Mazda 3 2008', priceString: '300 000 ₽', url: 'https://avito.ru/mazda_17' }
const outbound = createOutbound({ isAllowed: () => true })
const avito = await startFakeAvito()
const open = () => createAvitoChannel({ apiUrl: avito.url, callTimeoutMs: 3000, outbound })
let adapter = open()
let account: FakeAvitoAccount
const credentials = () => ({ token: avitoToken(account), webhookSecret: 'secret' })
const chatId = () => avito.chat(account.userId, anna, ad).id
const texts = () => avito.sentTo(account.userId, chatId()).map(({ content }) => content.text)

beforeEach(() => {
  account = avito.addAccount()
  adapter = open()
  avito.calls = []
  avito.tokenSeconds = 86_400
  Object.assign(avito, { wrapsMessages: false, listsOldestFirst: false })
})
afterAll(() => avito.close())

describe('an access token', () => {
  it('is asked for once, however many sends wait for it', async () => {
    const sends = Array.from({ length: 8 }, (_, n) => adapter.send(credentials(), chatId(), `Hello ${n}`, 'part'))
    await Promise.all(sends)
    expect([texts().length, avito.countOf('/token')]).toEqual([8, 1])
  })

  it('that was taken back is replaced once, and nothing is sent twice', async () => {
    await adapter.send(credentials(), chatId(), 'Hello', 'part')
    account.tokens.clear()
    await Promise.all(['one', 'two', 'three'].map((text) => adapter.send(credentials(), chatId(), text, 'part')))
    expect(texts()).toHaveLength(4)
    expect(avito.countOf('/token')).toBe(2)
  })

  it('is replaced before it expires, and not long before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const begunAt = Date.now()
    const asked: number[] = []
    for (const seconds of [0, 86_000, 86_399]) {
      vi.setSystemTime(begunAt + seconds * 1000)
      await Promise.all(['one', 'two'].map((text) => adapter.send(credentials(), chatId(), text, 'part')))
      asked.push(avito.countOf('/token'))
    }
    vi.useRealTimers()
    expect(asked).toEqual([1, 1, 2])
  })

  it('that is not given leaves no doubt that nothing was sent, and is asked for again', async () => {
    avito.faults.failedTokens = 1
    expect((await failure(adapter.send(credentials(), chatId(), 'Hello', 'part'))).kind).toBe('temporary')
    await adapter.send(credentials(), chatId(), 'Hello', 'part')
    expect(texts()).toEqual(['Hello'])
  })

  it.each([
    ['is refused in words', 401, '{"error":"invalid_client","error_description":"unknown"}', 'unauthorized'],
    ['is refused with success', 200, '{"error":"invalid_client"}', 'unauthorized'],
    ['is refused by a guard of the address', 403, '<html>Blocked</html>', 'temporary'],
    ['does not come', 502, '<html>Bad gateway</html>', 'temporary'],
    ['is asked for too often', 429, '{}', 'rate_limited'],
  ])('that %s', async (_, status, answer, kind) => {
    using server = await misbehaving((_request, response) => response.writeHead(status).end(answer))
    const strange = createAvitoChannel({ apiUrl: avito.url, authUrl: server.url })
    expect((await failure(strange.send(credentials(), chatId(), 'Hello', 'part'))).kind).toBe(kind)
    expect(texts()).toEqual([])
  })
})

it.each([
  [400, 'permanent', null],
  [401, 'unauthorized', null],
  [402, 'suspended', null],
  [404, 'permanent', null],
  [429, 'rate_limited', 7000],
  [500, 'unknown_outcome', null],
  [503, 'unknown_outcome', null],
])('status %s is understood as %s', async (status, kind, retryAfterMs) => {
  // After a refused token it is tried with another one.
  const refusal = { status, message: 'refused by the test', retryAfter: 7 }
  avito.faults.refusals = status === 401 ? [refusal, refusal] : [refusal]
  const error = await failure(adapter.send(credentials(), chatId(), 'Hello', 'part'))
  expect({ kind: error.kind, retryAfterMs: error.retryAfterMs }).toEqual({ kind, retryAfterMs })
  expect(error.message).toContain('refused by the test')
})

it('a 403 with an HTML page comes from a firewall: nothing has arrived, and no customer is blocked', async () => {
  using server = await misbehaving((_request, response) => response.writeHead(403).end('<html>Blocked</html>'))
  const strange = createAvitoChannel({ apiUrl: server.url, authUrl: avito.url })
  expect((await failure(strange.send(credentials(), chatId(), 'Hello', 'part'))).kind).toBe('temporary')
})

it('an account without the messenger is distinguished from a customer who has blocked it', async () => {
  avito.chat(account.userId, anna, ad).isBlocked = true
  expect((await failure(adapter.send(credentials(), chatId(), 'Hello', 'part'))).kind).toBe('blocked')
  account.hasMessenger = false
  expect((await failure(adapter.send(credentials(), chatId(), 'Hello', 'part'))).kind).toBe('suspended')
  expect((await failure(adapter.connect(credentials(), 'https://parley.example/webhooks/avito/x'))).kind).toBe(
    'suspended',
  )
})

describe('a chat', () => {
  const asked = () => ({ chatId: chatId(), externalId: String(anna.id) })
  const name = () => adapter.profiles.nameSender(credentials(), asked(), signal) ?? Promise.resolve()
  const subject = (id = chatId()) => adapter.profiles.chatSubject(credentials(), id, signal) ?? Promise.resolve()

  it('tells who writes and what it is about, and is asked once for both', async () => {
    expect(await name()).toEqual({ name: 'Anna', username: null })
    expect(await subject()).toBe('Mazda 3 2008 · 300 000 ₽ · https://avito.ru/mazda_17')
    expect(avito.countOf(chatId())).toBe(1)
  })

  it('without an ad has no subject, and gives no name for a user who is not in it', async () => {
    const { id } = avito.chat(account.userId, { id: 7, name: 'Bob' })
    expect(await subject(id)).toBeNull()
    expect(await adapter.profiles.nameSender(credentials(), { ...asked(), externalId: '8' }, signal)).toBeNull()
  })

  it('that Avito does not tell of in time is known the next time, without being asked for again', async () => {
    avito.faults.slowChatsMs = 1200
    expect((await failure(name())).kind).toBe('temporary')
    await avito.waitFor(() => avito.countOf(chatId()) === 1, 'the question')
    await expect.poll(() => name().catch(() => null), { timeout: 10_000 }).toMatchObject({ name: 'Anna' })
    avito.faults.slowChatsMs = 0
    expect(avito.countOf(chatId())).toBe(1)
  })

  it('that does not exist is asked for again', async () => {
    for (let time = 0; time < 2; time++) expect((await failure(subject('u2i-nobody'))).kind).toBe('permanent')
    expect(avito.countOf('u2i-nobody')).toBe(2)
  })

  it('is shown as read while it is answered, and Avito is not asked so again and again', async () => {
    avito.customerSays(account.userId, anna, 'Is it there?', ad)
    for (let time = 0; time < 3; time++) await adapter.showTyping(credentials(), chatId())
    expect(avito.chat(account.userId, anna, ad).reads).toBe(1)
  })
})

describe('a recording', () => {
  it('is found by its id', async () => {
    account.voices.set('v1', Buffer.from('opus'))
    const bytes = await adapter.media?.download(credentials(), 'voice:v1', 1000, signal)
    expect(Buffer.from(bytes ?? []).toString()).toBe('opus')
    const gone = await failure(adapter.media?.download(credentials(), 'voice:v2', 1000, signal) ?? Promise.resolve())
    expect(gone.kind).toBe('permanent')
  })
})

describe('a file', () => {
  it('that is no picture is refused before anything is asked', async () => {
    const file = { kind: 'document', name: 'a.pdf', mimeType: 'application/pdf', bytes: Buffer.from('%PDF') } as const
    const sent = adapter.media?.sendFile?.(credentials(), chatId(), file, 'part')
    expect((await failure(sent ?? Promise.resolve())).kind).toBe('permanent')
    expect(avito.calls).toEqual([])
  })

  it('of unknown fate when it was stored and the message was cut off', async () => {
    avito.faults.answersToDrop = 1
    const bytes = Buffer.from('\x89PNG and so on', 'latin1')
    const file = { kind: 'image', name: 'a.png', mimeType: 'image/png', bytes } as const
    const sent = adapter.media?.sendFile?.(credentials(), chatId(), file, 'part')
    expect((await failure(sent ?? Promise.resolve())).kind).toBe('unknown_outcome')
  })
})

describe('where Avito delivers', () => {
  const here = 'https://parley.example/webhooks/avito/path'
  const urls = () => account.subscriptions.map(({ url }) => url)

  it('subscribes once, moves with the address, cleans up after us, and leaves the subscriptions of others', async () => {
    const others = ['https://crm.example/avito?parley=1', 'https://other.example/webhooks/avito/path?parley=theirs']
    const left = 'https://parley.example/webhooks/avito/left?parley=behind'
    account.subscriptions = [...others, left].map((url) => ({ url, version: '3' }))
    expect((await adapter.inspect?.(credentials()))?.url).toBeNull()
    await adapter.connect(credentials(), 'https://parley.example/webhooks/avito/old')
    await adapter.connect(credentials(), here)
    await adapter.connect(credentials(), here)
    expect(urls()).toEqual([
      ...others,
      expect.stringMatching(/^https:\/\/parley\.example\/webhooks\/avito\/path\?parley=[\w-]{22}$/),
    ])
    expect(urls().join()).not.toContain('secret')
    expect((await adapter.inspect?.(credentials()))?.url).toBe(here)
    await adapter.disconnect(credentials(), null)
    expect(urls()).toEqual(others)
  })
})

describe('what was taken', () => {
  const DAY_MS = 24 * 3_600_000
  const bare = (created: number, text: string, authorId = account.userId) => ({
    ...{ id: `${created} ${text}`, created, type: 'text', content: { text }, authorId },
    ...{ file: null, isRead: true },
  })

  it.each([
    ['in both forms of a list', { wrapsMessages: true }],
    ['newest first', {}],
    ['oldest first', { listsOldestFirst: true }],
  ])('is found on every page: %s', async (_, manner) => {
    Object.assign(avito, manner)
    const second = Math.floor(Date.now() / 1000)
    const { id, messages } = avito.chat(account.userId, anna, ad)
    messages.push(bare(second - DAY_MS / 1000, 'Long ago'), bare(second, 'Hello', anna.id))
    for (let number = 0; number < 101; number++) messages.push(bare(second, `Answer ${number}`))
    const taken = await adapter.sendLog.list(credentials(), id, Date.now())
    const texts = taken.map(({ text }) => text)
    expect(texts.sort()).toEqual(Array.from({ length: 101 }, (_, n) => `Answer ${n}`).sort())
    expect(new Set(taken.map(({ chatId }) => chatId))).toEqual(new Set([id]))
  })

  it('is not looked for behind what is older', async () => {
    const { id, messages } = avito.chat(account.userId, anna, ad)
    const second = Math.floor(Date.now() / 1000)
    for (let number = 0; number < 300; number++) messages.push(bare(second - DAY_MS / 1000, 'Long ago'))
    expect(await adapter.sendLog.list(credentials(), id, Date.now())).toEqual([])
    expect(avito.countOf('/messages/')).toBe(1)
  })

  it('fails where there are more messages than are read', async () => {
    const second = Math.floor(Date.now() / 1000)
    const { id, messages } = avito.chat(account.userId, anna, ad)
    for (let number = 0; number <= 500; number++) messages.push(bare(second, `Answer ${number}`))
    const asked = adapter.sendLog.list(credentials(), id, Date.now()) ?? Promise.resolve()
    expect((await failure(asked)).message).toBe('more than is asked for')
    expect(avito.countOf('/messages/')).toBe(5)
  })
})
