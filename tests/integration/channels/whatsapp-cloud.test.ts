// WhatsApp through Meta's own Cloud API and the whole server: connecting, one answer to what is delivered ten times, receipts, the day
// after which only a template may be sent, and new tokens.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { beginFollowUps } from '#server/domain/messaging/follow-ups/follow-up.store.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { planFollowUpAt } from '#tests/conversation-parts.ts'
import { startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import {
  type FakeNumber,
  NO_FAULTS,
  pressOf,
  startFakeWhatsappCloud,
} from '#tests/fakes/whatsapp-cloud/whatsapp-cloud.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const DAY_MS = 24 * 3_600_000
const cloud = await startFakeWhatsappCloud()
/** Generates until the typing indicator is shown. */
const openai = await startFakeOpenAi({
  reply: async () => {
    await cloud.waitFor(() => cloud.typing.length > 0, 'the typing indicator')
    return { text: 'We open at nine.' }
  },
})
let app: TestApp
let person: Person
let agentId: Awaited<ReturnType<typeof newAgent>>
let number: FakeNumber
let connection: ChannelConnection
let phone = 77_001_000_000
const anna = () => ({ phone: String(phone), name: 'Anna' })

beforeAll(async () => {
  app = await startApp({
    openai,
    whatsappCloud: cloud,
    config: { publicUrl: 'https://parley.example', hasPublicUrl: true },
  })
  cloud.webhookOrigin = () => app.url
  person = await app.signUp()
  agentId = await newAgent()
  number = cloud.addNumber({ templates: TEMPLATES })
  connection = await connect(number)
})
afterEach(() => {
  phone++
  cloud.faults = { ...NO_FAULTS, refusals: [] }
})
afterAll(async () => {
  await app.close()
  await cloud.close()
  await openai.close()
})

const body = (text: string) => ({ type: 'BODY', text })
const TEMPLATES = [
  { name: 'hello', language: 'en', status: 'APPROVED', category: 'UTILITY', components: [body('Hello!')] },
  { name: 'new', language: 'en', status: 'PENDING', category: 'UTILITY', components: [body('New')] },
  {
    name: 'order_ready',
    language: 'en',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
      body('{{1}}, your order of {{2}} is ready.'),
      { type: 'FOOTER', text: 'Parley Coffee' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Look', url: 'https://shop.example/{{1}}' }] },
    ],
  },
  {
    name: 'picture',
    language: 'en',
    status: 'APPROVED',
    category: 'MARKETING',
    components: [{ type: 'HEADER', format: 'IMAGE' }, body('Look')],
  },
]

describe('connecting', () => {
  it('is pending until the webhook is entered in the dashboard, and then overrides the webhook of the number', async () => {
    const other = cloud.addNumber()
    const pending = await provision(other)
    expect(pending).toMatchObject({ channel: 'whatsappCloud', status: 'pending', identifier: '77009000000' })
    expect(pending.maskedToken).toBe(`••••${other.accessToken.slice(-4)}`)
    const { callbackUrl, verifyToken, isReachable } = await webhookOf(pending)
    expect(callbackUrl).toMatch(/^https:\/\/parley\.example\/webhooks\/whatsappCloud\/[\w-]{43}$/)
    expect(isReachable).toBe(true)
    const wrong = await cloud.enterWebhook(other.phoneNumberId, { url: callbackUrl, verifyToken: 'wrong' })
    expect(wrong).toBe(false)
    expect((await current(pending))?.status).toBe('pending')
    expect(await cloud.enterWebhook(other.phoneNumberId, { url: callbackUrl, verifyToken })).toBe(true)
    expect((await current(pending))?.status).toBe('connected')
    const checked = await person.http.action(api.channels.whatsappCloud.check, { connectionId: pending._id })
    expect(checked.status).toBe('connected')
    expect(other.webhook?.url).toBe(callbackUrl)
    await person.http.action(api.channels.whatsappCloud.disconnect, { connectionId: pending._id })
    expect(other.webhook).toBeNull()
  })

  it.each([
    ['a token that Meta does not know', { accessToken: `EAA${'0'.repeat(60)}` }, 'cloud_credentials_invalid'],
    ['ids that are none', { phoneNumberId: 'my number' }, 'cloud_credentials_invalid'],
    ['the secret of another app', { appSecret: '0'.repeat(32) }, 'cloud_secret_invalid'],
    ['something else than a secret', { appSecret: 'secret' }, 'cloud_secret_invalid'],
  ])('refuses %s', async (_, given, code) => {
    const other = cloud.addNumber()
    await expect(provision({ ...other, ...given })).rejects.toMatchObject({ data: { code } })
    expect((await connections()).map(({ externalAccountId }) => externalAccountId)).not.toContain(other.phoneNumberId)
  })

  it('refuses a number of another account, and one that is connected already', async () => {
    const { accessToken, appSecret } = number
    const sibling = cloud.addNumber({ accessToken, appSecret })
    const foreign = provision({ ...sibling, accountId: number.accountId })
    await expect(foreign).rejects.toMatchObject({ data: { code: 'cloud_number_foreign' } })
    const again = provision(number)
    await expect(again).rejects.toMatchObject({
      data: { code: 'cloud_number_in_use', params: { context: 'same_agent' } },
    })
  })

  it('leaves nothing behind when Meta fails half-way, so that it can be tried again', async () => {
    const other = cloud.addNumber()
    cloud.faults.failedSubscriptions = 1
    await expect(provision(other)).rejects.toMatchObject({ data: { code: 'cloud_unreachable' } })
    const made = await provision(other)
    expect(made.status).toBe('pending')
    const theirs = (await connections()).filter(({ externalAccountId }) => externalAccountId === other.phoneNumberId)
    expect(theirs.map(({ _id, status }) => [_id, status])).toContainEqual([made._id, 'pending'])
    expect(theirs.filter(({ status }) => status !== 'disconnected')).toHaveLength(1)
  })

  it('reports the state of the number', async () => {
    const facts = await person.http.action(api.channels.whatsappCloud.facts, { connectionId: connection._id })
    expect(facts).toEqual({
      phone: '+7 700 900-00-00',
      verifiedName: 'Parley Coffee',
      quality: 'green',
      status: 'connected',
      messagingLimit: 'TIER_1K',
    })
  })
})

describe('a customer', () => {
  it('is answered once and is shown by name', async () => {
    const id = cloud.customerSays(number.phoneNumberId, anna(), 'Hello')
    await answered()
    expect(cloud.sentTo(anna().phone)).toHaveLength(1)
    expect(await find()).toMatchObject({ channel: 'whatsappCloud', customer: { name: 'Anna' } })
    expect(cloud.taken.some((text) => text.includes(id))).toBe(true)
  })

  it('sees the typing indicator and a read receipt', async () => {
    const slow = cloud.addNumber()
    await connect(slow, await newAgent('openai/gpt-4.1-mini'))
    const id = cloud.customerSays(slow.phoneNumberId, anna(), 'When do you open?')
    await answered()
    expect(cloud.sentTo(anna().phone)).toMatchObject([{ text: 'We open at nine.' }])
    expect([...new Set(cloud.typing)]).toEqual([id])
    expect(cloud.read).toContain(id)
  })

  it('is answered once, however often the message is delivered', async () => {
    cloud.faults.copies = 10
    cloud.customerSays(number.phoneNumberId, anna(), 'Hello')
    await answered()
    await cloud.waitFor(() => cloud.taken.some((text) => text.includes(anna().phone)), 'the last copy')
    await app.settle()
    expect(cloud.sentTo(anna().phone)).toHaveLength(1)
    expect((await messages()).map(({ author }) => author)).toEqual(['agent', 'customer'])
  })

  it('is received with every message of one delivery, which is rejected if wrongly signed', async () => {
    const [one, two] = ['One', 'Two'].map((text) => {
      return cloud.message(number.phoneNumberId, anna(), { type: 'text', text: { body: text } })
    })
    const delivery = JSON.stringify({ object: one?.object, entry: [...(one?.entry ?? []), ...(two?.entry ?? [])] })
    number.heardAt.set(anna().phone, Date.now())
    expect(await postSigned(delivery, 'f'.repeat(32))).toBe(404)
    expect(await find()).toBeUndefined()
    expect(await postSigned(delivery, number.appSecret)).toBe(200)
    await answered()
    const fromCustomer = (await messages()).filter(({ author }) => author === 'customer')
    expect(fromCustomer.map(({ text }) => text)).toEqual(['Two', 'One'])
  })

  it('is not acknowledged when the number was switched off, no matter the rest of the delivery', async () => {
    const other = cloud.addNumber()
    const mine = await connect(other)
    const { callbackUrl } = await webhookOf(mine)
    const notification = cloud.message(other.phoneNumberId, anna(), { type: 'text', text: { body: 'Hello' } })
    const receipt = cloud.receipt(other.phoneNumberId, 'wamid.9', 'read')
    const delivery = JSON.stringify({ object: notification.object, entry: [...notification.entry, ...receipt.entry] })
    expect(await postSigned(JSON.stringify(receipt), other.appSecret, callbackUrl)).toBe(200)
    await person.http.action(api.channels.whatsappCloud.disconnect, { connectionId: mine._id })
    expect(await postSigned(delivery, other.appSecret, callbackUrl)).toBe(404)
  })

  it('of another number of the same app leaves no message with the number whose webhook received it', async () => {
    const other = cloud.addNumber({ appSecret: number.appSecret })
    const notification = cloud.message(other.phoneNumberId, anna(), { type: 'text', text: { body: 'For nobody else' } })
    expect(await postSigned(JSON.stringify(notification), number.appSecret)).toBe(200)
    expect(await find()).toBeUndefined()
    const kept = await app.database.system('test: what is kept', (db) =>
      sql<{ payload: unknown }>`select payload from inbound_events where connection_id = ${connection._id}
        order by received_at desc limit 1`.execute(db),
    )
    expect(kept.rows).toEqual([{ payload: {} }])
  })

  it('is stored with the message that they reply to, from either side', async () => {
    const id = cloud.customerSays(number.phoneNumberId, anna(), 'A table for two')
    await answered()
    cloud.customerSays(number.phoneNumberId, anna(), 'For three', { context: { id } })
    await answered(2)
    const [answer] = cloud.sentTo(anna().phone)
    cloud.customerSays(number.phoneNumberId, anna(), 'Thanks', { context: { id: answer?.id } })
    await answered(3)
    const fromCustomer = (await messages()).filter(({ author }) => author === 'customer')
    expect(fromCustomer.map(({ quoted }) => quoted ?? null)).toEqual([answer?.text, 'A table for two', null])
  })

  it('is answered for every kind of message, and may edit theirs', async () => {
    cloud.customerSends(number.phoneNumberId, anna(), { type: 'hologram', hologram: { id: '77' } })
    await answered()
    const id = cloud.customerSays(number.phoneNumberId, anna(), 'At eight')
    await answered(2)
    const edit = { original_message_id: id, message: { type: 'text', text: { body: 'At nine' } } }
    cloud.customerSends(number.phoneNumberId, anna(), { type: 'edit', edit })
    const fromCustomer = async () =>
      (await messages()).filter(({ author }) => author === 'customer').map(({ text }) => text)
    await expect.poll(fromCustomer, { timeout: 10_000 }).toEqual(['At nine', ''])
  })

  it('is answered each time they press a button, even after later messages', async () => {
    const [question] = await sentParts()
    const press = (title: string) =>
      cloud.customerSends(number.phoneNumberId, anna(), pressOf(question?.id ?? '', { id: `choice:${title}`, title }))
    cloud.customerSays(number.phoneNumberId, anna(), 'Wait')
    await answered(2)
    press('Red')
    await answered(3)
    press('Blue')
    await answered(4)
    const fromCustomer = (await messages()).filter(({ author }) => author === 'customer')
    expect(fromCustomer.map(({ text, quoted }) => [text, quoted ?? null])).toEqual([
      ['Blue', question?.text],
      ['Red', question?.text],
      ['Wait', null],
      ['Hello', null],
    ])
  })

  it('who is answered from the phone is handed over to a person', async () => {
    cloud.customerSays(number.phoneNumberId, anna(), 'Hello')
    await answered()
    cloud.ownerSays(number.phoneNumberId, anna().phone, 'This is Boris, the owner')
    await expect.poll(find, { timeout: 10_000 }).toMatchObject({
      status: 'paused',
      pauseReason: 'operator_elsewhere',
    })
  })
})

describe('a message', () => {
  it.each(['delivered', 'read'] as const)('is shown as %s when Meta says so, in any order', async (status) => {
    const [part] = await sentParts()
    cloud.tell(number.phoneNumberId, part?.id ?? '', status)
    cloud.tell(number.phoneNumberId, part?.id ?? '', 'sent')
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status })
  })

  it('that Meta could not deliver is shown as failed, with the reason', async () => {
    const [part] = await sentParts()
    cloud.tell(number.phoneNumberId, part?.id ?? '', 'failed', 131047)
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({
      status: 'failed',
      error: 'undelivered: out_of_window: 131047 what 131047 means',
    })
  })

  it('of unknown outcome is not sent again', async () => {
    cloud.faults.answersToDrop = 1
    cloud.customerSays(number.phoneNumberId, anna(), 'Hello')
    await answered()
    expect(await delivery()).toMatchObject({ status: 'unknown' })
    expect(cloud.sentTo(anna().phone)).toHaveLength(1)
  })

  it('is retried when Meta asks to wait, and not when the customer cannot receive messages', async () => {
    cloud.faults.refusals = [{ status: 400, code: 130429 }]
    cloud.customerSays(number.phoneNumberId, anna(), 'Hello')
    await answered()
    expect(await delivery()).toMatchObject({ status: 'sent' })
    cloud.faults.refusals = [{ status: 400, code: 131026 }]
    cloud.customerSays(number.phoneNumberId, anna(), 'Hello?')
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'failed' })
    expect((await delivery())?.error).toMatch(/^blocked: 131026/)
  })
})

describe('more than a day after the customer wrote', () => {
  it('free text is not sent, and a template is', async () => {
    await sentParts()
    const { _id: conversationId } = (await find()) as Conversation
    expect((await windowOf(conversationId)).closesAt).toBeGreaterThan(Date.now())
    await age()
    expect((await windowOf(conversationId)).closesAt).toBeLessThan(Date.now())
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Still there?', attachments: [] })
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'failed' })
    expect((await delivery())?.error).toBe('out_of_window: the customer last wrote too long ago') // Meta was not asked
    expect(cloud.sentTo(anna().phone)).toHaveLength(1)

    const templates = await person.http.action(api.conversations.templates.list, { conversationId })
    expect(templates.map(({ name }) => name)).toEqual(['hello', 'order_ready'])
    const words = ['17', 'Anna', 'two coffees', 'orders/17']
    const chosen = { conversationId, name: 'order_ready', language: 'en' }
    const short = person.http.action(api.conversations.templates.send, { ...chosen, words: ['17'] })
    await expect(short).rejects.toMatchObject({ data: { code: 'template_unknown' } })
    await person.http.action(api.conversations.templates.send, { ...chosen, words })
    await expect.poll(() => cloud.sentTo(anna().phone).length, { timeout: 10_000 }).toBe(2)
    expect(cloud.sentTo(anna().phone)[1]?.template).toEqual({ name: 'order_ready', language: 'en', words })
    await app.settle()
    expect((await messages())[0]).toMatchObject({
      author: 'operator',
      text: 'Order 17\n\nAnna, your order of two coffees is ready.\n\nParley Coffee',
      deliveries: [{ status: 'sent' }],
    })
  })

  it('the agent sends no follow-up, and gives the reason', async () => {
    await sentParts()
    await age()
    const { _id: id } = (await find()) as Conversation
    await app.database.system('test: a follow-up is due', (db) =>
      planFollowUpAt(sql`now()`, sql`c.id = ${id}`).execute(db),
    )
    await app.database.system('test: look', (db) => beginFollowUps({ db }))
    const newest = async () => (await messages())[0]
    await expect
      .poll(newest, { timeout: 10_000 })
      .toMatchObject({ author: 'system', reason: 'follow_up_out_of_window' })
    expect(cloud.sentTo(anna().phone)).toHaveLength(1)
  })

  it('opens again when the customer writes', async () => {
    await sentParts()
    await age()
    cloud.customerSays(number.phoneNumberId, anna(), 'I am back')
    await answered(2)
    expect(await delivery()).toMatchObject({ status: 'sent' })
  })
})

describe('a token', () => {
  it('that is refused puts the connection into error, and a new one repairs it', async () => {
    const other = cloud.addNumber()
    const mine = await connect(other)
    other.accessToken = `EAA${'b'.repeat(60)}`
    cloud.customerSays(other.phoneNumberId, anna(), 'Hello')
    await expect.poll(async () => (await current(mine))?.status, { timeout: 10_000 }).toBe('error')
    const connectionId = mine._id
    const { callbackUrl: url, verifyToken } = await webhookOf(mine)
    await cloud.enterWebhook(other.phoneNumberId, { url, verifyToken })
    expect((await current(mine))?.status).toBe('error') // Meta verifying the webhook proves nothing about the token
    const { accessToken } = other
    const refused = person.http.action(api.channels.whatsappCloud.rotate, {
      connectionId,
      accessToken: `EAA${'c'.repeat(60)}`,
    })
    await expect(refused).rejects.toMatchObject({ data: { code: 'cloud_credentials_invalid' } })
    const mended = await person.http.action(api.channels.whatsappCloud.rotate, { connectionId, accessToken })
    expect(mended).toMatchObject({ status: 'connected', maskedToken: '••••bbbb' })
    cloud.customerSays(other.phoneNumberId, anna(), 'Hello again')
    await cloud.waitFor(() => cloud.sentTo(anna().phone).length > 0, 'the answer')
  })
})

async function newAgent(model = EXTRACTIVE_MODEL) {
  const { _id } = await person.http.mutation(api.agents.create, { name: 'Helper', model })
  const steps = [{ afterMinutes: 30, mode: 'text' as const, text: 'Any questions left?' }]
  const followUps = { isOn: true, steps, quietHours: null, maxPerCustomerADay: 1 }
  await person.http.mutation(api.agents.update, { id: _id, patch: { followUps } })
  return _id
}
function provision(
  { phoneNumberId, accountId, accessToken, appSecret }: FakeNumber,
  by = agentId,
): Promise<ChannelConnection> {
  const entered = { agentId: by, phoneNumberId, accountId, accessToken, appSecret }
  return person.http.action(api.channels.whatsappCloud.provision, entered)
}
function webhookOf({ _id: connectionId }: ChannelConnection) {
  return person.http.action(api.channels.whatsappCloud.webhook, { connectionId })
}
async function connect(given: FakeNumber, by = agentId): Promise<ChannelConnection> {
  const made = await provision(given, by)
  const { callbackUrl: url, verifyToken } = await webhookOf(made)
  await cloud.enterWebhook(given.phoneNumberId, { url, verifyToken })
  return person.http.action(api.channels.whatsappCloud.check, { connectionId: made._id })
}
function connections() {
  return person.http.query(api.channelConnections.list, {})
}
async function current({ _id: id }: ChannelConnection) {
  return (await connections()).find(({ _id }) => _id === id)
}
async function postSigned(text: string, secret: string, callbackUrl?: string): Promise<number> {
  const address = callbackUrl ?? (await webhookOf(connection)).callbackUrl
  const signature = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  return (await fetch(app.url + new URL(address).pathname, { method: 'POST', headers, body: text })).status
}
/** Waits until the customer of this test has received this many messages, and nothing is being sent. */
async function answered(count = 1): Promise<void> {
  await cloud.waitFor(() => cloud.sentTo(anna().phone).length >= count, `${count} messages`)
  await app.settle()
}
async function sentParts() {
  cloud.customerSays(number.phoneNumberId, anna(), 'Hello')
  await answered()
  return cloud.sentTo(anna().phone)
}
async function find(): Promise<Conversation | undefined> {
  const { page } = await person.http.query(api.conversations.list, PAGE)
  const mine = await Promise.all(page.map(async (each) => ((await phoneOf(each._id)) === anna().phone ? each : null)))
  return mine.find((each) => each !== null) ?? undefined
}
async function phoneOf(id: Conversation['_id']): Promise<string> {
  const read = () =>
    app.database.system('test: chat of a conversation', (db) =>
      db.selectFrom('conversations').where('id', '=', id).select('external_chat_id').executeTakeFirst(),
    )
  return (await read())?.external_chat_id ?? ''
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
function windowOf(conversationId: Conversation['_id']) {
  return person.http.query(api.conversations.templates.window, { conversationId })
}
/** Lets a day pass for the customer of this test, here and at Meta. */
async function age(): Promise<void> {
  cloud.lapse(number.phoneNumberId, anna().phone)
  const { _id } = (await find()) as Conversation
  await app.database.system('test: a day passes', (db) =>
    sql`update messages set created_at = created_at - ${DAY_MS + 1000}::float8 * interval '1 millisecond'
      where conversation_id = ${_id} and author = 'customer'`.execute(db),
  )
}
