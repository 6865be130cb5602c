// What a connection shows about its provider: ongoing failures, their end, and when members are alerted.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordActivity } from '#server/domain/channels/health/activity.store.ts'
import { callForFailingJob } from '#server/domain/channels/health/failing.job.ts'
import { listDelivered } from '#server/domain/channels/health/health.store.ts'
import { checkWebhooks } from '#server/domain/channels/health/webhooks.job.ts'
import type { AccountState, ChannelConnection } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

const PATIENT = { timeout: 45_000 }
const MINUTES = 60_000
const telegram: FakeTelegram = await startFakeTelegram()
let chat = 7000

afterAll(() => telegram.close())
beforeEach(() => {
  chat++
})
afterEach(() => {
  telegram.faults.isDown = false
})

async function connect(person: Person): Promise<{ token: string; connectionId: Id<'channelConnections'> }> {
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const { token } = telegram.addBot()
  const { _id } = await person.http.action(api.channels.telegram.provision, { agentId, botToken: token })
  return { token, connectionId: _id }
}

function showsOf(person: Person, connectionId: Id<'channelConnections'>) {
  return async (): Promise<Pick<ChannelConnection, 'status' | 'lastError' | 'failingSince'>> => {
    const listed: ChannelConnection[] = await person.http.query(api.channelConnections.list, {})
    const found = listed.find(({ _id }) => _id === connectionId)
    if (!found) throw new Error('the connection is not listed')
    const { status, lastError, failingSince } = found
    return { status, lastError, failingSince }
  }
}

const WELL = { status: 'connected', lastError: null, failingSince: null }
const FAILING = { status: 'connected', lastError: expect.stringContaining('502'), failingSince: expect.any(Number) }

describe('a connection whose provider is down', () => {
  it('that is polled shows it until the provider answers again', async () => {
    const app = await startApp({ telegram })
    const person = await app.signUp()
    const { token, connectionId } = await connect(person)
    const shows = showsOf(person, connectionId)
    await telegram.waitFor(() => telegram.bot(token).poller !== null, 'the bot to be asked')
    expect(await shows()).toEqual(WELL)
    telegram.faults.isDown = true
    telegram.endPolls()
    await expect.poll(shows, PATIENT).toMatchObject(FAILING)
    telegram.faults.isDown = false
    await expect.poll(shows, PATIENT).toEqual(WELL)
    await app.close()
  })

  it('does not show a problem of an earlier server that is over', async () => {
    const database = await openTestDatabase()
    const config = { appSecret: 'the same secret for both starts of the server' }
    const first = await startApp({ telegram, database, config })
    const { token, connectionId } = await connect(await first.signUp())
    await first.close()
    await database.database.root
      .updateTable('channel_connections')
      .set({ last_error: 'temporary: 502' })
      .where('id', '=', connectionId)
      .execute()
    const second = await startApp({ telegram, database, config })
    await telegram.waitFor(() => telegram.bot(token).poller !== null, 'the bot to be asked')
    const read = () =>
      database.database.root
        .selectFrom('channel_connections')
        .where('id', '=', connectionId)
        .select(['last_error', 'failing_since'])
        .executeTakeFirst()
    await expect.poll(read, PATIENT).toEqual({ last_error: null, failing_since: null })
    await second.close()
    await database.close()
  })

  it('that receives webhooks shows it by a failed send, until the provider answers again', async () => {
    const app = await startApp({ telegram, config: { publicUrl: 'https://parley.example', hasPublicUrl: true } })
    telegram.webhookOrigin = () => app.url
    const person = await app.signUp()
    const { token, connectionId } = await connect(person)
    const shows = showsOf(person, connectionId)
    telegram.faults.isDown = true
    telegram.customerSays(token, chat, 'Hello')
    await expect.poll(shows, PATIENT).toMatchObject(FAILING)
    const look = () =>
      app.database.system('test: look at webhooks', (db) => app.services.jobs.send(db, checkWebhooks, {}))
    await look()
    await app.settle()
    expect(await shows()).toMatchObject(FAILING)
    telegram.faults.isDown = false
    await look()
    await app.settle()
    expect(await shows()).toEqual(WELL)
    telegram.webhookOrigin = null
    await app.close()
  })
})

it('a connection whose server crashed before recording a delivery is recognized as receiving deliveries', async () => {
  const app = await startApp({ telegram, config: { publicUrl: 'https://parley.example', hasPublicUrl: true } })
  const person = await app.signUp()
  const { connectionId } = await connect(person)
  await app.database.root
    .updateTable('channel_connections')
    .set({ status: 'pending', last_heartbeat_at: null })
    .where('id', '=', connectionId)
    .execute()
  await app.database.system('test: look at webhooks', (db) => app.services.jobs.send(db, checkWebhooks, {}))
  await app.settle()
  expect(await showsOf(person, connectionId)()).toEqual(WELL)
  await app.close()
})

it('a connection whose deliveries another program takes shows it until that stops', async () => {
  const app = await startApp({ telegram, config: { publicUrl: 'https://parley.example', hasPublicUrl: true } })
  const person = await app.signUp()
  const { token, connectionId } = await connect(person)
  const bot = telegram.bot(token)
  const { webhook } = bot
  const look = async () => {
    await app.database.system('test: look at webhooks', (db) => app.services.jobs.send(db, checkWebhooks, {}))
    await app.settle()
    return showsOf(person, connectionId)()
  }
  bot.webhook = { url: 'https://elsewhere.example/bot', secret: '' }
  expect(await look()).toMatchObject({
    lastError: expect.stringContaining('elsewhere.example'),
    failingSince: expect.any(Number),
  })
  expect(bot.webhook).toEqual(webhook)
  expect(await look()).toEqual(WELL)
  bot.webhook = { url: `${webhook?.url.replace('parley.example', 'old.example')}`, secret: '' }
  expect(await look()).toEqual(WELL)
  expect(bot.webhook).toEqual(webhook)
  await app.close()
})

it('a connection with wrongly signed deliveries shows it until one is accepted', async () => {
  const config = { publicUrl: 'https://parley.example', hasPublicUrl: true }
  const app = await startApp({ telegram, config })
  telegram.webhookOrigin = () => app.url
  const person = await app.signUp()
  const { token, connectionId } = await connect(person)
  const shows = async (): Promise<ChannelConnection | undefined> =>
    (await person.http.query(api.channelConnections.list, {})).find(
      ({ _id }: ChannelConnection) => _id === connectionId,
    )
  const { lastHeartbeatAt } = (await shows()) ?? {}
  const address = app.url + new URL(telegram.bot(token).webhook?.url ?? '').pathname
  const headers = { 'x-telegram-bot-api-secret-token': 'of another bot', 'content-type': 'application/json' }
  expect((await fetch(address, { method: 'POST', headers, body: '{}' })).status).toBe(404)
  await expect.poll(shows).toMatchObject({
    ...{ status: 'connected', signatureRejectedAt: expect.any(Number), failingSince: expect.any(Number) },
    lastHeartbeatAt, // nothing was received from its provider
  })
  telegram.customerSays(token, chat, 'Hello')
  await telegram.waitForSent(chat)
  await expect.poll(shows).toMatchObject({ signatureRejectedAt: null, failingSince: null })
  telegram.webhookOrigin = null
  await app.close()
})

it('a send failure lasts while a tried message waits, even if the provider answers all other calls', async () => {
  const app = await startApp({ telegram })
  const person = await app.signUp()
  const { token, connectionId } = await connect(person)
  const shows = showsOf(person, connectionId)
  telegram.customerSays(token, chat, 'Hello')
  await telegram.waitForSent(chat)
  await app.settle()
  const triedAt = async (first_tried_at: Date | null) => {
    const status = first_tried_at === null ? 'sent' : 'queued'
    const parts = app.database.root.updateTable('outbox').where('connection_id', '=', connectionId)
    await parts.set({ status, first_tried_at, not_before: new Date(Date.now() + 60 * MINUTES) }).execute()
  }
  await triedAt(new Date())
  await app.database.root
    .updateTable('channel_connections')
    .set({ send_error: 'suspended: 466' })
    .where('id', '=', connectionId)
    .execute()
  const accepted = {
    connectionId,
    messages: 0,
    recovered: 0,
    acceptedAt: new Date(),
    webhookMs: null,
    sendError: null,
    hasRejectedSignature: false,
  }
  const note = (hasSent: boolean) =>
    app.database.system('test: signs of life', (db) => recordActivity({ db }, [{ ...accepted, hasSent }]))
  await note(false)
  expect(await shows()).toMatchObject({ lastError: 'suspended: 466', failingSince: expect.any(Number) })
  await triedAt(null)
  await note(false)
  expect(await shows()).toEqual(WELL)
  await app.close()
})

it('sending does not prove that the provider can deliver to us', async () => {
  const app = await startApp({ telegram, config: { publicUrl: 'https://parley.example', hasPublicUrl: true } })
  const person = await app.signUp()
  const { connectionId } = await connect(person)
  await app.database.root
    .updateTable('channel_connections')
    .set({ linked_at: new Date(0), last_inbound_at: new Date(1000), last_heartbeat_at: new Date() })
    .where('id', '=', connectionId)
    .execute()
  const [connection] = await app.database.system('test: look', (db) => listDelivered({ db }, ['telegram']))
  expect(connection?.heardAt).toEqual(new Date(1000))
  await app.close()
})

it('a webhook stays while updates wait and its last failure is over: an update was delivered since', async () => {
  const app = await startApp({ telegram, config: { publicUrl: 'https://parley.example', hasPublicUrl: true } })
  const person = await app.signUp()
  const { token, connectionId } = await connect(person)
  const bot = telegram.bot(token)
  const { webhook } = bot
  bot.lastError = { date: 1_700_000_000, message: 'Connection timed out' }
  const waiting = telegram.textUpdate(token, chat, 'Just now')
  bot.pending.push(waiting)
  await app.database.system('test: look at webhooks', (db) => app.services.jobs.send(db, checkWebhooks, {}))
  await app.settle()
  expect(bot.webhook).toEqual(webhook)
  expect(bot.pending).toEqual([waiting])
  const health = await person.http.query(api.channelConnections.health, { connectionId })
  expect(health).toMatchObject({ recovered: 0, pendingUpdates: 1, providerError: null })
  await app.close()
})

describe('members are alerted', () => {
  let app: TestApp
  let person: Person
  let connectionId: Id<'channelConnections'>

  beforeAll(async () => {
    app = await startApp({ telegram })
    person = await app.signUp()
    ;({ connectionId } = await connect(person))
    await app.database.system('test: off, so that no other server judges it', (db) =>
      db.updateTable('channel_connections').set({ delivery: 'webhook' }).where('id', '=', connectionId).execute(),
    )
    await app.settle()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await set({ last_error: null, status: 'connected', account_state: null })
    await app.database.root.deleteFrom('alerts').execute()
  })

  type Changes = {
    last_error?: string | null
    status?: ChannelConnection['status']
    account_state?: AccountState | null
  }
  async function set(changes: Changes): Promise<void> {
    const row = app.database.root.updateTable('channel_connections').where('id', '=', connectionId)
    await row.set(changes).execute()
  }
  async function calls(): Promise<string[]> {
    await app.database.system('test: look', (db) => app.services.jobs.send(db, callForFailingJob, {}))
    await app.settle()
    return (await person.http.query(api.alerts.list, {})).map(({ kind }) => kind)
  }
  async function hasFailedFor(milliseconds: number): Promise<void> {
    await set({ last_error: 'temporary: 502' })
    const failing_since = new Date(Date.now() - milliseconds)
    await app.database.root
      .updateTable('channel_connections')
      .set({ failing_since })
      .where('id', '=', connectionId)
      .execute()
  }

  it('when it has failed for longer than a restart takes, once, and not after it recovers', async () => {
    await hasFailedFor(MINUTES)
    expect(await calls()).toEqual([])
    await hasFailedFor(3 * MINUTES)
    expect(await calls()).toEqual(['connection'])
    await set({ last_error: 'temporary: 503' }) // keeps failing
    expect(await calls()).toEqual(['connection'])
    await set({ last_error: null })
    expect(await calls()).toEqual([])
  })

  it('when an account is restricted after its restart, and not because of the restart', async () => {
    await set({ account_state: 'authorized' })
    await set({ account_state: 'starting', status: 'pending' })
    expect(await calls()).toEqual([])
    await set({ account_state: 'yellowCard' })
    expect(await calls()).toEqual(['connection'])
    await set({ account_state: 'authorized', status: 'connected' })
    expect(await calls()).toEqual([])
  })

  it('not for one that is still being set up', async () => {
    await app.database.root
      .updateTable('channel_connections')
      .set({ was_connected: false, status: 'pending', account_state: 'starting' })
      .where('id', '=', connectionId)
      .execute()
    await set({ account_state: 'notAuthorized' })
    expect(await calls()).toEqual([])
  })
})
