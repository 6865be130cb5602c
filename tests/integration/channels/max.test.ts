// MAX and the whole server: connecting by a token, one answer to what is delivered ten times, files both ways, failures that lose
// nothing, another token, and an installation that polls because it has no public address.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeMaxBot, NO_MAX_FAULTS, startFakeMax } from '#tests/fakes/max/max.ts'
import { startFakeOpenAi } from '#tests/fakes/openai/openai.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const max = await startFakeMax()
const openai = await startFakeOpenAi({ reply: async () => ({ text: 'We open at **nine**.' }) })
/** The fake serves files on loopback. */
const overrides = { outbound: createOutbound({ isAllowed: () => true }) }
let app: TestApp
let person: Person
let agentId: ChannelConnection['agentId']
let bot: FakeMaxBot
let connection: ChannelConnection
let userId = 7_000
const anna = () => ({ userId, firstName: 'Anna', lastName: 'K.', username: `anna${userId}` })
const chatId = (of = bot) => max.chatOf(of.token, anna()).chatId

beforeAll(async () => {
  const config = { publicUrl: 'https://parley.example', hasPublicUrl: true, maxApiUrl: max.url }
  app = await startApp({ openai, config, overrides })
  max.webhookOrigin = () => app.url
  person = await app.signUp()
  agentId = await newAgent(person)
  bot = max.addBot()
  connection = await provision(bot.token)
})
afterEach(() => {
  userId++
  max.faults = { ...NO_MAX_FAULTS, refusals: [] }
})
afterAll(async () => {
  await app.close()
  await max.close()
  await openai.close()
})

describe('connecting', () => {
  it('registers the webhook with MAX, with a secret, and is connected', async () => {
    const other = max.addBot({ username: 'tea_bot' })
    const made = await provision(other.token)
    expect(made).toMatchObject({
      channel: 'max',
      status: 'connected',
      delivery: 'webhook',
      identifier: 'tea_bot',
      externalAccountId: String(other.userId),
      maskedToken: `••••${other.token.slice(-4)}`,
    })
    const { callbackUrl, verifyToken } = await call('webhook', { connectionId: made._id })
    expect(callbackUrl).toMatch(/^https:\/\/parley\.example\/webhooks\/max\/[\w-]{43}$/)
    expect(verifyToken).toBeNull()
    expect(other.subscription).toMatchObject([{ url: callbackUrl, secret: expect.stringMatching(/^[\w-]{43}$/) }])

    other.subscription = [] // MAX drops a failing subscription after eight hours
    expect(await call('check', { connectionId: made._id })).toMatchObject({ status: 'connected' })
    expect(other.subscription.map(({ url }) => url)).toEqual([callbackUrl])

    await call('disconnect', { connectionId: made._id })
    expect(other.subscription).toEqual([])
    const late = await fetch(app.url + new URL(callbackUrl).pathname, { method: 'POST', body: '{}' })
    expect(late.status).toBe(404)
    await expect(call('check', { connectionId: made._id })).rejects.toMatchObject({
      data: { code: 'connection_disconnected' },
    })
  })

  it.each([
    ['a token that MAX does not know', { token: 'f9LHodD0cOJ00000000000000000' }],
    ['what is no token', { token: 'my token' }],
    ['nothing', {}],
    ['an unknown field', { token: 'f9LHodD0cOJ00000000000000000', id: '1' }],
  ])('refuses %s, and leaves nothing behind', async (_, entered) => {
    const before = (await connections()).length
    const refused = person.http.action(api.channels.messengers.provision, { agentId, channel: 'max', entered })
    await expect(refused).rejects.toMatchObject({ data: { code: 'messenger_credentials_invalid' } })
    expect(await connections()).toHaveLength(before)
  })

  it('leaves nothing behind when MAX fails half-way, so that it can be tried again', async () => {
    const other = max.addBot()
    max.faults.failedSubscriptions = 1
    await expect(provision(other.token)).rejects.toMatchObject({ data: { code: 'messenger_unreachable' } })
    expect(await provision(other.token)).toMatchObject({ status: 'connected' })
    const theirs = (await connections()).filter(({ externalAccountId }) => externalAccountId === String(other.userId))
    expect(theirs).toHaveLength(1)
  })

  it.each([1, 2])('rolls back at MAX a connection that failed: after %s missing responses', async (missing) => {
    const other = max.addBot()
    const elsewhere = { url: 'https://other.example/max', secret: null, types: null, time: 1 }
    other.subscription = [elsewhere]
    max.faults.failedLists = missing
    await expect(provision(other.token)).rejects.toMatchObject({ data: { code: 'messenger_unreachable' } })
    await app.settle()
    expect(other.subscription).toEqual([elsewhere])
  })

  it('on disconnect leaves another program’s subscription alone', async () => {
    const other = max.addBot()
    const { _id: connectionId } = await provision(other.token)
    const elsewhere = { url: 'https://other.example/max', secret: null, types: null, time: 1 }
    other.subscription.push(elsewhere)
    await call('disconnect', { connectionId })
    expect(other.subscription).toEqual([elsewhere])
  })

  it('unsubscribes at MAX when its agent is deleted, and changes nothing else', async () => {
    const other = max.addBot()
    const agent = await newAgent(person)
    await person.http.action(api.channels.messengers.provision, {
      agentId: agent,
      channel: 'max',
      entered: { token: other.token },
    })
    const elsewhere = { url: 'https://other.example/max', secret: null, types: null, time: 1 }
    other.subscription.push(elsewhere)
    await person.http.mutation(api.agents.remove, { id: agent })
    await app.settle()
    expect(other.subscription).toEqual([elsewhere])
  })

  it('refuses a bot that is connected already, and reports if the same agent has it', async () => {
    const again = provision(bot.token)
    await expect(again).rejects.toMatchObject({
      data: { code: 'messenger_in_use', params: { context: 'same_agent' } },
    })
    const stranger = await app.signUp()
    const theirs = { agentId: await newAgent(stranger), channel: 'max' as const, entered: { token: bot.token } }
    await expect(stranger.http.action(api.channels.messengers.provision, theirs)).rejects.toMatchObject({
      data: { code: 'messenger_in_use' },
    })
    expect(bot.subscription).toHaveLength(1)
  })
})

describe('a customer', () => {
  it('is answered once, with formatting, and is shown by name, however often MAX delivers', async () => {
    max.faults.copies = 10
    const mid = max.customerSays(bot.token, anna(), 'When do you open?')
    await answered()
    await max.waitFor(() => max.taken.some((text) => text.includes(mid)), 'the last copy')
    await app.settle()
    expect(max.sentTo(chatId())).toMatchObject([{ text: 'We open at nine.', html: 'We open at <b>nine</b>.' }])
    expect(await find()).toMatchObject({ channel: 'max', customer: { name: 'Anna K.' } })
    expect((await messages()).map(({ author, text }) => [author, text])).toEqual([
      ['agent', 'We open at **nine**.'],
      ['customer', 'When do you open?'],
    ])
  })

  it('is answered after only pressing "Start"', async () => {
    max.start(bot.token, anna(), 'sale')
    await answered()
    expect((await messages()).map(({ author, text }) => [author, text]).at(-1)).toEqual(['customer', '/start sale'])
  })

  it('is rejected when delivered without the secret', async () => {
    const { callbackUrl } = await call('webhook', { connectionId: connection._id })
    const body = JSON.stringify(max.message(bot.token, anna(), { text: 'Hello' }))
    const headers = { 'content-type': 'application/json', 'x-max-bot-api-secret': 'guess' }
    const { status } = await fetch(app.url + new URL(callbackUrl).pathname, { method: 'POST', headers, body })
    expect(status).toBe(404)
    expect(await find()).toBeUndefined()
  })

  it('may edit their message', async () => {
    const mid = max.customerSays(bot.token, anna(), 'At eight')
    await answered()
    max.customerEdits(bot.token, anna(), mid, 'At nine')
    const fromCustomer = async () => (await messages()).find(({ author }) => author === 'customer')?.text
    await expect.poll(fromCustomer, { timeout: 10_000 }).toBe('At nine')
  })

  it('sends a file that the team can open, and gets one from a person', async () => {
    const attachments = [max.attachment('file', 'order.txt', Buffer.from('two coffees'))]
    max.customerSays(bot.token, anna(), 'My order', { attachments })
    await answered()
    const sent = async () => (await messages()).flatMap((message) => message.attachments)[0]
    await expect.poll(sent, { timeout: 10_000 }).toMatchObject({ name: 'order.txt' })

    const { _id: conversationId } = (await find()) as Conversation
    const headers = { authorization: `Bearer ${await person.token()}` }
    const upload = `${app.url}/api/files/uploads?name=bill.txt`
    const kept = await fetch(upload, { method: 'POST', headers, body: 'the bill' })
    const { ticket } = (await kept.json()) as { ticket: string }
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Here', attachments: [ticket] })
    await max.waitFor(() => max.sentTo(chatId()).some(({ file }) => file !== null), 'the file')
    const file = max.sentTo(chatId()).find((message) => message.file)?.file
    expect({ name: file?.name, text: Buffer.from(file?.bytes ?? []).toString() }).toEqual({
      name: 'bill.txt',
      text: 'the bill',
    })
    expect(await find()).toMatchObject({ status: 'paused' })
  })
})

describe('a message', () => {
  it('is retried when MAX asks to wait, and not when the customer has stopped the bot', async () => {
    max.faults.refusals = [{ status: 429, code: 'too.many.requests', message: 'wait' }]
    max.customerSays(bot.token, anna(), 'Hello')
    await answered()
    expect(await delivery()).toMatchObject({ status: 'sent' })
    max.faults.refusals = [{ status: 403, code: 'chat.denied', message: 'error.dialog.suspended' }]
    max.customerSays(bot.token, anna(), 'Hello?')
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'failed' })
    expect((await delivery())?.error).toMatch(/^blocked: 403 chat\.denied/)
  })

  it('of unknown outcome is not sent again', async () => {
    max.faults.answersToDrop = 1
    max.customerSays(bot.token, anna(), 'Hello')
    await answered()
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'unknown' })
    expect(max.sentTo(chatId())).toHaveLength(1)
  })

  it('that tests the bot is sent to a person, bypassing agents and conversations', async () => {
    const { chatId: chat } = max.chatOf(bot.token, anna())
    const test = { connectionId: connection._id, chatId: `user:${userId}`, text: 'A *test*' }
    expect(await call('sendTest', test)).toMatchObject({ externalMessageId: expect.stringMatching(/^mid\./) })
    expect(max.sentTo(chat)).toMatchObject([{ text: 'A *test*', html: null }])
    expect(await find()).toBeUndefined()
    await expect(call('sendTest', { ...test, chatId: 'user:1' })).rejects.toMatchObject({
      data: { code: 'messenger_failed' },
    })
  })
})

describe('a token', () => {
  it('that was revoked puts the connection into error, and a new one of the same bot only repairs it', async () => {
    const other = max.addBot()
    const { _id: connectionId } = await provision(other.token)
    const token = max.revoke(other.token)
    max.customerSays(token, anna(), 'Hello')
    await expect.poll(() => current(connectionId), { timeout: 10_000 }).toMatchObject({ status: 'error' })
    expect(await call('check', { connectionId })).toMatchObject({ status: 'error' })
    await expect(call('sendTest', { connectionId, chatId: '1', text: 'Hi' })).rejects.toMatchObject({
      data: { code: 'messenger_not_connected' },
    })
    const rotate = (entered: Record<string, string>) => call('rotate', { connectionId, entered })
    await expect(rotate({})).rejects.toMatchObject({ data: { code: 'messenger_credentials_invalid' } })
    await expect(rotate({ token: bot.token })).rejects.toMatchObject({ data: { code: 'messenger_other_account' } })
    expect(await rotate({ token })).toMatchObject({ status: 'connected', maskedToken: `••••${token.slice(-4)}` })
    max.customerSays(token, anna(), 'Hello again')
    await max.waitFor(() => max.sentTo(chatId(other)).length > 0, 'the answer')
  })
})

it('waiting messages are polled once deliveries fail, and the webhook is restored as soon as none are left', async () => {
  const other = max.addBot()
  const { _id: connectionId } = await provision(other.token)
  const [ours] = other.subscription
  const waiting = max.message(other.token, anna(), { text: 'Anybody there?' })
  other.pending.push({ seq: other.nextSeq++, body: waiting })
  await app.database.root
    .updateTable('channel_connections')
    .set({ pending_updates: 1, provider_error: 'Connection timed out' })
    .where('id', '=', connectionId)
    .execute()
  await max.waitFor(() => max.sentTo(chatId(other)).length > 0, 'the answer')
  await expect.poll(() => other.subscription[0]?.url, { timeout: 10_000 }).toBe(ours?.url)
  const health = () => person.http.query(api.channelConnections.health, { connectionId })
  await expect.poll(health, { timeout: 10_000 }).toMatchObject({ recovered: 1, providerError: null })
})

describe('an installation without a public address', () => {
  it('polls for messages, answers each once and in order, and registers no webhook', async () => {
    const hidden = await startApp({ openai, config: { maxApiUrl: max.url }, overrides })
    const owner = await hidden.signUp()
    const other = max.addBot()
    const entered = { token: other.token }
    const made: ChannelConnection = await owner.http.action(api.channels.messengers.provision, {
      agentId: await newAgent(owner),
      channel: 'max',
      entered,
    })
    expect(made).toMatchObject({ status: 'connected', delivery: 'polling' })
    for (const text of ['One', 'Two', 'Three']) max.customerSays(other.token, anna(), text)
    await max.waitFor(() => max.sentTo(chatId(other)).length > 0, 'the answer')
    await hidden.settle()
    const fetched = await messagesOf(owner)
    expect(fetched.filter(({ author }) => author === 'customer').map(({ text }) => text)).toEqual([
      'Three',
      'Two',
      'One',
    ])
    await max.waitFor(() => other.pending.length === 0, 'the receipt')
    expect(other.subscription).toEqual([])
    await hidden.close()
  })
})

async function newAgent(by: Person): Promise<ChannelConnection['agentId']> {
  const { _id } = await by.http.mutation(api.agents.create, { name: 'Helper', model: 'openai/gpt-4.1-mini' })
  return _id
}
function provision(token: string): Promise<ChannelConnection> {
  return person.http.action(api.channels.messengers.provision, { agentId, channel: 'max', entered: { token } })
}
function call<Name extends keyof typeof api.channels.messengers>(
  name: Name,
  args: (typeof api.channels.messengers)[Name]['_args'],
): Promise<(typeof api.channels.messengers)[Name]['_returnType']> {
  return person.http.action(api.channels.messengers[name], args as never)
}
function connections(): Promise<ChannelConnection[]> {
  return person.http.query(api.channelConnections.list, {})
}
async function current(id: ChannelConnection['_id']) {
  return (await connections()).find(({ _id }) => _id === id)
}
/** Waits until the customer of this test has received this many messages, and nothing is being sent. */
async function answered(count = 1): Promise<void> {
  await max.waitFor(() => max.sentTo(chatId()).length >= count, `${count} messages`)
  await app.settle()
}
async function find(): Promise<Conversation | undefined> {
  const { page } = await person.http.query(api.conversations.list, PAGE)
  return page.find(({ customer }: Conversation) => customer?.username === anna().username)
}
async function messages(): Promise<Message[]> {
  const { _id: conversationId } = (await find()) as Conversation
  return (await person.http.query(api.conversations.messages, { conversationId, ...PAGE })).page
}
async function messagesOf(owner: Person): Promise<Message[]> {
  const { page } = await owner.http.query(api.conversations.list, PAGE)
  const conversationId = (page[0] as Conversation)._id
  return (await owner.http.query(api.conversations.messages, { conversationId, ...PAGE })).page
}
async function delivery() {
  return (await messages()).find(({ author }) => author === 'agent')?.deliveries[0]
}
