// A Cloud API number whose account Meta no longer delivers: it is resubscribed automatically, and shown in error as long as Meta refuses.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkSubscriptions } from '#server/domain/channels/health/subscriptions.job.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { ChannelConnection, ConnectionCheck } from '#shared/channels/channels.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeNumber, NO_FAULTS, startFakeWhatsappCloud } from '#tests/fakes/whatsapp-cloud/whatsapp-cloud.ts'

const ANNA = { phone: '77001234567', name: 'Anna' }
const functions = api.channels.whatsappCloud
const cloud = await startFakeWhatsappCloud()
let app: TestApp
let person: Person
let agentId: ChannelConnection['agentId']

beforeAll(async () => {
  app = await startApp({
    whatsappCloud: cloud,
    config: { publicUrl: 'https://parley.example', hasPublicUrl: true },
  })
  cloud.webhookOrigin = () => app.url
  person = await app.signUp()
  const made = await person.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  agentId = made._id
})
afterEach(() => {
  cloud.faults = { ...NO_FAULTS, refusals: [] }
})
afterAll(async () => {
  await app.close()
  await cloud.close()
})

describe('a subscription to the account', () => {
  it('that was removed is restored, no matter which other apps are subscribed, and messages are received', async () => {
    const number = cloud.addNumber({ otherApps: ['4242', '4243', '4244'] })
    const mine = await connect(number)
    await unsubscribe(number)
    await lookAtSubscriptions()
    expect([number.isSubscribed, (await current(mine))?.status]).toEqual([true, 'connected'])
    cloud.customerSays(number.phoneNumberId, ANNA, 'Hello')
    await cloud.waitFor(() => cloud.sentTo(ANNA.phone).length > 0, 'the answer')
  })

  it('that Meta refuses to make again leaves the connection in error, until it agrees', async () => {
    const number = cloud.addNumber()
    const mine = await connect(number)
    await unsubscribe(number)
    cloud.faults.refusesSubscriptions = true
    await lookAtSubscriptions()
    const refused = { status: 'error', lastError: expect.stringMatching(/^unsubscribed: 100 .*capability/) }
    expect(await current(mine)).toMatchObject(refused)
    expect(await check(mine)).toMatchObject(refused)
    cloud.faults = { ...NO_FAULTS, refusals: [], forgetsSubscriptions: true }
    await lookAtSubscriptions()
    expect(await current(mine)).toMatchObject({ status: 'error', lastError: expect.stringMatching(/^unsubscribed: /) })
    cloud.faults.forgetsSubscriptions = false
    await lookAtSubscriptions()
    expect(await current(mine)).toMatchObject({ status: 'connected', lastError: null })
    expect((await check(mine)).status).toBe('connected')
  })

  it('that is refused from the beginning stays visible when the webhook is entered', async () => {
    cloud.faults.refusesSubscriptions = true
    const number = cloud.addNumber()
    const mine = await provision(number)
    expect(mine.status).toBe('error')
    await enterAddress(mine)
    await lookAtSubscriptions()
    expect((await current(mine))?.status).toBe('error')
    cloud.faults.refusesSubscriptions = false
    await lookAtSubscriptions()
    expect((await current(mine))?.status).toBe('connected')
  })

  it('that exists before the webhook is entered leaves the connection waiting for the webhook', async () => {
    const number = cloud.addNumber()
    const mine = await provision(number)
    await unsubscribe(number)
    await lookAtSubscriptions()
    expect([number.isSubscribed, (await current(mine))?.status]).toEqual([true, 'pending'])
  })

  it('is checked by the connection test, which reports it missing', async () => {
    const number = cloud.addNumber()
    const mine = await connect(number)
    expect((await test(mine))[1]).toMatchObject({ check: 'address', outcome: 'passed' })
    await unsubscribe(number)
    expect((await test(mine))[1]).toMatchObject({
      check: 'address',
      outcome: 'failed',
      reason: expect.stringMatching(/^unsubscribed/),
    })
  })
})

function provision({ phoneNumberId, accountId, accessToken, appSecret }: FakeNumber): Promise<ChannelConnection> {
  return person.http.action(functions.provision, { agentId, phoneNumberId, accountId, accessToken, appSecret })
}
async function enterAddress({ _id: connectionId, externalAccountId }: ChannelConnection): Promise<void> {
  const { callbackUrl: url, verifyToken } = await person.http.action(functions.webhook, { connectionId })
  await cloud.enterWebhook(externalAccountId, { url, verifyToken })
}
async function connect(number: FakeNumber): Promise<ChannelConnection> {
  const made = await provision(number)
  await enterAddress(made)
  return check(made)
}
function check({ _id: connectionId }: ChannelConnection): Promise<ChannelConnection> {
  return person.http.action(functions.check, { connectionId })
}
function test({ _id: connectionId }: ChannelConnection): Promise<ConnectionCheck[]> {
  return person.http.action(api.channelConnections.test, { connectionId })
}
/** An admin of the account, calling Graph directly. */
async function unsubscribe({ accountId, accessToken }: FakeNumber): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const answer = await fetch(`${cloud.graphUrl}/${accountId}/subscribed_apps`, { method: 'DELETE', headers })
  expect(await answer.json()).toEqual({ success: true })
}
async function current({ _id: id }: ChannelConnection): Promise<ChannelConnection | undefined> {
  const connections: ChannelConnection[] = await person.http.query(api.channelConnections.list, {})
  return connections.find(({ _id }) => _id === id)
}
async function lookAtSubscriptions(): Promise<void> {
  await app.database.system('test: some minutes pass', (db) => app.services.jobs.send(db, checkSubscriptions, {}))
  await app.settle()
}
