// Messages to a VK community and the whole server: connecting, one answer to repeated deliveries, people who answer in VK
// itself, files in both directions, failures that lose nothing, and keys that are replaced.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkWebhooks } from '#server/domain/channels/health/webhooks.job.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase } from '#tests/database.ts'
import { type FakeCommunity, startFakeVk } from '#tests/fakes/vk/vk.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const vk = await startFakeVk()
const NO_FAULTS = structuredClone(vk.faults)
let app: TestApp
let person: Person
let agentId: Awaited<ReturnType<typeof newAgent>>
let community: FakeCommunity
let connection: ChannelConnection
let customerId = 1000
const anna = () => ({ id: customerId, name: 'Anna Smirnova', screenName: `anna${customerId}` })

beforeAll(async () => {
  app = await startApp({
    config: { publicUrl: 'https://parley.example', hasPublicUrl: true, vkApiUrl: vk.url },
    overrides: { outbound: createOutbound({ isAllowed: () => true }) },
  })
  vk.webhookOrigin = () => app.url
  person = await app.signUp()
  agentId = await newAgent()
  community = vk.addCommunity()
  connection = await provision(community)
})
afterEach(() => {
  customerId++
  vk.faults = structuredClone(NO_FAULTS)
})
afterAll(async () => {
  await app.close()
  await vk.close()
})

describe('connecting', () => {
  it('registers the webhook with VK, which VK confirms at once', async () => {
    expect(connection).toMatchObject({
      ...{ channel: 'vk', status: 'connected', delivery: 'webhook', identifier: community.screenName },
      ...{ externalAccountId: String(community.groupId), maskedToken: `••••${community.token.slice(-4)}` },
    })
    expect(community.servers).toMatchObject([{ title: 'Parley', status: 'ok' }])
    expect(community.servers[0]?.url).toMatch(/^https:\/\/parley\.example\/webhooks\/vk\/[\w-]{43}$/)
  })

  it.each([
    ['what is no key', { token: 'short' }, 'messenger_credentials_invalid'],
    ['a key that VK does not know', { token: `vk1.a.${'0'.repeat(80)}` }, 'messenger_credentials_invalid'],
    ['a key that may not do what is needed', { mask: 4096 }, 'messenger_failed'],
  ])('refuses %s, and leaves nothing behind', async (_, given, code) => {
    const other = vk.addCommunity('mask' in given ? given : {})
    const entered = { ...other, ...('token' in given && given) }
    await expect(provision(entered)).rejects.toMatchObject({ data: { code } })
    expect(other.servers).toEqual([])
  })

  it('fails when VK gets a wrong answer from the webhook, and can be retried', async () => {
    const other = vk.addCommunity()
    vk.webhookOrigin = () => 'http://127.0.0.1:9'
    await expect(provision(other)).rejects.toMatchObject({ data: { code: 'messenger_failed' } })
    expect(other.servers).toEqual([])
    vk.webhookOrigin = () => app.url
    expect((await provision(other)).status).toBe('connected')
  })

  it('leaves nothing behind when VK fails half-way: a community has few callback servers', async () => {
    const other = vk.addCommunity()
    vk.faults.settingsToFail = 1
    await expect(provision(other)).rejects.toMatchObject({ data: { code: 'messenger_unreachable' } })
    expect(other.servers).toEqual([])
    expect((await provision(other)).status).toBe('connected')
  })

  it('refuses a community that is connected already', async () => {
    await expect(provision(community)).rejects.toMatchObject({ data: { code: 'messenger_in_use' } })
  })
})

describe('a customer', () => {
  it('is answered once, by their name, however often VK delivers', async () => {
    const delivered = vk.taken.length
    vk.faults.copies = 10
    vk.customerSays(community.groupId, anna(), 'Hello')
    await answered()
    await vk.waitFor(() => vk.taken.length === delivered + 2, 'the message and the echo to be taken')
    await app.settle()
    expect(vk.sentTo(customerId)).toHaveLength(1)
    expect((await find())?.customer).toMatchObject({ name: 'Anna Smirnova', username: anna().screenName })
    const before = vk.calls.filter((name) => name === 'users.get').length
    vk.customerSays(community.groupId, anna(), 'Again')
    await answered(2)
    expect(vk.calls.filter((name) => name === 'users.get')).toHaveLength(before)
  })

  it('is answered even if VK does not return their name, which is requested again', async () => {
    vk.faults.namesToFail = 1
    vk.customerSays(community.groupId, anna(), 'Hello')
    await answered()
    expect((await find())?.customer?.name).toBe(String(customerId))
    // Each message requests it again, and a busy machine may miss the response in time.
    let answers = 1
    const nameAfterMore = async () => {
      vk.customerSays(community.groupId, anna(), 'Again')
      await answered(++answers)
      return (await find())?.customer?.name
    }
    await expect.poll(nameAfterMore).toBe('Anna Smirnova')
  })

  it('is rejected when delivered with another secret', async () => {
    const url = app.url + new URL(community.servers[0]?.url ?? '').pathname
    const event = vk.messageNew(community.groupId, anna(), 'Hello')
    const post = (secret: string) => fetch(url, { method: 'POST', body: JSON.stringify({ ...event, secret }) })
    expect((await post('wrong')).status).toBe(404)
    expect(await find()).toBeUndefined()
    const answer = await post(community.servers[0]?.secretKey ?? '')
    expect([answer.status, await answer.text()]).toEqual([200, 'ok'])
    await answered()
    const kept = await app.database.system('test: what is kept', (db) =>
      db.selectFrom('inbound_events').where('connection_id', '=', connection._id).select('payload').execute(),
    )
    expect(JSON.stringify(kept)).not.toContain(community.servers[0]?.secretKey)
  })

  it('may edit their message, and press buttons', async () => {
    const id = vk.customerSays(community.groupId, anna(), 'At eight')
    await answered()
    vk.customerEdits(community.groupId, anna(), id, 'At nine')
    const fromCustomer = async () =>
      (await messages()).filter(({ author }) => author === 'customer').map(({ text }) => text)
    await expect.poll(fromCustomer, { timeout: 10_000 }).toEqual(['At nine'])
    vk.press(community.groupId, anna(), { label: 'A long…', payload: '{"choice":"A long choice"}' })
    await answered(2)
    expect(await fromCustomer()).toEqual(['A long choice', 'At nine'])
  })

  it('who is answered in VK itself is handed over to a person, while echoes of the agent are ignored', async () => {
    const delivered = vk.taken.length
    vk.faults.namesAuthors = true
    vk.customerSays(community.groupId, anna(), 'Hello')
    await answered()
    await vk.waitFor(() => vk.taken.length === delivered + 2, 'the message and the echo to be taken')
    expect((await find())?.status).toBe('active')
    vk.operatorSays(community.groupId, customerId, 'This is Boris')
    await expect.poll(find, { timeout: 10_000 }).toMatchObject({ status: 'paused', pauseReason: 'operator_elsewhere' })
    vk.customerSays(community.groupId, anna(), 'Thanks, Boris')
    await expect
      .poll(async () => (await messages()).map(({ text }) => text), { timeout: 10_000 })
      .toContain('Thanks, Boris')
    await app.settle()
    expect(vk.sentTo(customerId)).toHaveLength(1)
  })

  it('sends and receives files', async () => {
    const bytes = Buffer.from('Second house on the left')
    const attachments = [vk.attach(community.groupId, 'document', { name: 'way.txt', bytes })]
    vk.customerSays(community.groupId, anna(), '', { attachments })
    await answered()
    const file = (await messages()).flatMap((message) => message.attachments)[0]
    expect(file).toMatchObject({ kind: 'document', name: 'way.txt' })
    const headers = { authorization: `Bearer ${await person.token()}` }
    expect(await (await fetch(`${app.url}${file?.url}`, { headers })).text()).toBe(bytes.toString())
    const uploaded = await fetch(`${app.url}/api/files/uploads?name=back.txt`, {
      method: 'POST',
      headers,
      body: 'Back',
    })
    const { ticket } = (await uploaded.json()) as { ticket: string }
    const { _id: conversationId } = (await find()) as Conversation
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Here:', attachments: [ticket] })
    await vk.waitFor(() => vk.sentTo(customerId).some(({ file: sent }) => sent !== null), 'the file')
    const sent = vk.sentTo(customerId).find(({ file: given }) => given !== null)?.file
    expect([sent?.kind, sent?.name, Buffer.from(sent?.bytes ?? []).toString()]).toEqual(['doc', 'back.txt', 'Back'])
  })
})

describe('an answer', () => {
  it('that VK has accepted without confirming is sent again, and shown once', async () => {
    vk.faults.answersToDrop = 1
    vk.customerSays(community.groupId, anna(), 'Hello')
    await answered()
    await expect.poll(delivery, { timeout: 20_000 }).toMatchObject({ status: 'sent' })
    expect(vk.sentTo(customerId)).toHaveLength(1)
  })

  it('that may have arrived is not sent again once VK may have forgotten its random id', async () => {
    const sends = () => vk.calls.filter((name) => name === 'messages.send').length
    const before = sends()
    vk.faults.answersToDrop = 1
    vk.customerSays(community.groupId, anna(), 'Hello')
    await vk.waitFor(() => vk.sentTo(customerId).length === 1, 'the message')
    const age = () =>
      app.database.system('test: two hours pass', (db) =>
        sql`update outbox set first_tried_at = now() - interval '2 hours'
          where status = 'queued' and may_have_arrived and external_chat_id = ${String(customerId)}`.execute(db),
      )
    await expect.poll(async () => Number((await age()).numAffectedRows), { timeout: 10_000, interval: 5 }).toBe(1)
    await expect.poll(delivery, { timeout: 20_000 }).toMatchObject({ status: 'unknown' })
    expect(sends()).toBe(before + 1)
  })

  it('waits when VK asks for it, and is given up when the customer has blocked messages', async () => {
    vk.faults.refusals = [6]
    vk.customerSays(community.groupId, anna(), 'Hello')
    await answered()
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'sent' })
    vk.faults.refusals = [901]
    vk.customerSays(community.groupId, anna(), 'Hello?')
    await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ status: 'failed' })
    expect((await delivery())?.error).toMatch(/^blocked: 901/)
  })

  it('is shown as read when the customer has read it or a later message', async () => {
    for (const count of [1, 2, 3]) {
      vk.customerSays(community.groupId, anna(), 'Hello')
      await answered(count)
    }
    vk.read(community.groupId, customerId, vk.sentTo(customerId)[1]?.id ?? 0)
    const states = async () => (await messages()).flatMap(({ deliveries }) => deliveries.map(({ status }) => status))
    await expect.poll(states, { timeout: 10_000 }).toEqual(['sent', 'read', 'read'])
  })
})

describe('a connection', () => {
  it('whose key was revoked is repaired only by another key of the same community', async () => {
    const mine = vk.addCommunity()
    const { _id: connectionId } = await provision(mine)
    const token = vk.renewKey(mine.groupId)
    vk.customerSays(mine.groupId, anna(), 'Hello')
    await expect.poll(async () => (await current(connectionId))?.status, { timeout: 10_000 }).toBe('error')
    const rotate = (entered: Record<string, string>) =>
      person.http.action(api.channels.messengers.rotate, { connectionId, entered })
    const foreign = rotate({ token: vk.addCommunity().token })
    await expect(foreign).rejects.toMatchObject({ data: { code: 'messenger_other_account' } })
    expect(await rotate({ token })).toMatchObject({ status: 'connected', maskedToken: `••••${token.slice(-4)}` })
    expect(mine.servers).toHaveLength(1)
    vk.customerSays(mine.groupId, anna(), 'Hello again')
    await answered()
  })

  it('sends a test message, and nothing after it is deleted', async () => {
    const mine = vk.addCommunity()
    const { _id: connectionId } = await provision(mine)
    mine.allowed.add(customerId)
    const given = { connectionId, chatId: String(customerId), text: 'Just a test' }
    await person.http.action(api.channels.messengers.sendTest, given)
    expect(vk.sentTo(customerId).map(({ text }) => text)).toEqual(['Just a test'])
    await person.http.action(api.channels.messengers.disconnect, { connectionId })
    expect(mine.servers).toEqual([])
    vk.customerSays(mine.groupId, anna(), 'Hello?')
    await app.settle()
    expect(await find()).toBeUndefined()
  })

  it('that VK has stopped delivering to recovers without an operator', async () => {
    const mine = vk.addCommunity()
    await provision(mine)
    for (const server of mine.servers) server.status = 'failed'
    await app.database.system('test: look at webhooks', (db) => app.services.jobs.send(db, checkWebhooks, {}))
    await expect.poll(() => mine.servers.map(({ status }) => status), { timeout: 20_000 }).toEqual(['ok'])
  })

  it('is registered again by the check when an admin has deleted its callback server', async () => {
    const mine = vk.addCommunity()
    const { _id: connectionId } = await provision(mine)
    mine.servers = []
    const checked = await person.http.action(api.channels.messengers.check, { connectionId })
    expect(checked.status).toBe('connected')
    expect(mine.servers).toMatchObject([{ status: 'ok' }])
  })
})

it('without a public address is polled, and loses no messages from between polls', async () => {
  const database = await openTestDatabase()
  const config = { vkApiUrl: vk.url, appSecret: 'the same at both starts, and long enough' }
  const start = () => startApp({ database, config })
  const first = await start()
  const owner = await first.signUp()
  const { _id } = await owner.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  const mine = vk.addCommunity()
  const entered = { token: mine.token }
  const made = await owner.http.action(api.channels.messengers.provision, { agentId: _id, channel: 'vk', entered })
  expect(made).toMatchObject({ status: 'connected', delivery: 'polling' })
  vk.customerSays(mine.groupId, anna(), 'Hello')
  await vk.waitFor(() => vk.sentTo(customerId).length === 1, 'the answer')
  await first.settle()
  await first.close()
  vk.customerSays(mine.groupId, anna(), 'Is anybody there?')
  const second = await start()
  await vk.waitFor(() => vk.sentTo(customerId).length === 2, 'the other answer')
  await second.settle()
  await second.close()
  expect(vk.sentTo(customerId)).toHaveLength(2)
  await database.close()
})

async function newAgent() {
  const { _id } = await person.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  return _id
}
function provision({ token }: Pick<FakeCommunity, 'token'>): Promise<ChannelConnection> {
  return person.http.action(api.channels.messengers.provision, { agentId, channel: 'vk', entered: { token } })
}
async function current(id: ChannelConnection['_id']) {
  return (await person.http.query(api.channelConnections.list, {})).find(({ _id }) => _id === id)
}
/** Waits until the customer of this test has received this many messages, and nothing is being sent. */
async function answered(count = 1): Promise<void> {
  await vk.waitFor(() => vk.sentTo(customerId).length >= count, `${count} messages`)
  await app.settle()
}
async function find(): Promise<Conversation | undefined> {
  const { page } = await person.http.query(api.conversations.list, PAGE)
  const rows = await app.database.system('test: chats', (db) =>
    db.selectFrom('conversations').where('external_chat_id', '=', String(customerId)).select('id').execute(),
  )
  return page.find(({ _id }) => rows.some(({ id }) => id === _id))
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
