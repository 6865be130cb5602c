// Avito and the whole server: connecting, one answer to a notification delivered ten times, the ad that a question is about, people who
// answer in Avito's application as well as echoes of our own messages, pictures, failures, new keys.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { unknownSendsJob } from '#server/domain/messaging/delivery/unknown-sends.job.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeAvitoAccount, type FakeChat, startFakeAvito } from '#tests/fakes/avito/avito.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const ad = { id: 17, title: 'Mazda 3 2008', priceString: '300 000 ₽', url: 'https://avito.ru/mazda_17' }
const avito = await startFakeAvito()
let app: TestApp
let person: Person
let agentId: Awaited<ReturnType<typeof newAgent>>
let account: FakeAvitoAccount
let connection: ChannelConnection
let customerId = 94_235_000
const anna = () => ({ id: customerId, name: `Anna ${customerId}` })
const chat = (): FakeChat => avito.chat(account.userId, anna(), ad)

beforeAll(async () => {
  app = await startApp({ avito, config: { publicUrl: 'https://parley.example', hasPublicUrl: true } })
  avito.webhookOrigin = () => app.url
  person = await app.signUp()
  agentId = await newAgent()
  account = avito.addAccount()
  connection = await provision(account)
})
afterEach(async () => {
  await app.settle()
  customerId++
  Object.assign(avito.faults, {
    refusals: [],
    answersToDrop: 0,
    tellsFirst: false,
    hidesOwn: false,
    copies: 1,
    failedLists: 0,
    slowChatsMs: 0,
    slowSendsMs: 0,
  })
  account.hasMessenger = true
})
afterAll(async () => {
  await app.close()
  await avito.close()
})

describe('connecting', () => {
  it('subscribes the webhook, and removes the subscription on disconnect', async () => {
    const other = avito.addAccount({ name: 'Other shop' })
    const made = await provision(other)
    expect(made).toMatchObject({ channel: 'avito', status: 'connected', identifier: 'Other shop' })
    expect(made).toMatchObject({ externalAccountId: String(other.userId) })
    expect(made.maskedToken).toBe(`••••${other.clientSecret.slice(-4)}`)
    const [{ url } = { url: '' }] = other.subscriptions
    expect(url).toMatch(/^https:\/\/parley\.example\/webhooks\/avito\/[\w-]{43}\?parley=[\w-]{22}$/)
    await person.http.action(api.channels.messengers.check, { connectionId: made._id })
    expect(other.subscriptions).toHaveLength(1)
    await person.http.action(api.channels.messengers.disconnect, { connectionId: made._id })
    expect(other.subscriptions).toEqual([])
    expect(await post(url, { payload: {} })).toBe(404)
  })

  it.each([
    ['a secret that Avito does not know', { clientSecret: 'x'.repeat(40) }, 'messenger_credentials_invalid'],
    ['something else than a key', { clientId: 'my shop' }, 'messenger_credentials_invalid'],
  ])('refuses %s', async (_, given, code) => {
    await expect(provision({ ...avito.addAccount(), ...given })).rejects.toMatchObject({ data: { code } })
  })

  it('refuses an account whose plan has no messenger, and leaves nothing behind', async () => {
    const other = avito.addAccount({ hasMessenger: false })
    await expect(provision(other)).rejects.toMatchObject({ data: { code: 'messenger_suspended' } })
    other.hasMessenger = true
    expect(await provision(other)).toMatchObject({ status: 'connected' })
  })

  it.each([1, 2])('rolls back at Avito the connection that failed: after %s answers are missing', async (missing) => {
    const other = avito.addAccount()
    other.subscriptions = [{ url: 'https://other.example/avito', version: '3' }]
    avito.faults.failedLists = missing
    await expect(provision(other)).rejects.toMatchObject({ data: { code: 'messenger_unreachable' } })
    await app.settle()
    expect(other.subscriptions.map(({ url }) => url)).toEqual(['https://other.example/avito'])
  })

  it('requires a public address to which Avito can deliver', async () => {
    const local = await startApp({ avito, config: { publicUrl: 'http://localhost:3000', hasPublicUrl: true } })
    const { http } = await local.signUp()
    const { _id } = await http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
    const { clientId, clientSecret } = avito.addAccount()
    const entry = { agentId: _id, channel: 'avito' as const, entered: { clientId, clientSecret } }
    const refused = http.action(api.channels.messengers.provision, entry)
    await expect(refused).rejects.toMatchObject({ data: { code: 'messenger_needs_https' } })
    await local.close()
  })

  it('refuses an account that is connected already', async () => {
    await expect(provision(account)).rejects.toMatchObject({ data: { code: 'messenger_in_use' } })
  })
})

describe('a customer', () => {
  it('is answered once and is shown by name, with the ad quoted in their first message', async () => {
    say('Is it there?')
    await answered()
    say('And today?')
    await answered(2)
    expect(await find()).toMatchObject({ channel: 'avito', customer: { name: anna().name } })
    const fromCustomer = (await messages()).filter(({ author }) => author === 'customer')
    expect(fromCustomer.map(({ text, quoted }) => [text, quoted ?? null])).toEqual([
      ['And today?', null],
      ['Is it there?', 'Mazda 3 2008 · 300 000 ₽ · https://avito.ru/mazda_17'],
    ])
  })

  it('keeps the name when Avito does not return it, and is answered all the same', async () => {
    say('Is it there?')
    await answered()
    avito.faults.slowChatsMs = 1500
    const other = avito.chat(account.userId, anna(), { ...ad, id: 18 })
    avito.customerSays(account.userId, anna(), 'And this one?', { ...ad, id: 18 })
    await avito.waitFor(() => avito.sentTo(account.userId, other.id).length > 0, 'the answer')
    await app.settle()
    const { page } = await person.http.query(api.conversations.list, PAGE)
    expect(page.filter(({ customer }) => customer?.name === anna().name)).toHaveLength(2)
  })

  it('is answered once, however often the message is delivered', async () => {
    avito.faults.copies = 10
    say('Is it there?')
    await answered()
    await app.settle()
    expect(ours()).toHaveLength(1)
    expect((await messages()).map(({ author }) => author)).toEqual(['agent', 'customer'])
  })

  it('is rejected at an address that is not theirs, no matter the header', async () => {
    const strange = `https://parley.example/webhooks/avito/${'a'.repeat(43)}`
    expect(await post(strange, { payload: { type: 'message', value: {} } })).toBe(404)
  })

  it('may send a picture, and content that Avito does not pass on', async () => {
    const url = avito.serve(PNG, 'png')
    avito.customerSends(
      account.userId,
      anna(),
      { type: 'image', content: { image: { sizes: { '1280x960': url } } } },
      ad,
    )
    await answered()
    avito.customerSends(account.userId, anna(), { type: 'video', content: {} }, ad)
    await answered(2)
    const fromCustomer = (await messages()).filter(({ author }) => author === 'customer')
    expect(fromCustomer.map(({ attachments }) => attachments?.map(({ kind }) => kind))).toEqual([['other'], ['image']])
  })
})

describe('a message from the account itself', () => {
  it.each([false, true])(
    'is an echo of our own, even if it arrives before the response to its send: %s',
    async (isFirst) => {
      avito.faults.tellsFirst = isFirst
      say('Is it there?')
      await answered()
      await taken()
      expect(await find()).toMatchObject({ status: 'active' })
      expect((await messages()).map(({ author }) => author)).toEqual(['agent', 'customer'])
    },
  )

  it.each([false, true])(
    'is not a person’s answer when it is a test message, even if it arrives before the response to its send: %s',
    async (isFirst) => {
      say('Is it there?')
      await answered()
      avito.faults.tellsFirst = isFirst
      const test = { connectionId: connection._id, chatId: chat().id, text: 'This is a test.' }
      await person.http.action(api.channels.messengers.sendTest, test)
      await taken()
      expect(await find()).toMatchObject({ status: 'active' })
      expect((await messages()).map(({ author }) => author)).toEqual(['agent', 'customer'])
    },
  )

  it('is a person’s answer when we have not sent it, and silences the agent', async () => {
    say('Is it there?')
    await answered()
    avito.ownerSays(account.userId, chat().id, 'This is Boris. Come at nine')
    await expect.poll(find, { timeout: 10_000 }).toMatchObject({
      status: 'paused',
      pauseReason: 'operator_elsewhere',
    })
    say('Thanks')
    await taken()
    expect((await messages()).map(({ author, text }) => [author, text])).toMatchObject([
      ['customer', 'Thanks'],
      ['operator', 'This is Boris. Come at nine'],
      ['agent', expect.anything()],
      ['customer', 'Is it there?'],
    ])
    expect(ours()).toHaveLength(2)
  })

  it('is a person’s answer also while we are sending something else', async () => {
    avito.faults.slowSendsMs = 400
    say('Is it there?')
    await avito.waitFor(() => ours().length > 0, 'the answer')
    avito.ownerSays(account.userId, chat().id, 'This is Boris. Come at nine')
    await taken()
    expect(await find()).toMatchObject({ status: 'paused', pauseReason: 'operator_elsewhere' })
    expect((await messages()).filter(({ author }) => author === 'operator')).toHaveLength(1)
  })

  it('is a person’s answer also while a picture of ours is on its way', async () => {
    say('Is it there?')
    await answered()
    avito.faults.slowSendsMs = 400
    await replyWithPicture()
    await avito.waitFor(() => ours().length > 1, 'the picture')
    avito.ownerSays(account.userId, chat().id, 'This is Boris. Come at nine')
    await taken()
    await app.settle()
    expect((await messages()).map(({ text }) => text)).toContain('This is Boris. Come at nine')
    expect((await messages()).filter(({ author }) => author === 'operator')).toHaveLength(2)
  })

  it('is recognized as our own picture of unknown outcome', async () => {
    say('Is it there?')
    await answered()
    Object.assign(avito.faults, { answersToDrop: 1, hidesOwn: true })
    await replyWithPicture()
    await expect.poll(pictureStatus, { timeout: 10_000 }).toBe('unknown')
    const picture = ours()[1]
    if (!picture) throw new Error('no picture was sent')
    await avito.deliver(account.userId, avito.notification(account.userId, chat(), picture))
    await app.settle()
    expect(await pictureStatus()).toBe('sent')
    expect((await messages()).filter(({ author }) => author === 'operator')).toHaveLength(1)
  })

  it('is not a person’s answer when a bot of Avito has sent it', async () => {
    say('Is it there?')
    await answered()
    const content = { text: 'A discount for you', flow_id: 'seller_audience_discount' }
    avito.add(account.userId, chat(), { type: 'system', authorId: account.userId, content })
    await taken()
    expect(await find()).toMatchObject({ status: 'active' })
  })
})

describe('a message', () => {
  it('of unknown outcome is not sent again; Avito is asked for its outcome', async () => {
    Object.assign(avito.faults, { answersToDrop: 1, hidesOwn: true })
    say('Is it there?')
    await answered()
    expect(await delivery()).toMatchObject({ status: 'unknown' })
    await app.database.system('test: ask', (db) => app.services.jobs.send(db, unknownSendsJob, {}))
    await app.settle()
    expect(await delivery()).toMatchObject({ status: 'sent' })
    expect(ours()).toHaveLength(1)
  })

  it('of unknown outcome is looked up in its own chat, a few chats at a time, and a chat that cannot be read blocks no other', async () => {
    avito.faults.hidesOwn = true
    const others = Array.from({ length: 13 }, (_, number) => ({ id: 90_000 + number, name: `Customer ${number}` }))
    for (const other of others) avito.customerSays(account.userId, other, 'Is it there?', ad)
    const chats = others.map((other) => avito.chat(account.userId, other, ad).id)
    const parts = (status: string) =>
      app.database.system('test: parts', (db) =>
        sql<{ id: string }>`select external_chat_id as id from outbox where status = ${status}
          and external_chat_id = any (${chats}::text[])`.execute(db),
      )
    await expect.poll(async () => (await parts('sent')).rows.length, { timeout: 20_000 }).toBe(13)
    await app.settle()
    await app.database.system('test: no answer came', (db) =>
      sql`update outbox set status = 'unknown', external_message_id = null
        where external_chat_id = any (${chats}::text[])`.execute(db),
    )
    const unknown = async () => (await parts('unknown')).rows
    account.chats.delete(chats[0] ?? '')
    avito.calls.length = 0
    const ask = async () => {
      await app.database.system('test: ask', (db) => app.services.jobs.send(db, unknownSendsJob, {}))
      await app.settle()
    }
    await ask()
    expect(avito.countOf('/messages/')).toBe(10)
    expect(avito.countOf('/chats?')).toBe(0)
    for (let run = 0; run < 40 && (await unknown()).length > 1; run++) await ask()
    expect(await unknown()).toEqual([{ id: chats[0] }])
  })

  it('of unknown outcome counts as sent when Avito reports it later', async () => {
    Object.assign(avito.faults, { answersToDrop: 1, hidesOwn: true })
    say('Is it there?')
    await answered()
    expect(await delivery()).toMatchObject({ status: 'unknown' })
    const [message] = ours()
    if (!message) throw new Error('nothing was sent')
    await avito.deliver(account.userId, avito.notification(account.userId, chat(), message))
    await app.settle()
    expect(await delivery()).toMatchObject({ status: 'sent' })
    expect(await find()).toMatchObject({ status: 'active' })
  })

  it('is retried when Avito asks to wait, and not for a customer who has blocked the account', async () => {
    avito.faults.refusals = [{ status: 429, message: 'Too many requests', retryAfter: 1 }]
    say('Is it there?')
    await answered()
    expect(await delivery()).toMatchObject({ status: 'sent' })
    chat().isBlocked = true
    say('Hello?')
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'failed' })
    expect((await delivery())?.error).toMatch(/^blocked: 403/)
    expect((await current(connection))?.status).toBe('connected')
  })

  it('waits while the account may not write, and is sent when it may again', async () => {
    say('Is it there?')
    await answered()
    account.hasMessenger = false
    say('Hello?')
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'queued' })
    expect(ours()).toHaveLength(1)
    account.hasMessenger = true
    await app.database.system('test: time passes', (db) =>
      sql`update outbox set not_before = now() where status = 'queued'`.execute(db),
    )
    await answered(2)
  })

  it('of a person may carry pictures, and nothing else', async () => {
    say('Is it there?')
    await answered()
    const { _id: conversationId } = (await find()) as Conversation
    const reply = async (name: string, bytes: Buffer) =>
      person.http.mutation(api.conversations.reply, {
        conversationId,
        text: '',
        attachments: [await upload(name, bytes)],
      })
    await expect(reply('prices.txt', Buffer.from('Prices'))).rejects.toMatchObject({
      data: { code: 'channel_sends_pictures_only' },
    })
    avito.faults.tellsFirst = true
    await reply('photo.png', PNG)
    await answered(2)
    expect(ours()[1]?.file).toMatchObject({ name: 'photo.png' })
    await taken()
    const authors = (await messages()).map(({ author }) => author)
    expect(authors.filter((author) => author === 'operator')).toHaveLength(1)
  })
})

describe('the account key', () => {
  it('keeps working when its access token is revoked', async () => {
    say('Is it there?')
    await answered()
    account.tokens.clear()
    say('Hello?')
    await answered(2)
  })

  it('that is refused puts the connection into error, and a new one of the same account repairs it', async () => {
    const other = avito.addAccount()
    const { _id: connectionId } = await provision(other)
    Object.assign(other, { clientSecret: 'b'.repeat(40), tokens: new Map() })
    avito.customerSays(other.userId, anna(), 'Hello')
    await expect.poll(async () => (await current({ _id: connectionId }))?.status, { timeout: 10_000 }).toBe('error')
    const rotate = (entered: Record<string, string>) =>
      person.http.action(api.channels.messengers.rotate, { connectionId, entered })
    await expect(rotate({ clientSecret: 'c'.repeat(40) })).rejects.toMatchObject({
      data: { code: 'messenger_credentials_invalid' },
    })
    const { clientId, clientSecret } = account
    await expect(rotate({ clientId, clientSecret })).rejects.toMatchObject({
      data: { code: 'messenger_other_account' },
    })
    const mended = await rotate({ clientSecret: other.clientSecret })
    expect(mended).toMatchObject({ status: 'connected', maskedToken: '••••bbbb' })
    expect(other.subscriptions).toHaveLength(1)
    avito.customerSays(other.userId, anna(), 'Hello again')
    const theirs = avito.chat(other.userId, anna())
    await avito.waitFor(() => avito.sentTo(other.userId, theirs.id).length > 0, 'the answer')
  })
})

async function newAgent() {
  const { _id } = await person.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  return _id
}
function provision({ clientId, clientSecret }: FakeAvitoAccount): Promise<ChannelConnection> {
  const entered = { clientId, clientSecret }
  return person.http.action(api.channels.messengers.provision, { agentId, channel: 'avito', entered })
}
async function current({ _id: id }: Pick<ChannelConnection, '_id'>) {
  return (await person.http.query(api.channelConnections.list, {})).find(({ _id }) => _id === id)
}
async function post(address: string, body: object): Promise<number> {
  const { pathname, search } = new URL(address)
  const headers = { 'content-type': 'application/json', 'x-avito-messenger-signature': 'f'.repeat(64) }
  const answer = await fetch(app.url + pathname + search, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.status
}
async function upload(name: string, bytes: Buffer): Promise<string> {
  const headers = { authorization: `Bearer ${await person.token()}` }
  const path = `${app.url}/api/files/uploads?name=${name}`
  const answer = await fetch(path, { method: 'POST', headers, body: new Uint8Array(bytes) })
  return ((await answer.json()) as { ticket: string }).ticket
}
/** An operator answers with a picture and no text. */
async function replyWithPicture(): Promise<void> {
  const { _id: conversationId } = (await find()) as Conversation
  const attachments = [await upload('photo.png', PNG)]
  await person.http.mutation(api.conversations.reply, { conversationId, text: '', attachments })
}
async function pictureStatus(): Promise<string | undefined> {
  const replies = (await messages()).filter(({ author }) => author === 'operator')
  return replies.at(-1)?.deliveries[0]?.status
}
function say(text: string): void {
  avito.customerSays(account.userId, anna(), text, ad)
}
/** Messages that the account has sent to the customer of this test. */
function ours() {
  return avito.sentTo(account.userId, chat().id)
}
/** Waits until the customer of this test has received this many messages, and nothing is being sent. */
async function answered(count = 1): Promise<void> {
  await avito.waitFor(() => ours().length >= count, `${count} messages`)
  await app.settle()
}
/** Waits until every message in the chat of this test has been delivered to us and acknowledged. */
async function taken(): Promise<void> {
  const isTaken = () => chat().messages.every(({ id }) => avito.taken.some((text) => text.includes(id)))
  await avito.waitFor(isTaken, 'the last notification')
  await app.settle()
}
async function find(): Promise<Conversation | undefined> {
  const { page } = await person.http.query(api.conversations.list, PAGE)
  return page.find(({ customer }) => customer?.name === anna().name)
}
async function messages(): Promise<Message[]> {
  const conversation = await find()
  if (!conversation) return []
  return (await person.http.query(api.conversations.messages, { conversationId: conversation._id, ...PAGE })).page
}
/** Of the newest message sent. */
async function delivery() {
  return (await messages()).find(({ deliveries }) => deliveries.length > 0)?.deliveries[0]
}
