// Telegram through the whole server: connecting a bot, being answered by polling and by webhook, and what goes wrong.
import http from 'node:http'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkWebhooks } from '#server/domain/channels/health/webhooks.job.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { createOutbound, type Outbound } from '#server/integrations/http/outbound.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { type AppErrorData, appErrorData } from '#shared/errors.ts'
import { QUARANTINE_SHOWN, WEBHOOK_MAX_BYTES } from '#shared/limits.ts'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase } from '#tests/database.ts'
import { type FakeTelegram, postUpdate, randomToken, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

const telegram: FakeTelegram = await startFakeTelegram()
let chat = 5000

afterAll(() => telegram.close())
afterEach(() => {
  chat++
})

/** Requests to the public address reach the server, as through a reverse proxy. */
function throughPublicUrl(publicUrl: string, urlOf: () => string): Outbound {
  const outbound = createOutbound({ isAllowed: () => true })
  return { ...outbound, post: (url, posting) => outbound.post(url.replace(publicUrl, urlOf()), posting) }
}

/** A second of Telegram's clock, later than everything so far. */
function soon(): number {
  return Math.ceil(Date.now() / 1000) + 1
}

/** A server with a person who has an agent. */
async function open(publicUrl?: string) {
  const overrides = { selfClient: throughPublicUrl(publicUrl ?? '', () => app.url) }
  const app = await startApp({ telegram, overrides, config: publicUrl ? { publicUrl, hasPublicUrl: true } : {} })
  const person = await app.signUp()
  return { app, person, agentId: await makeAgent(person) }
}

async function makeAgent(person: Person) {
  const agent = await person.http.mutation(api.agents.create, { name: 'Helper' })
  return agent._id
}

function connect(person: Person, agentId: Awaited<ReturnType<typeof makeAgent>>, botToken: string) {
  return person.http.action(api.channels.telegram.provision, { agentId, botToken })
}

async function refusal(call: Promise<unknown>): Promise<AppErrorData | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error),
  )
}

describe('connecting a bot', () => {
  let app: TestApp
  let person: Person
  let agentId: Awaited<ReturnType<typeof makeAgent>>
  beforeAll(async () => {
    ;({ app, person, agentId } = await open())
  })
  afterAll(() => app.close())

  it('refuses malformed tokens, and tokens that Telegram does not know', async () => {
    expect(await refusal(connect(person, agentId, 'hello'))).toMatchObject({ code: 'telegram_token_invalid' })
    expect(await refusal(connect(person, agentId, randomToken()))).toMatchObject({ code: 'telegram_token_invalid' })
    expect(await person.http.query(api.channelConnections.list, {})).toEqual([])
  })

  it('refuses a bot that is connected already, in any organization', async () => {
    const { token } = telegram.addBot()
    await connect(person, agentId, token)
    const code = 'telegram_token_in_use'
    const again = (by: Person, agent: typeof agentId) => refusal(connect(by, agent, token))
    expect(await again(person, agentId)).toMatchObject({ code, params: { context: 'same_agent' } })
    expect(await again(person, await makeAgent(person))).toMatchObject({ code, params: { context: 'other_agent' } })
    const stranger = await app.signUp()
    expect(await again(stranger, await makeAgent(stranger))).toMatchObject({ code, params: {} })
  })

  it("refuses another organization's agent before calling Telegram", async () => {
    const stranger = await app.signUp()
    const { token } = telegram.addBot()
    const questions = () => telegram.calls.filter(({ method }) => method === 'getMe').length
    const before = questions()
    expect(await refusal(connect(stranger, agentId, token))).toMatchObject({ code: 'agent_unavailable' })
    expect(questions()).toBe(before)
  })

  it('polls for messages on a machine without a public address, and shows only the end of the token', async () => {
    const { token } = telegram.addBot()
    const connection = await connect(person, agentId, token)
    expect(connection).toMatchObject({ status: 'connected', delivery: 'polling', channel: 'telegram', agentId })
    expect(connection.maskedToken).toBe(`••••${token.slice(-4)}`)
    const listed = await person.http.query(api.channelConnections.list, { agentId })
    expect(JSON.stringify(listed)).not.toContain(token.slice(0, -4))
    telegram.customerSays(token, { chatId: chat, firstName: 'Anna' }, 'Hello')
    const [answer] = await telegram.waitForSent(chat)
    expect(answer?.text).toBeTruthy()
    const conversations = await person.http.query(api.conversations.list, {
      paginationOpts: { numItems: 10, cursor: null },
    })
    expect(conversations.page).toMatchObject([{ customer: { name: 'Anna' }, channel: 'telegram', status: 'active' }])
  })

  it('greets a customer who presses "Start" in the language of their messenger, and shows the command in the inbox', async () => {
    const { token } = telegram.addBot()
    await connect(person, agentId, token)
    telegram.customerSays(token, { chatId: chat, firstName: 'Bolat', language: 'ru' }, '/start ref_123')
    expect((await telegram.waitForSent(chat))[0]?.text).toMatch(/^Здравствуйте!/)
    telegram.customerSays(token, { chatId: chat, firstName: 'Bolat', language: 'ru' }, '/catalog')
    expect((await telegram.waitForSent(chat, 2))[1]?.text).toMatch(/^Команд я не знаю/)
    const { rows } = await sql<{
      text: string
    }>`select m.text from messages m join conversations c on c.id = m.conversation_id
      where c.external_chat_id = ${String(chat)} order by m.sequence`.execute(app.database.root)
    expect(rows[0]?.text).toBe('/start ref_123')
  })

  it('is not blocked by a message that no database can store unchanged', async () => {
    const { token } = telegram.addBot()
    await connect(person, agentId, token)
    telegram.customerSays(token, { chatId: chat, firstName: 'A\0B' }, 'before\0after \ud800')
    await telegram.waitForSent(chat)
    const { page } = await person.http.query(api.conversations.list, { paginationOpts: { numItems: 1, cursor: null } })
    expect(page[0]?.customer?.name).toBe('A\uFFFDB')
    const [conversationId] = page.map(({ _id }) => _id)
    if (!conversationId) throw new Error('no conversation')
    const messages = await person.http.query(api.conversations.messages, {
      conversationId,
      paginationOpts: { numItems: 5, cursor: null },
    })
    expect(messages.page.at(-1)?.text).toBe('before\uFFFDafter \uFFFD')
  })

  it('keeps the token encrypted at rest', async () => {
    const { token } = telegram.addBot()
    await connect(person, agentId, token)
    const rows = await app.database.system('test: look', (db) =>
      db.selectFrom('channel_connections').select(['token', 'webhook_secret']).execute(),
    )
    expect(JSON.stringify(rows)).not.toContain(token.split(':')[1])
  })

  it('detects a revoked token: the connection shows an error and is no longer polled', async () => {
    const { token } = telegram.addBot()
    const connection = await connect(person, agentId, token)
    await telegram.waitFor(() => telegram.bots.get(token)?.poller !== null, 'the first poll')
    telegram.revoke(token)
    telegram.endPolls()
    const shown = await waitForConnection(person, connection, (now) => now.status === 'error')
    expect(shown?.lastError).toContain('Unauthorized')
  })

  it('disconnects it: nothing is received any more, and the bot can be connected again', async () => {
    const { token } = telegram.addBot()
    const { _id: connectionId } = await connect(person, agentId, token)
    await person.http.action(api.channels.telegram.disconnect, { connectionId })
    await person.http.action(api.channels.telegram.disconnect, { connectionId })
    const listed = await person.http.query(api.channelConnections.list, { agentId })
    expect(listed.map((connection) => connection._id)).not.toContain(connectionId)
    await connect(person, agentId, token)
  })

  it('gives it a new token: messages from the meantime are answered, and other bots are refused', async () => {
    const { token } = telegram.addBot()
    const { _id: connectionId } = await connect(person, agentId, token)
    const rotate = (botToken: string) => person.http.action(api.channels.telegram.rotate, { connectionId, botToken })
    expect(await refusal(rotate('hello'))).toMatchObject({ code: 'telegram_token_invalid' })
    expect(await refusal(rotate(telegram.addBot().token))).toMatchObject({ code: 'telegram_other_bot' })
    const renewed = telegram.renewToken(token)
    telegram.customerSays(renewed.token, chat, 'Hello')
    const shown = await rotate(renewed.token)
    expect(shown).toMatchObject({ status: 'connected', lastError: null, maskedToken: `••••${renewed.token.slice(-4)}` })
    await telegram.waitForSent(chat)
    await app.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
    const [listed] = await person.http.query(api.channelConnections.list, { agentId })
    expect(listed).toMatchObject({ _id: connectionId, status: 'connected' })
  })

  it('sends a test message while it is connected, with a chat and a text', async () => {
    const { token } = telegram.addBot()
    const { _id: connectionId } = await connect(person, agentId, token)
    const test = (chatId: string, text: string) =>
      person.http.action(api.channels.telegram.sendTest, { connectionId, chatId, text })
    telegram.bot(token).knownChats.add(String(chat))
    await test(String(chat), 'Does *this* work?')
    expect(telegram.sentTo(chat)).toMatchObject([{ text: 'Does *this* work?', entities: [] }])
    expect(await refusal(test('999', 'Hello'))).toMatchObject({ code: 'telegram_failed' })
    for (const [to, text] of [
      ['nobody', 'Hello'],
      ['1', ' '],
    ] as const) {
      expect(await refusal(test(to, text))).toMatchObject({ code: 'invalid_arguments' })
    }
    telegram.revoke(token)
    const synced = await person.http.action(api.channels.telegram.sync, { connectionId })
    expect(synced).toMatchObject({ status: 'error', lastError: expect.stringContaining('Unauthorized') })
    expect(await refusal(test(String(chat), 'Hello'))).toMatchObject({ code: 'telegram_not_connected' })
  })

  it('replaces a webhook that another program has set', async () => {
    const { token } = telegram.addBot()
    await connect(person, agentId, token)
    telegram.bot(token).webhook = { url: 'http://127.0.0.1:9/elsewhere', secret: '' }
    telegram.endPolls()
    await telegram.waitFor(() => telegram.bot(token).webhook === null, 'the webhook to be removed')
    telegram.customerSays(token, chat, 'Still there?')
    await telegram.waitForSent(chat)
  })
})

describe('messages while the server is down', () => {
  it('are answered after its next start, each once, and counted as recovered', async () => {
    const database = await openTestDatabase()
    const config = { appSecret: 'the same secret for both starts of the server' }
    const first = await startApp({ telegram, database, config })
    const person = await first.signUp()
    const { token } = telegram.addBot()
    const { _id: connectionId } = await connect(person, await makeAgent(person), token)
    await telegram.waitFor(() => telegram.bot(token).poller !== null, 'the bot to be asked')
    telegram.customerSays(token, chat, 'before')
    await telegram.waitForSent(chat)
    await first.close()
    telegram.customerSays(token, chat, 'meanwhile')
    const second = await startApp({ telegram, database, config })
    await telegram.waitForSent(chat, 2)
    await second.settle()
    expect(telegram.sentTo(chat)).toHaveLength(2)
    await second.close() // the heartbeat is written at the latest when a server stops
    const { recovered } = await database.database.system('test: look', (db) =>
      db.selectFrom('channel_connections').where('id', '=', connectionId).select('recovered').executeTakeFirstOrThrow(),
    )
    expect(recovered).toBe(1)
    await database.close()
  })
})

describe('a webhook', () => {
  let app: TestApp
  let person: Person
  let agentId: Awaited<ReturnType<typeof makeAgent>>
  beforeAll(async () => {
    ;({ app, person, agentId } = await open('https://parley.example'))
    telegram.webhookOrigin = () => app.url
  })
  afterAll(async () => {
    telegram.webhookOrigin = null
    await app.close()
  })

  async function provisioned() {
    const { token } = telegram.addBot()
    const connection = await connect(person, agentId, token)
    const { webhook } = telegram.bot(token)
    if (!webhook) throw new Error('no webhook was set')
    return { token, connection, webhook, local: telegram.reachable(webhook) }
  }

  it('is tested end to end, without a customer or a model', async () => {
    const { token, connection } = await provisioned()
    const call = { connectionId: connection._id }
    const outcomes = async () =>
      (await person.http.action(api.channelConnections.test, call)).map(({ outcome, reason }) => [outcome, reason])
    expect(await outcomes()).toEqual([
      ['passed', null],
      ['passed', null],
      ['passed', null],
    ])
    telegram.bot(token).webhook = { url: 'https://elsewhere.example/secret', secret: '' }
    expect((await outcomes())[1]).toEqual(['failed', 'delivers to elsewhere.example'])
    telegram.revoke(token)
    expect((await outcomes())[0]).toEqual(['failed', expect.stringContaining('unauthorized')])
    const { page } = await person.http.query(api.conversations.list, { paginationOpts: { numItems: 9, cursor: null } })
    expect(page).toEqual([])
    const stranger = await app.signUp()
    expect(await refusal(stranger.http.action(api.channelConnections.test, call))).toMatchObject({ code: 'not_found' })
  })

  it('is set again when it points elsewhere, as after a change of the public address', async () => {
    const { token, connection, webhook } = await provisioned()
    const former = webhook.url.replace('parley.example', 'old.example')
    telegram.bot(token).webhook = { url: former, secret: webhook.secret }
    telegram.bot(token).pending.push(telegram.textUpdate(token, chat, 'waits'))
    await app.database.system('test: look at webhooks', (db) => app.services.jobs.send(db, checkWebhooks, {}))
    await app.settle()
    expect(telegram.bot(token).webhook).toEqual(webhook)
    const health = await person.http.query(api.channelConnections.health, { connectionId: connection._id })
    expect(health).toMatchObject({ pendingUpdates: 1, undelivered: 0 })
    const listed = await person.http.query(api.channelConnections.list, {})
    const { deliveryCheck } = listed.find(({ _id }) => _id === connection._id) ?? {}
    expect(deliveryCheck).toMatchObject({ isOurs: true, pending: 1 })
  })

  it('that delivers nothing is removed for as long as it takes to fetch the waiting updates, which are counted', async () => {
    const { token, connection, webhook } = await provisioned()
    const bot = telegram.bot(token)
    bot.lastError = { date: soon(), message: 'Connection timed out' }
    bot.pending.push(telegram.textUpdate(token, chat, 'Anybody there?'))
    await app.database.system('test: look at webhooks', (db) => app.services.jobs.send(db, checkWebhooks, {}))
    await telegram.waitForSent(chat)
    await telegram.waitFor(() => bot.webhook !== null, 'the webhook to be set again')
    expect(bot.webhook).toEqual(webhook)
    const health = () => person.http.query(api.channelConnections.health, { connectionId: connection._id })
    await expect.poll(health, { timeout: 45_000 }).toMatchObject({ recovered: 1, providerError: null })
    await app.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
  })

  it('is set with a secret on an installation with a public https address, and answers', async () => {
    const { token, connection, webhook } = await provisioned()
    expect(connection).toMatchObject({ status: 'connected', delivery: 'webhook' })
    expect(webhook.url).toMatch(/^https:\/\/parley\.example\/webhooks\/telegram\/[\w-]{43}$/)
    expect(webhook.url).not.toContain(token)
    expect(webhook.secret).toMatch(/^[\w-]{43}$/)
    telegram.customerSays(token, chat, 'Hello')
    await telegram.waitForSent(chat)
  })

  it('reports waiting updates and the last error, and is set again without losing an update', async () => {
    const { token, connection, webhook } = await provisioned()
    const bot = telegram.bot(token)
    bot.webhook = { url: 'http://127.0.0.1:9/elsewhere', secret: '' }
    bot.username = 'renamed_bot'
    bot.lastError = { date: 1_700_000_000, message: 'Connection refused' }
    bot.pending.push(telegram.textUpdate(token, chat, 'Anybody there?'))
    const call = { connectionId: connection._id }
    expect(await person.http.action(api.channels.telegram.sync, call)).toMatchObject({
      identifier: 'renamed_bot',
      deliveryCheck: {
        isOurs: false,
        pending: 1,
        lastError: { at: 1_700_000_000_000, text: 'Connection refused' },
      },
    })
    bot.lastError = null
    expect(await person.http.action(api.channels.telegram.reregister, call)).toMatchObject({
      status: 'connected',
      deliveryCheck: { isOurs: true, pending: 0, lastError: null },
    })
    expect(telegram.bot(token).webhook).toEqual(webhook)
    await telegram.waitForSent(chat)
  })

  it('delivers under the new token what arrived while no valid token was set', async () => {
    const { token, connection, webhook } = await provisioned()
    const renewed = telegram.renewToken(token)
    telegram.customerSays(renewed.token, chat, 'Hello')
    const call = { connectionId: connection._id, botToken: renewed.token }
    await person.http.action(api.channels.telegram.rotate, call)
    expect(telegram.bot(renewed.token).webhook).toEqual(webhook)
    telegram.customerSays(renewed.token, chat, 'Hello again')
    await telegram.waitForSent(chat)
    // Telegram may deliver the second message at any time.
    await telegram.waitFor(() => telegram.isTaken(renewed.token), 'the second message to be taken')
  })

  it('is removed, along with the files, when the account and its organization are deleted', async () => {
    const owner = await app.signUp()
    const agent = await makeAgent(owner)
    const [kept, taken] = [telegram.addBot(), telegram.addBot()]
    await connect(person, agentId, kept.token)
    await connect(owner, agent, taken.token)
    const { _id: knowledgeSpaceId } = await owner.http.mutation(api.knowledge.spaces.create, { name: 'Files' })
    const document = await fetch(`${app.url}/api/files/documents?knowledgeSpaceId=${knowledgeSpaceId}&name=a.txt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await owner.token()}` },
      body: 'Delivery takes two days.',
    })
    const { _id: key } = (await document.json()) as { _id: string }
    await app.settle()
    expect(telegram.bot(taken.token).webhook).not.toBeNull()
    expect((await app.services.files.get(key)).length).toBeGreaterThan(0)

    const body = { password: PASSWORD }
    expect((await app.auth('/delete-user', { token: owner.sessionToken, body })).status).toBe(200)
    await app.settle()
    expect(telegram.bot(taken.token).webhook).toBeNull()
    expect(telegram.bot(kept.token).webhook).not.toBeNull()
    await expect(app.services.files.get(key)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('stays when its bot was connected again before it could be removed', async () => {
    const owner = await app.signUp()
    const { token } = telegram.addBot()
    await connect(owner, await makeAgent(owner), token)
    const heir = await app.signUp()
    const { channels } = app.services
    const disconnect = vi.spyOn(channels.telegram, 'disconnect')
    disconnect.mockImplementationOnce(async () => {
      throw new AdapterError('temporary', 'Telegram does not answer')
    })
    await app.auth('/delete-user', { token: owner.sessionToken, body: { password: PASSWORD } })
    await connect(heir, await makeAgent(heir), token)
    await app.settle()
    expect(telegram.bot(token).webhook).not.toBeNull()
    disconnect.mockRestore()
  })

  it('answers a wrong secret and an unknown path alike, and stores nothing', async () => {
    const { token, local } = await provisioned()
    const update = telegram.textUpdate(token, chat, 'let me in')
    const post = async (url: string, secret: string) => {
      const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret }
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(update) })
      return { status: response.status, body: await response.text() }
    }
    const wrongSecret = await post(local.url, 'a'.repeat(43))
    const noPath = await post(local.url.replace(/[^/]+$/, 'a'.repeat(43)), local.secret)
    expect(wrongSecret).toEqual(noPath)
    expect(wrongSecret.status).toBe(404)
    await app.settle()
    expect(telegram.sentTo(chat)).toEqual([])
  })

  it('refuses a body that is larger than any update, with or without a content length', async () => {
    const { local } = await provisioned()
    const body = 'x'.repeat(WEBHOOK_MAX_BYTES + 1)
    const headers = { 'x-telegram-bot-api-secret-token': local.secret }
    const announced = await fetch(local.url, { method: 'POST', headers, body })
    expect(announced.status).toBe(413)
    expect(await postUnannounced(local.url, headers, body)).toBe(413)
  })

  it('accepts 200 unparsable bodies, and answers the next valid message', async () => {
    const { token, connection, local } = await provisioned()
    const poison = Array.from(
      { length: 200 },
      (_, index) =>
        [
          { update_id: 900_000_000_000 + index, brand_new_kind: { index } },
          { update_id: 'seven', index },
          [index],
          `text ${index}`,
          { update_id: 910_000_000_000 + index, message: { text: 'nobody\0 said this' } },
        ][index % 5],
    )
    for (const body of poison) expect(await postUpdate(local, body)).toBe(true)
    telegram.customerSays(token, chat, 'Hello')
    await telegram.waitForSent(chat)
    const connectionId = connection._id
    expect((await person.http.query(api.channelConnections.health, { connectionId })).quarantined).toBe(200)
    const latest = await person.http.action(api.channelConnections.quarantine, { connectionId })
    expect(latest).toHaveLength(QUARANTINE_SHOWN)
    expect(latest[0]?.text).toContain('nobody')
    expect(await postUpdate(local, poison[0])).toBe(true)
    expect((await person.http.query(api.channelConnections.health, { connectionId })).quarantined).toBe(200)
  })

  it('of a disconnected bot is gone', async () => {
    const { connection, token, local } = await provisioned()
    await person.http.action(api.channels.telegram.disconnect, { connectionId: connection._id })
    expect(await postUpdate(local, telegram.textUpdate(token, chat, 'Hello?'))).toBe(false)
  })

  it('of a deleted agent is removed at Telegram too', async () => {
    const owner = await app.signUp()
    const agent = await makeAgent(owner)
    const { token } = telegram.addBot()
    await connect(owner, agent, token)
    expect(telegram.bot(token).webhook).not.toBeNull()
    await owner.http.mutation(api.agents.remove, { id: agent })
    await app.settle()
    expect(telegram.bot(token).webhook).toBeNull()
  })
})

async function waitForConnection(
  person: Person,
  { _id }: ChannelConnection,
  holds: (connection: ChannelConnection) => boolean,
): Promise<ChannelConnection | undefined> {
  const { promise, resolve } = Promise.withResolvers<ChannelConnection | undefined>()
  const stop = person.live().onUpdate(api.channelConnections.list, {}, (connections) => {
    const found = connections.find((connection) => connection._id === _id)
    if (found && holds(found)) resolve(found)
  })
  const found = await promise
  stop()
  return found
}

/** Posts a body in pieces, without a length. @returns the status */
function postUnannounced(url: string, headers: Record<string, string>, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', headers }, (response) => resolve(response.statusCode))
    request.on('error', reject)
    request.write(body)
    request.end()
  })
}
