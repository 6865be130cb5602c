// Instagram and the whole server: a webhook entered by hand, one answer to what is delivered ten times, our own echoes distinguished from people
// who answer in Instagram itself, files by their address, a day after which nothing is sent, tokens that expire.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { credentialsOf, seal } from '#server/domain/channels/connections/access.ts'
import { renewAccessJob } from '#server/domain/channels/health/renewals.job.ts'
import { unknownSendsJob } from '#server/domain/messaging/delivery/unknown-sends.job.ts'
import { sentFileLink } from '#server/domain/messaging/files/sent-files.links.ts'
import { instagramToken, readInstagramAccess } from '#server/integrations/channels/instagram/instagram.access.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeAccount, NO_INSTAGRAM_FAULTS, startFakeInstagram } from '#tests/fakes/instagram/instagram.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const DAY_MS = 24 * 3_600_000
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const functions = api.channels.messengers
const instagram = await startFakeInstagram()
let app: TestApp
let person: Person
let agentId: Awaited<ReturnType<typeof newAgent>>
let account: FakeAccount
let connection: ChannelConnection
let customers = 4_242_000_000
const anna = () => ({ id: String(customers), name: `Anna ${customers}`, username: `anna.${customers}` })

beforeAll(async () => {
  app = await startApp({
    instagram,
    config: { publicUrl: 'https://parley.example', hasPublicUrl: true },
    overrides: { outbound: createOutbound({ isAllowed: () => true }) },
  })
  instagram.webhookOrigin = () => app.url
  person = await app.signUp()
  agentId = await newAgent()
  account = instagram.addAccount()
  connection = await connect(account)
})
afterEach(() => {
  customers++
  instagram.faults = { ...NO_INSTAGRAM_FAULTS, refusals: [] }
})
afterAll(async () => {
  await app.close()
  await instagram.close()
})

describe('connecting', () => {
  it('is pending until the webhook is entered in the app’s dashboard, and is unsubscribed on disconnect', async () => {
    const other = instagram.addAccount({ username: 'parley.tea' })
    const pending = await provision(other)
    expect(pending).toMatchObject({ channel: 'instagram', status: 'pending', identifier: 'parley.tea' })
    expect(pending).toMatchObject({
      externalAccountId: other.userId,
      maskedToken: `••••${other.accessToken.slice(-4)}`,
    })
    expect(other.subscribedFields).toEqual(expect.arrayContaining(['messages', 'messaging_seen', 'message_edit']))
    const { callbackUrl: url, verifyToken, isReachable } = await webhookOf(pending)
    expect([isReachable, url]).toEqual([
      true,
      expect.stringMatching(/^https:\/\/parley\.example\/webhooks\/instagram\/./),
    ])
    expect(await instagram.enterWebhook(other.userId, { url, verifyToken: 'wrong' })).toBe(false)
    expect((await check(pending)).status).toBe('pending')
    expect(await instagram.enterWebhook(other.userId, { url, verifyToken: verifyToken ?? '' })).toBe(true)
    expect((await check(pending)).status).toBe('connected')
    await person.http.action(functions.disconnect, { connectionId: pending._id })
    expect(other.subscribedFields).toEqual([])
  })

  it.each([
    ['a token that Meta does not know', { accessToken: `IGAA${'0'.repeat(60)}` }],
    ['a token of Facebook', { accessToken: `EAA${'0'.repeat(60)}` }],
    ['what is no secret', { appSecret: 'secret' }],
    ['nothing', { accessToken: '' }],
  ])('refuses %s', async (_, given) => {
    const other = instagram.addAccount()
    const refused = expect(provision(other, given)).rejects
    await refused.toMatchObject({ data: { code: 'messenger_credentials_invalid' } })
    expect((await connections()).map(({ externalAccountId }) => externalAccountId)).not.toContain(other.userId)
  })

  it('refuses an account that is connected already, and leaves nothing behind when Meta fails half-way', async () => {
    await expect(provision(account)).rejects.toMatchObject({ data: { code: 'messenger_in_use' } })
    const other = instagram.addAccount()
    instagram.faults.failedSubscriptions = 1
    await expect(provision(other)).rejects.toMatchObject({ data: { code: 'messenger_unreachable' } })
    expect((await provision(other)).status).toBe('pending')
  })
})

describe('a customer', () => {
  it.each(['early', 'late'] as const)(
    'is answered once, by an agent that its own echo does not silence: %s',
    async (echoes) => {
      instagram.faults.echoes = echoes
      instagram.customerSays(account.userId, anna(), 'Hello')
      await answered()
      await echoed()
      expect(await find()).toMatchObject({ channel: 'instagram', status: 'active', customer: { name: anna().name } })
      expect((await messages()).map(({ author }) => author)).toEqual(['agent', 'customer'])
      instagram.customerSays(account.userId, anna(), 'And now?')
      await answered(2)
    },
  )

  it('is answered once, however often the message and its echo are delivered', async () => {
    instagram.faults.copies = 10
    instagram.customerSays(account.userId, anna(), 'Hello')
    await answered()
    await echoed(1)
    expect(instagram.sentTo(anna().id)).toHaveLength(1)
    expect((await messages()).map(({ author }) => author)).toEqual(['agent', 'customer'])
    expect((await find())?.status).toBe('active')
  })

  it('is shown by name as soon as Meta returns it', async () => {
    instagram.faults.hiddenProfiles = 1
    instagram.customerSays(account.userId, anna(), 'Hello')
    await answered()
    expect((await find())?.customer?.name).toBe(anna().id)
    instagram.customerSays(account.userId, anna(), 'It is me')
    await answered(2)
    expect(await find()).toMatchObject({ customer: { name: anna().name } })
  })

  it('who is answered in Instagram itself is handed over to a person, even if the text equals the agent’s', async () => {
    instagram.customerSays(account.userId, anna(), 'Hello')
    await answered()
    await echoed()
    instagram.ownerSays(account.userId, anna().id, instagram.sentTo(anna().id)[0]?.text ?? '')
    await expect.poll(find, { timeout: 10_000 }).toMatchObject({ status: 'paused', pauseReason: 'operator_elsewhere' })
    instagram.customerSays(account.userId, anna(), 'Are you there?')
    await app.settle()
    expect(instagram.sentTo(anna().id)).toHaveLength(1)
  })

  it.each([
    ['early', 0],
    ['late', 0],
    ['early', 1],
    ['late', 1],
  ] as const)('who is sent a test message stays with the agent: %s, %s answers lost', async (echoes, answersToDrop) => {
    instagram.customerSays(account.userId, anna(), 'Hello')
    await answered()
    await echoed()
    Object.assign(instagram.faults, { echoes, answersToDrop })
    const test = { connectionId: connection._id, chatId: anna().id, text: 'This is a test. ' }
    await person.http.action(functions.sendTest, test).catch(() => undefined)
    await echoed(2)
    expect((await messages()).map(({ author }) => author)).toEqual(['agent', 'customer'])
    expect((await find())?.status).toBe('active')
    if (answersToDrop === 1) return
    instagram.ownerSays(account.userId, anna().id, 'This is a test.')
    await expect.poll(find, { timeout: 10_000 }).toMatchObject({ status: 'paused', pauseReason: 'operator_elsewhere' })
  })

  it('who could not be sent a test message may receive the same text from a person', async () => {
    instagram.customerSays(account.userId, anna(), 'Hello')
    await answered()
    await echoed()
    instagram.faults.refusals = [{ status: 400, code: 551 }]
    const test = { connectionId: connection._id, chatId: anna().id, text: 'This is a test.' }
    await expect(person.http.action(functions.sendTest, test)).rejects.toMatchObject({
      data: { code: 'messenger_failed' },
    })
    instagram.ownerSays(account.userId, anna().id, 'This is a test.')
    await expect.poll(find, { timeout: 10_000 }).toMatchObject({ status: 'paused' })
  })

  it('may send a picture, reply to a message, and delete one', async () => {
    const url = instagram.addFile('cup.png', PNG)
    instagram.customerSends(account.userId, anna(), { attachments: [{ type: 'image', payload: { url } }] })
    await answered()
    const [answer] = instagram.sentTo(anna().id)
    const mid = instagram.customerSays(account.userId, anna(), 'At eight', { reply_to: { mid: answer?.id } })
    await answered(2)
    const message_edit = { mid, text: 'At nine', num_edit: 1 }
    instagram.customerDoes(account.userId, anna(), 'message_edit', { message_edit })
    const fromCustomer = async () => (await messages()).filter(({ author }) => author === 'customer')
    await expect.poll(fromCustomer, { timeout: 10_000 }).toMatchObject([
      { text: 'At nine', quoted: answer?.text },
      { text: '', attachments: [{ kind: 'image' }] },
    ])
    const id = (await fromCustomer())[1]?.attachments[0]?._id ?? ''
    const headers = { authorization: `Bearer ${await person.token()}` }
    const shown = await fetch(`${app.url}/api/files/attachments/${id}`, { headers })
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG)
  })

  it('of another account of the same app leaves no message here', async () => {
    const other = instagram.addAccount({ app: account.app })
    const { body } = instagram.message(other.userId, anna(), { text: 'For nobody else' })
    expect(await postSigned(body, account.app.secret)).toBe(200)
    expect(await postSigned(instagram.message(account.userId, anna(), { text: 'Hello' }).body, 'f'.repeat(32))).toBe(
      404,
    )
    await app.settle()
    expect(await find()).toBeUndefined()
    const kept = await app.database.system('test: what is kept', (db) =>
      sql<{ payload: unknown }>`select payload from inbound_events where connection_id = ${connection._id}
        order by received_at desc limit 1`.execute(db),
    )
    expect(kept.rows).toEqual([{ payload: {} }])
  })
})

describe('another account of the same app', () => {
  it('receives messages at the app’s single webhook, whichever organization connected it', async () => {
    const stranger = await app.signUp()
    const other = instagram.addAccount({ app: account.app, username: 'parley.tea' })
    const { _id } = await stranger.http.mutation(api.agents.create, { name: 'Other', model: EXTRACTIVE_MODEL })
    const entered = { accessToken: other.accessToken, appSecret: other.app.secret }
    const made = await stranger.http.action(functions.provision, { agentId: _id, channel: 'instagram', entered })
    expect(made.status).toBe('pending')
    instagram.customerSays(other.userId, anna(), 'Hello, tea')
    await answered()
    await echoed()
    expect(instagram.sentTo(anna().id)).toMatchObject([{ account: other.userId }])
    const theirs = (await stranger.http.query(api.conversations.list, PAGE)).page
    expect(theirs).toMatchObject([{ channel: 'instagram', status: 'active', customer: { name: anna().name } }])
    expect(await stranger.http.query(api.channelConnections.list, {})).toMatchObject([{ status: 'connected' }])
    expect((await messages()).length).toBe(0)
  })

  it('is not received by a connection whose secret did not sign the delivery', async () => {
    const other = instagram.addAccount()
    await provision(other)
    const { body } = instagram.message(other.userId, anna(), { text: 'Signed by another app' })
    expect(await postSigned(body, account.app.secret)).toBe(200)
    await app.settle()
    expect(await find()).toBeUndefined()
    const shown = () => person.http.query(api.channelConnections.list, {})
    const turnedAway = { externalAccountId: other.userId, signatureRejectedAt: expect.any(Number) }
    await expect.poll(shown).toContainEqual(expect.objectContaining(turnedAway))
  })

  it('delivers at most a thousand events at once: a larger delivery is stored whole', async () => {
    const { body } = instagram.message(account.userId, anna(), { text: 'Hello' })
    const many = { ...(body as object), entry: [{ id: account.userId, time: 1, messaging: Array(1001).fill({}) }] }
    const kept = () =>
      app.database.system('test: what is kept', (db) =>
        sql<{
          count: number
        }>`select count(*)::int as count from inbound_events where connection_id = ${connection._id}`.execute(db),
      )
    const [before] = (await kept()).rows
    expect(await postSigned(many, account.app.secret)).toBe(200)
    const [after] = (await kept()).rows
    expect((after?.count ?? 0) - (before?.count ?? 0)).toBe(1)
  })
})

describe('a message', () => {
  it('is shown as read when the customer has read it', async () => {
    const [part] = await sentParts()
    instagram.customerDoes(account.userId, anna(), 'messaging_seen', { read: { mid: part?.id } })
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'read' })
  })

  it.each(['early', 'late'] as const)(
    'whose response is lost is recognized by its echo, and not sent again: %s',
    async (echoes) => {
      instagram.faults = { ...instagram.faults, answersToDrop: 1, echoes }
      instagram.customerSays(account.userId, anna(), 'Hello')
      await answered()
      await echoed()
      await app.database.system('test: a minute passes', (db) => app.services.jobs.send(db, unknownSendsJob, {}))
      await app.settle()
      expect(await delivery()).toMatchObject({ status: 'sent' })
      expect([instagram.sentTo(anna().id).length, (await find())?.status]).toEqual([1, 'active'])
      instagram.customerDoes(account.userId, anna(), 'messaging_seen', {
        read: { mid: instagram.sentTo(anna().id)[0]?.id },
      })
      await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'read' })
    },
  )

  it('is retried when Meta asks to wait, and not for a customer who cannot be reached', async () => {
    instagram.faults.refusals = [{ status: 400, code: 613 }]
    instagram.customerSays(account.userId, anna(), 'Hello')
    await answered()
    expect(await delivery()).toMatchObject({ status: 'sent' })
    instagram.faults.refusals = [{ status: 400, code: 551 }]
    instagram.customerSays(account.userId, anna(), 'Hello?')
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'failed' })
    expect((await delivery())?.error).toMatch(/^blocked: 551/)
  })

  it('of an operator is split into as many parts as its bytes need', async () => {
    await sentParts()
    await reply('Мы открыты каждый день — с девяти до восьми. '.repeat(30))
    await expect.poll(() => instagram.sentTo(anna().id).length, { timeout: 10_000 }).toBe(4)
    await app.settle()
    expect((await messages())[0]?.deliveries.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent'])
  })

  it('with a picture is fetched by Meta from here; other requests are refused, and later ones too', async () => {
    await sentParts()
    await reply('Look', [await upload('cup.png', PNG)])
    await expect.poll(() => instagram.sentTo(anna().id).length, { timeout: 10_000 }).toBe(3)
    const [, , { file } = { file: null }] = instagram.sentTo(anna().id)
    expect([file?.type, Buffer.from(file?.bytes ?? [])]).toEqual(['image', PNG])
    await echoed()
    expect(await find()).toMatchObject({ status: 'paused', pauseReason: 'operator_reply' })
    const address = app.url + new URL(file?.url ?? '').pathname
    const shown = await fetch(address)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(shown.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect((await fetch(address.replace(/.(\/cup\.png)$/, '!$1'))).status).toBe(404)
    const key = 'an unknown key'
    const later = sentFileLink(app.services.secrets, app.url, { key, name: 'a' }, Date.now() - DAY_MS)
    const nowhere = sentFileLink(app.services.secrets, app.url, { key, name: 'a' }, Date.now())
    expect([(await fetch(later)).status, (await fetch(nowhere)).status]).toEqual([404, 404])
  })

  it('with a file that Instagram does not accept is failed, with the reason', async () => {
    await sentParts()
    await reply('', [await upload('prices.txt', Buffer.from('Prices'))])
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'failed' })
    expect((await delivery())?.error).toMatch(/^permanent: Instagram takes/)
  })

  it('is not sent more than a day after the customer wrote', async () => {
    await sentParts()
    await age()
    await reply('Still there?')
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'failed' })
    expect((await delivery())?.error).toMatch(/^out_of_window/)
    const chat = { connectionId: connection._id, chatId: anna().id, text: 'Hello' }
    const test = person.http.action(functions.sendTest, chat)
    await expect(test).rejects.toMatchObject({ data: { code: 'messenger_window_closed' } })
    instagram.customerSays(account.userId, anna(), 'I am back')
    await app.settle()
    expect(await person.http.action(functions.sendTest, chat)).toHaveProperty('externalMessageId')
  })
})

describe('a token', () => {
  it('that is refused puts the connection into error, and a new one of the same account repairs it', async () => {
    const other = instagram.addAccount()
    const mine = await connect(other)
    other.accessToken = instagram.newToken()
    instagram.customerSays(other.userId, anna(), 'Hello')
    await expect.poll(async () => (await current(mine))?.status, { timeout: 10_000 }).toBe('error')
    const connectionId = mine._id
    const strangers = { accessToken: instagram.addAccount().accessToken }
    const refused = person.http.action(functions.rotate, { connectionId, entered: strangers })
    await expect(refused).rejects.toMatchObject({ data: { code: 'messenger_other_account' } })
    const entered = { accessToken: other.accessToken }
    const mended = await person.http.action(functions.rotate, { connectionId, entered })
    expect(mended).toMatchObject({ status: 'connected', maskedToken: `••••${other.accessToken.slice(-4)}` })
    instagram.customerSays(other.userId, anna(), 'Hello again')
    await answered()
  })

  it('that was refused before the first delivery leaves the connection pending when it is replaced', async () => {
    const other = instagram.addAccount()
    const mine = await provision(other)
    other.accessToken = instagram.newToken()
    expect((await check(mine)).status).toBe('error')
    const entered = { accessToken: other.accessToken }
    const mended = await person.http.action(functions.rotate, { connectionId: mine._id, entered })
    expect(mended.status).toBe('pending')
  })

  it('is renewed before it expires, and the connection keeps working', async () => {
    const other = instagram.addAccount({ tokenMadeAt: Date.now() - 30 * DAY_MS })
    const mine = await connect(other)
    const before = other.accessToken
    await renew()
    expect(other.accessToken).toBe(before) // it was entered a moment ago
    await makeDue(mine)
    await renew()
    expect(other.accessToken).not.toBe(before)
    expect((await current(mine))?.maskedToken).toBe(`••••${other.accessToken.slice(-4)}`)
    other.olderTokens = []
    instagram.customerSays(other.userId, anna(), 'Hello')
    await answered()
    other.accessToken = instagram.newToken()
    await makeDue(mine)
    await renew()
    expect((await current(mine))?.status).toBe('error')
  })
})

async function newAgent() {
  const { _id } = await person.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  return _id
}
function provision({ accessToken, app: { secret } }: FakeAccount, given: object = {}): Promise<ChannelConnection> {
  const entered = { accessToken, appSecret: secret, ...given }
  return person.http.action(functions.provision, { agentId, channel: 'instagram', entered })
}
function webhookOf({ _id: connectionId }: ChannelConnection) {
  return person.http.action(functions.webhook, { connectionId })
}
function check({ _id: connectionId }: ChannelConnection): Promise<ChannelConnection> {
  return person.http.action(functions.check, { connectionId })
}
async function connect(given: FakeAccount): Promise<ChannelConnection> {
  const made = await provision(given)
  const { callbackUrl: url, verifyToken } = await webhookOf(made)
  await instagram.enterWebhook(given.userId, { url, verifyToken: verifyToken ?? '' })
  return check(made)
}
function connections() {
  return person.http.query(api.channelConnections.list, {})
}
async function current({ _id: id }: ChannelConnection) {
  return (await connections()).find(({ _id }) => _id === id)
}
async function renew(): Promise<void> {
  await app.database.system('test: an hour passes', (db) => app.services.jobs.send(db, renewAccessJob, {}))
  await app.settle()
}
/** Its token is due for renewal. */
async function makeDue({ _id: id }: ChannelConnection): Promise<void> {
  const { secrets } = app.services
  await app.database.system('test: a token grows old', async (db) => {
    const row = await db.selectFrom('channel_connections').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
    const sealed = { id, encryptedToken: row.token, encryptedSecret: row.webhook_secret }
    const { token, ...rest } = credentialsOf(secrets, sealed)
    const older = instagramToken({ ...readInstagramAccess(token), renewAt: 0 })
    const { encryptedToken } = seal(secrets, id, { ...rest, token: older })
    await db.updateTable('channel_connections').set({ token: encryptedToken }).where('id', '=', id).execute()
    instagram.account(row.external_account_id).tokenMadeAt = Date.now() - 30 * DAY_MS
  })
}
async function postSigned(body: object, secret: string): Promise<number> {
  const text = JSON.stringify(body)
  const signature = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const { callbackUrl } = await webhookOf(connection)
  return (await fetch(app.url + new URL(callbackUrl).pathname, { method: 'POST', headers, body: text })).status
}
/** Waits until the customer of this test has received this many messages, and nothing is being sent. */
async function answered(count = 1): Promise<void> {
  await instagram.waitFor(() => instagram.sentTo(anna().id).length >= count, `${count} messages`)
  await app.settle()
}
/** Waits until the echoes of the customer's messages have come back. */
async function echoed(count = instagram.sentTo(anna().id).length): Promise<void> {
  const ids = instagram.sentTo(anna().id).slice(0, count)
  const isBack = () => ids.every(({ id }) => instagram.taken.some((text) => text.includes(id)))
  await instagram.waitFor(isBack, 'the echoes')
  await app.settle()
}
async function sentParts() {
  instagram.customerSays(account.userId, anna(), 'Hello')
  await answered()
  return instagram.sentTo(anna().id)
}
async function upload(name: string, body: Buffer): Promise<string> {
  const headers = { authorization: `Bearer ${await person.token()}` }
  const init = { method: 'POST', headers, body: new Uint8Array(body) }
  const answer = await fetch(`${app.url}/api/files/uploads?name=${name}`, init)
  return ((await answer.json()) as { ticket: string }).ticket
}
async function reply(text: string, attachments: string[] = []): Promise<void> {
  const { _id: conversationId } = (await find()) as Conversation
  await person.http.mutation(api.conversations.reply, { conversationId, text, attachments })
}
async function find(): Promise<Conversation | undefined> {
  const { rows } = await app.database.system('test: conversation of a chat', (db) =>
    sql<{ id: string }>`select id from conversations where external_chat_id = ${anna().id}`.execute(db),
  )
  const { page } = await person.http.query(api.conversations.list, PAGE)
  return page.find(({ _id }) => _id === rows[0]?.id)
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
/** Lets a day pass for the customer of this test, here and at Meta. */
async function age(): Promise<void> {
  instagram.lapse(account.userId, anna().id)
  const { _id } = (await find()) as Conversation
  await app.database.system('test: a day passes', (db) =>
    sql`update messages set created_at = created_at - ${DAY_MS + 1000}::float8 * interval '1 millisecond'
      where conversation_id = ${_id} and author = 'customer'`.execute(db),
  )
}
