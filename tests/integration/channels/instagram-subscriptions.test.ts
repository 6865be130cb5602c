// An Instagram account of which Meta does not tell: the connection shows it, it is asked for again, and is over only when Meta confirms it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { recordActivity } from '#server/domain/channels/health/activity.store.ts'
import { checkSubscriptions } from '#server/domain/channels/health/subscriptions.job.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeAccount, NO_INSTAGRAM_FAULTS, startFakeInstagram } from '#tests/fakes/instagram/instagram.ts'

const ANNA = { id: '4242000000', name: 'Anna', username: 'anna' }
const functions = api.channels.messengers
const instagram = await startFakeInstagram()
let app: TestApp
let person: Person
let agentId: ChannelConnection['agentId']

beforeAll(async () => {
  app = await startApp({ instagram, config: { publicUrl: 'https://parley.example', hasPublicUrl: true } })
  instagram.webhookOrigin = () => app.url
  person = await app.signUp()
  const made = await person.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  agentId = made._id
})
afterEach(() => {
  instagram.faults = { ...NO_INSTAGRAM_FAULTS, refusals: [] }
})
afterAll(async () => {
  await app.close()
  await instagram.close()
})

describe('a subscription that Meta refuses', () => {
  it('leaves the connection in error, with the reason, until Meta confirms it', async () => {
    const other = instagram.addAccount()
    instagram.faults.refusesSubscriptions = true
    const refused = await provision(other)
    expect(refused).toMatchObject({ status: 'error', lastError: expect.stringMatching(/does not tell .* capability/) })
    // The address may be entered all the same: it is not enough.
    await enterAddress(refused)
    expect((await check(refused)).status).toBe('error')
    await lookAtSubscriptions()
    expect(await current(refused)).toMatchObject({ status: 'error' })
    await accept(refused)
    expect(await current(refused)).toMatchObject({ status: 'error' })
    instagram.faults.refusesSubscriptions = false
    await lookAtSubscriptions()
    expect(await current(refused)).toMatchObject({ status: 'connected', lastError: null })
    instagram.customerSays(other.userId, ANNA, 'Hello')
    await instagram.waitFor(() => instagram.sentTo(ANNA.id).length > 0, 'the answer')
  })

  it('does not hide a token that Meta has refused since', async () => {
    instagram.faults.refusesSubscriptions = true
    const other = instagram.addAccount()
    const refused = await provision(other)
    other.accessToken = instagram.newToken()
    expect(await check(refused)).toMatchObject({ status: 'error', lastError: expect.stringContaining('190') })
  })

  it('is not taken for one when Meta only says that it was made', async () => {
    instagram.faults.forgetsSubscriptions = true
    const other = instagram.addAccount()
    const forgotten = await provision(other)
    expect(forgotten.status).toBe('error')
    instagram.faults.forgetsSubscriptions = false
    await lookAtSubscriptions()
    expect(await current(forgotten)).toMatchObject({ status: 'pending', lastError: null })
  })

  it('shows when it was taken away and cannot be had again, and passes when it can', async () => {
    const other = instagram.addAccount()
    const mine = await connect(other)
    other.subscribedFields = []
    await lookAtSubscriptions()
    expect(await current(mine)).toMatchObject({ status: 'connected' })
    expect(other.subscribedFields).toContain('messages')
    other.subscribedFields = []
    instagram.faults.refusesSubscriptions = true
    await lookAtSubscriptions()
    expect(await current(mine)).toMatchObject({ status: 'error' })
    instagram.faults.refusesSubscriptions = false
    expect((await check(mine)).status).toBe('connected')
  })

  it('is not asked for any more by a token that is refused', async () => {
    const other = instagram.addAccount()
    instagram.faults.refusesSubscriptions = true
    const refused = await provision(other)
    instagram.faults.refusesSubscriptions = false
    const { accessToken } = other
    other.accessToken = instagram.newToken()
    await lookAtSubscriptions()
    expect(await current(refused)).toMatchObject({ status: 'error', lastError: expect.stringContaining('190') })
    other.accessToken = accessToken
    await lookAtSubscriptions()
    expect(other.subscribedFields).toEqual([])
    expect((await check(refused)).status).toBe('pending')
  })
})

function provision({ accessToken, app: { secret: appSecret } }: FakeAccount): Promise<ChannelConnection> {
  const entered = { accessToken, appSecret }
  return person.http.action(functions.provision, { agentId, channel: 'instagram', entered })
}
function check({ _id: connectionId }: ChannelConnection): Promise<ChannelConnection> {
  return person.http.action(functions.check, { connectionId })
}
async function enterAddress({ _id: connectionId, externalAccountId }: ChannelConnection): Promise<void> {
  const { callbackUrl: url, verifyToken } = await person.http.action(functions.webhook, { connectionId })
  await instagram.enterWebhook(externalAccountId, { url, verifyToken: verifyToken ?? '' })
}
async function connect(given: FakeAccount): Promise<ChannelConnection> {
  const made = await provision(given)
  await enterAddress(made)
  return check(made)
}
async function current({ _id: id }: ChannelConnection): Promise<ChannelConnection | undefined> {
  const connections: ChannelConnection[] = await person.http.query(api.channelConnections.list, {})
  return connections.find(({ _id }) => _id === id)
}
async function lookAtSubscriptions(): Promise<void> {
  await app.database.system('test: some minutes pass', (db) => app.services.jobs.send(db, checkSubscriptions, {}))
  await app.settle()
}
/** A message went out by its token. */
async function accept({ _id: connectionId }: ChannelConnection): Promise<void> {
  const none = {
    messages: 0,
    recovered: 0,
    hasSent: true,
    sendError: null,
    webhookMs: null,
    hasRejectedSignature: false,
  }
  await app.database.system('test: a sign of life', (db) =>
    recordActivity({ db }, [{ ...none, connectionId, acceptedAt: new Date() }]),
  )
}
