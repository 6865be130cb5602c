// The web chat's visitors over HTTP, as their browsers connect: sessions, messages, the stream, and every refusal.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { identityHash } from '#server/domain/channels/webchat/webchat.identity.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { VisitorChat, VisitorIdentity, VisitorSession, WidgetSettings } from '#shared/channels/webchat.ts'
import type { Id } from '#shared/ids.ts'
import { WEBCHAT_FILE_MAX_BYTES, WEBCHAT_VISITOR_BURST, WEBCHAT_VISITOR_FILES_PER_HOUR } from '#shared/limits.ts'
import type { UploadedFile } from '#shared/messaging/attachments.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { createEventReader } from '../../../widget/events.ts'

const WIDGET: WidgetSettings = {
  title: 'Shop',
  color: '#2f5d50',
  position: 'right',
  hasAvatar: true,
  takesFiles: true,
  texts: { ru: { greeting: 'Здравствуйте!', offline: '' }, en: { greeting: 'Hello!', offline: '' } },
  domains: ['shop.example', '*.shop.example'],
}

let openai: FakeOpenAi
let app: TestApp
let person: Person
let agentId: Id<'agents'>
let widget: ChannelConnection
beforeAll(async () => {
  openai = await startFakeOpenAi()
  app = await startApp({ openai })
  person = await app.signUp()
  agentId = (await person.http.mutation(api.agents.create, { name: 'Helper' }))._id
  widget = await provision()
})
afterAll(async () => {
  await app.close()
  await openai.close()
})

afterEach(() => openai.reply(() => ({ text: 'Fine.' })))

function provision(settings: Partial<WidgetSettings> = {}, of = agentId): Promise<ChannelConnection> {
  return person.http.action(api.channels.webchat.provision, { agentId: of, widget: { ...WIDGET, ...settings } })
}

function ask(path: string, { token, body, key = widget.externalAccountId, headers = {} }: Request = {}) {
  return fetch(`${app.url}/api/webchat/${key}/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': randomAddress(),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
type Request = { token?: string; body?: unknown; key?: string; headers?: Record<string, string> }

function randomAddress(): string {
  return `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 254) + 1).join('.')}`
}

async function open(body: { token?: string; identity?: VisitorIdentity } = {}, key?: string): Promise<VisitorSession> {
  return (await ask('session', { body, ...(key && { key }) })).json() as Promise<VisitorSession>
}

function message(text: string) {
  return { id: randomUUID(), text, language: 'en' }
}

async function say(token: string, body: unknown, key = widget.externalAccountId): Promise<void> {
  expect((await ask('messages', { token, body, key })).status).toBe(204)
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function upload(token: string, name: string, body: string | Buffer, key = widget.externalAccountId) {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': randomAddress() }
  const query = new URLSearchParams({ name })
  return fetch(`${app.url}/api/webchat/${key}/files?${query}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(Buffer.from(body)),
  })
}

async function sendFile(token: string, name: string, body: string | Buffer): Promise<UploadedFile> {
  const answer = await upload(token, name, body)
  expect(answer.status).toBe(201)
  return answer.json() as Promise<UploadedFile>
}

/** Follows the stream until the conversation matches. */
async function waitFor(
  token: string,
  isReady: (chat: VisitorChat) => boolean,
  key = widget.externalAccountId,
): Promise<VisitorChat> {
  const answer = await ask('chat', { token, key })
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let found: VisitorChat | undefined
  const feed = createEventReader((data) => {
    const chat = JSON.parse(data) as VisitorChat
    if (isReady(chat)) found = chat
  })
  while (!found) {
    const read = await reader?.read()
    if (!read || read.done) throw new Error('the stream ended')
    feed(decoder.decode(read.value, { stream: true }))
  }
  await reader?.cancel()
  return found
}

/** The state of an answer after a server crashes while sending it. */
async function leaveBehind({ bubbles }: VisitorChat, error: string | null = null): Promise<void> {
  await app.database.system('test: a server dies', (db) =>
    db
      .updateTable('outbox')
      .set({ status: 'sending', error, owner: 1_999_999_999, lease_until: new Date(0) })
      .where('id', '=', bubbles[1]?.id as Id<'outbox'>)
      .execute(),
  )
}

/** Delivery state of the answer. */
function endOf({ bubbles }: VisitorChat) {
  return app.database.system('test: look', (db) =>
    db
      .selectFrom('outbox')
      .where('id', '=', bubbles[1]?.id as Id<'outbox'>)
      .select(['status', 'error'])
      .executeTakeFirst(),
  )
}

/** The most recently active conversation. */
async function newest(): Promise<Id<'conversations'>> {
  const { page } = await person.http.query(api.conversations.list, { paginationOpts: { numItems: 1, cursor: null } })
  return page[0]?._id as Id<'conversations'>
}

const authors = (chat: VisitorChat) => chat.bubbles.map(({ author }) => author)

describe('a visitor', () => {
  it('is answered once, however often a message is sent', async () => {
    const { token } = await open()
    const hello = message('Hello')
    await Promise.all([say(token, hello), say(token, hello), say(token, hello)])
    const chat = await waitFor(token, ({ bubbles, isAnswering }) => bubbles.length > 1 && !isAnswering)
    expect(authors(chat)).toEqual(['customer', 'agent'])
    expect(chat.bubbles[0]).toMatchObject({ id: hello.id, text: 'Hello' })
    await say(token, hello)
    await app.settle()
    expect(authors(await waitFor(token, () => true))).toEqual(['customer', 'agent'])
  })

  it('comes back to the same conversation with a renewed token, and another visitor sees nothing of it', async () => {
    const first = await open()
    await say(first.token, message('Remember me'))
    const second = await open({ token: first.token })
    expect(second.token).not.toBe(first.token)
    expect((await waitFor(second.token, () => true)).bubbles[0]?.text).toBe('Remember me')
    const stranger = await open({ token: 'made up' })
    expect(await waitFor(stranger.token, () => true)).toEqual({
      bubbles: [],
      isAnswering: false,
      draft: null,
      person: null,
      personTypingMs: 0,
      isRatingAsked: false,
      isOpen: true,
    })
  })

  it('sees an operator’s messages, and the operator only after they have written, not when they have only silenced the agent', async () => {
    const { token } = await open()
    await say(token, message('Hello'))
    await app.settle()
    const conversationId = await newest()
    await person.http.mutation(api.conversations.pause, { conversationId })
    await waitFor(token, (chat) => chat.person === 'called')
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'A person here' })
    const chat = await waitFor(token, ({ bubbles }) => bubbles.at(-1)?.author === 'operator')
    expect([chat.bubbles.at(-1)?.text, chat.person]).toEqual(['A person here', 'here'])
    await person.http.mutation(api.conversations.pause, { conversationId })
    expect(await waitFor(token, () => true)).toMatchObject({ person: 'here' })
  })

  it('can open a file that an operator sends, and no one else can', async () => {
    const { token } = await open()
    await say(token, message('Where are you?'))
    await app.settle()
    const uploaded = await fetch(`${app.url}/api/files/uploads?name=way.txt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await person.token()}` },
      body: 'Second house on the left',
    })
    const { ticket } = (await uploaded.json()) as { ticket: string }
    const reply = { conversationId: await newest(), text: 'Here:', attachments: [ticket] }
    await person.http.mutation(api.conversations.reply, reply)
    const file = (await waitFor(token, ({ bubbles }) => Boolean(bubbles.at(-1)?.files[0]))).bubbles.at(-1)?.files[0]
    expect(file).toMatchObject({ name: 'way.txt', isImage: false })
    const answer = await ask(`files/${file?.id}`, { token })
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    expect(await answer.text()).toBe('Second house on the left')
    const stranger = await open()
    expect((await ask(`files/${file?.id}`, { token: stranger.token })).status).toBe(404)
    expect((await ask(`files/${file?.id}`)).status).toBe(401)
  })

  it('calls a person by a button, and is not answered by the agent any more', async () => {
    const { token } = await open()
    expect((await ask('person', { token, body: message('A person, please') })).status).toBe(204)
    expect(await waitFor(token, () => true)).toMatchObject({ person: 'called' })
    await app.settle()
    await say(token, message('Anybody?'))
    await app.settle()
    expect(authors(await waitFor(token, () => true))).toEqual(['customer', 'customer'])
    const waiting = { needsPerson: true as const, paginationOpts: { numItems: 1, cursor: null } }
    expect((await person.http.query(api.conversations.list, waiting)).page[0]).toMatchObject({
      channel: 'webchat',
      needsPerson: true,
      pauseReason: 'customer_request',
    })
  })

  it('is shown an answer once after its server crashed', async () => {
    const { token } = await open()
    await say(token, message('Hello'))
    const before = await waitFor(token, ({ bubbles, isAnswering }) => bubbles.length > 1 && !isAnswering)
    await leaveBehind(before)
    await app.settle()
    // In between it is not shown, for a moment that may be too short to be seen.
    const after = await waitFor(token, ({ bubbles, isAnswering }) => bubbles.length > 1 && !isAnswering)
    expect(after.bubbles.map(({ id, text }) => ({ id, text }))).toEqual(
      before.bubbles.map(({ id, text }) => ({ id, text })),
    )
  })

  it('is not shown an answer whose server crashed when a person paused the agent meanwhile, and it counts as failed', async () => {
    const { token } = await open()
    await say(token, message('Hello'))
    const before = await waitFor(token, ({ bubbles, isAnswering }) => bubbles.length > 1 && !isAnswering)
    await leaveBehind(before, 'paused')
    await app.settle()
    expect(authors(await waitFor(token, ({ isAnswering }) => !isAnswering))).toEqual(['customer'])
    expect(await endOf(before)).toEqual({ status: 'failed', error: 'paused' })
  })

  it('reads an answer while it is generated, and then once', async () => {
    const { token } = await open()
    openai.reply(() => ({ text: 'We deliver every day of the week.', pieceDelayMs: 150 }))
    await say(token, message('Do you deliver?'))
    const reading = await waitFor(token, ({ draft }) => draft !== null)
    expect('We deliver every day of the week.').toContain(reading.draft)
    expect(authors(reading)).toEqual(['customer'])
    const whole = await waitFor(token, ({ bubbles, isAnswering }) => bubbles.length > 1 && !isAnswering)
    expect(whole).toMatchObject({ draft: null, bubbles: [{}, { text: 'We deliver every day of the week.' }] })
  })

  it('reads nothing before the whole answer of an agent whose answers are checked first', async () => {
    const guarded = await person.http.mutation(api.agents.create, { name: 'Guarded' })
    const answers = { phrases: ['secret'], action: 'text' as const, text: 'I would rather not say.' }
    const { guards } = await person.http.query(api.agents.get, { id: guarded._id })
    const live = await person.http.mutation(api.agents.update, {
      id: guarded._id,
      patch: { guards: { ...guards, answers } },
    })
    expect(live.guards.answers.phrases).toEqual(['secret'])
    const { externalAccountId: key } = await provision({}, guarded._id)
    const { token } = await open({}, key)
    openai.reply(() => ({ text: 'The secret number is 1234.', pieceDelayMs: 50 }))
    await say(token, message('Tell me'), key)
    const seen: VisitorChat[] = []
    const isAnswered = (chat: VisitorChat) => seen.push(chat) > 0 && chat.bubbles.length > 1
    expect((await waitFor(token, isAnswered, key)).bubbles[1]?.text).toBe('I would rather not say.')
    expect(seen.map(({ draft }) => draft)).toEqual(seen.map(() => null))
  })

  it('is asked for a rating once when a person has helped, and the team sees it', async () => {
    const { token } = await open()
    await ask('person', { token, body: message('A person, please') })
    const conversationId = await newest()
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Here I am' })
    expect((await waitFor(token, ({ bubbles }) => bubbles.length > 1)).isRatingAsked).toBe(false)
    await person.http.mutation(api.conversations.end, { conversationId })
    await waitFor(token, (chat) => chat.isRatingAsked)
    expect((await ask('rating', { token, body: { score: 6, comment: '' } })).status).toBe(400)
    expect((await ask('rating', { token, body: { score: 4, comment: 'Quick!' } })).status).toBe(204)
    await waitFor(token, (chat) => !chat.isRatingAsked)
    await ask('rating', { token, body: { score: 1, comment: 'nobody asked' } })
    const { rating } = await person.http.query(api.conversations.get, { conversationId })
    expect(rating).toMatchObject({ score: 4, comment: 'Quick!' })
  })

  it('is asked when the conversation ends, and may decline', async () => {
    const { token } = await open()
    await say(token, message('Hello'))
    await waitFor(token, ({ bubbles, isAnswering }) => bubbles.length > 1 && !isAnswering)
    const conversationId = await newest()
    await person.http.mutation(api.conversations.end, { conversationId })
    await waitFor(token, (chat) => chat.isRatingAsked)
    await ask('rating', { token, body: { score: null, comment: '' } })
    await waitFor(token, (chat) => !chat.isRatingAsked)
    expect((await person.http.query(api.conversations.get, { conversationId })).rating).toBeNull()
  })

  it('sees that an operator is typing, and the operator sees that the visitor is', async () => {
    const { token } = await open()
    await ask('person', { token, body: message('A person, please') })
    const conversationId = await newest()
    await person.http.mutation(api.conversations.typing, { conversationId })
    await waitFor(token, ({ personTypingMs }) => personTypingMs > 0)
    await ask('typing', { token, body: {} })
    const { customerTypingAt } = await person.http.query(api.conversations.get, { conversationId })
    expect(customerTypingAt).not.toBeNull()
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Here I am' })
    await waitFor(token, ({ bubbles, personTypingMs }) => bubbles.length > 1 && personTypingMs === 0)
  })

  it('is one customer on every device when the site has signed who it is', async () => {
    const { secret } = await person.http.action(api.channels.webchat.createIdentitySecret, { connectionId: widget._id })
    const anna = { userId: 'user-42', name: 'Anna' }
    const identity = { ...anna, hash: identityHash(secret, anna) }
    const phone = await open({ identity })
    await say(phone.token, message('From the phone'))
    const laptop = await open({ identity })
    expect((await waitFor(laptop.token, () => true)).bubbles[0]?.text).toBe('From the phone')
    const { customer } = await person.http.query(api.conversations.get, { conversationId: await newest() })
    expect(customer?.name).toBe('Anna')
    const signedOut = await open({ token: phone.token })
    expect((await waitFor(signedOut.token, () => true)).bubbles).toEqual([])
  })

  it('is refused with an identity that the site has not signed, or signed with a replaced secret', async () => {
    const { secret } = await person.http.action(api.channels.webchat.createIdentitySecret, { connectionId: widget._id })
    const anna = { userId: 'user-42', name: null }
    const identity = { userId: 'user-42', hash: identityHash(secret, anna) }
    expect((await ask('session', { body: { identity: { ...identity, userId: 'user-43' } } })).status).toBe(403)
    expect((await ask('session', { body: { identity } })).status).toBe(200)
    await person.http.action(api.channels.webchat.createIdentitySecret, { connectionId: widget._id })
    expect((await ask('session', { body: { identity } })).status).toBe(403)
  })

  it('is rate limited', async () => {
    const { token } = await open()
    // All at once: one after another on a slow machine, each would have waited long enough.
    const answers = Array.from({ length: 3 * WEBCHAT_VISITOR_BURST }, (_, n) =>
      ask('messages', { token, body: message(`${n}`) }),
    )
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 204).length).toBeGreaterThanOrEqual(WEBCHAT_VISITOR_BURST)
    expect(statuses).toContain(429)
  })
})

describe('files of a visitor', () => {
  it('go with a message: readable by the agent, the visitor and the team, and no one else', async () => {
    openai.reply((asked) => ({
      text: JSON.stringify(asked).includes('third blue house') ? 'I have read it.' : 'What?',
    }))
    const { token } = await open()
    const way = await sendFile(token, 'C:\\way.txt', 'The third blue house')
    expect(way).toMatchObject({ kind: 'document', name: 'way.txt', sizeBytes: 20 })
    const picture = await sendFile(token, 'photo.txt', PNG)
    await say(token, { ...message(''), files: [way.ticket, picture.ticket] })
    const chat = await waitFor(token, ({ bubbles, isAnswering }) => bubbles.length > 1 && !isAnswering)
    expect(chat.bubbles).toMatchObject([
      { author: 'customer', text: '', files: [{ name: 'way.txt' }, { name: 'photo.txt', isImage: true }] },
      { author: 'agent', text: 'I have read it.', files: [] },
    ])
    const [file] = chat.bubbles[0]?.files ?? []
    expect(await (await ask(`files/${file?.id}`, { token })).text()).toBe('The third blue house')
    const stranger = await open()
    expect((await ask(`files/${file?.id}`, { token: stranger.token })).status).toBe(404)
    const shown = await person.http.query(api.conversations.messages, {
      conversationId: await newest(),
      paginationOpts: { numItems: 5, cursor: null },
    })
    const [read] = shown.page.flatMap(({ attachments }) => attachments)
    expect(read).toMatchObject({ name: 'way.txt', status: 'ready', text: 'The third blue house' })
  })

  it('are typed by their bytes, so that they are read no matter their names', async () => {
    const { token } = await open()
    expect(await sendFile(token, 'a.docx', '%PDF-1.7 and so on')).toMatchObject({
      kind: 'document',
      name: 'a.docx.pdf',
    })
  })

  it.each([
    ['a page called a picture', 'a.png', '<!doctype html><script>alert(1)</script>', 400, 'unsupported_format'],
    ['a page', 'a.html', '<!doctype html><p>Hello', 400, 'unsupported_format'],
    ['a program called a text', 'a.txt', Buffer.from('MZ\0\0'), 400, 'unsupported_format'],
    ['a text with zeros', 'a.txt', Buffer.from('a\0b'), 400, 'unsupported_format'],
    ['nothing', 'a.txt', '', 400, 'file_empty'],
    ['too much', 'a.txt', 'x'.repeat(WEBCHAT_FILE_MAX_BYTES + 1), 413, 'file_too_large'],
    ['a file without a name', '', 'Hello', 400, 'invalid_arguments'],
  ])('are not %s', async (_, name, content, status, code) => {
    const { token } = await open()
    const answer = await upload(token, name, content)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ code })
  })

  it('belong to the visitor who has sent them: no session, no other visitor and no other widget can use them', async () => {
    const [mine, other] = [await open(), await open()]
    const { ticket } = await sendFile(mine.token, 'a.txt', 'Hello')
    const refused = await ask('messages', { token: other.token, body: { ...message('Mine?'), files: [ticket] } })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ code: 'upload_expired' })
    expect((await upload('', 'a.txt', 'Hello')).status).toBe(401)
    const closed = await provision({ takesFiles: false })
    const { token, widget: shown } = await open({}, closed.externalAccountId)
    expect(shown.takesFiles).toBe(false)
    expect((await upload(token, 'a.txt', 'Hello', closed.externalAccountId)).status).toBe(403)
  })

  it('are limited per hour and visitor, however many come at once, without affecting others', async () => {
    const { token } = await open()
    const answers = await Promise.all(
      Array.from({ length: WEBCHAT_VISITOR_FILES_PER_HOUR + 5 }, () => upload(token, 'a.txt', 'Hello')),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(WEBCHAT_VISITOR_FILES_PER_HOUR)
    const refused = answers.find(({ status }) => status === 429)
    expect(await refused?.json()).toMatchObject({
      code: 'files_limit_reached',
      params: { retryAfterMs: expect.any(Number) },
    })
    expect((await upload((await open()).token, 'a.txt', 'Hello')).status).toBe(201)
  })
})

describe('the HTTP endpoint', () => {
  it.each(['chat', 'messages', 'person'])(
    'refuses /%s without a session, and with one of another widget',
    async (path) => {
      const other = await provision()
      const { token } = await open({}, other.externalAccountId)
      const body = path === 'chat' ? undefined : message('Hello')
      for (const wrong of ['', 'Bearer', token]) {
        expect((await ask(path, { token: wrong, ...(body && { body }) })).status).toBe(401)
      }
    },
  )

  it('does not exist for an unknown key, or after the widget was removed', async () => {
    const gone = await provision()
    const { token } = await open({}, gone.externalAccountId)
    await person.http.action(api.channels.webchat.disconnect, { connectionId: gone._id })
    for (const key of [gone.externalAccountId, 'x'.repeat(22), 'x', '..%2f..']) {
      expect((await ask('session', { body: {}, key })).status).toBe(404)
    }
    expect((await ask('messages', { token, body: message('Hello'), key: gone.externalAccountId })).status).toBe(404)
  })

  it.each(['cross-site', 'same-site'])('refuses requests of other sites: %s', async (site) => {
    expect((await ask('session', { body: {}, headers: { 'sec-fetch-site': site } })).status).toBe(403)
  })

  it.each([
    {},
    { id: 'x', text: 'short id', language: 'en' },
    { ...message(' ') },
    { ...message('Hello'), files: ['1', '2', '3', '4', '5', '6'] },
    { ...message('x'), visitorId: 'y' },
  ])('rejects a message like %j', async (body) => {
    const { token } = await open()
    expect((await ask('messages', { token, body })).status).toBe(400)
  })
})

describe('the pages', () => {
  it('may be framed by the widget’s sites only, and the standalone page by none', async () => {
    const policyOf = async (path: string) => (await fetch(app.url + path)).headers.get('content-security-policy')
    const key = widget.externalAccountId
    expect(await policyOf(`/widget/${key}`)).toContain('frame-ancestors shop.example *.shop.example;')
    expect(await policyOf(`/talk/${key}`)).toContain("frame-ancestors 'none'")
    expect(await policyOf('/widget/nobody')).toContain("frame-ancestors 'none'")
    const nowhere = await provision({ domains: [] })
    expect(await policyOf(`/widget/${nowhere.externalAccountId}`)).toContain("frame-ancestors 'none'")
  })

  it('reflect changed settings', async () => {
    const changed = await person.http.mutation(api.channels.webchat.update, {
      connectionId: widget._id,
      widget: { ...WIDGET, title: 'New name' },
    })
    expect(changed).toMatchObject({ identifier: 'New name', widget: { title: 'New name' } })
    expect((await open()).widget.title).toBe('New name')
  })
})
