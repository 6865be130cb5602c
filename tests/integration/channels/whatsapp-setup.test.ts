// Connecting a WhatsApp instance: permissions, refusals, linking the phone, testing it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkAccounts } from '#server/domain/channels/health/account-states.job.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { type AppErrorData, appErrorData } from '#shared/errors.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeGreenApi, type FakeInstance, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'

let greenApi: FakeGreenApi
let app: TestApp
let person: Person
let agentId: Awaited<ReturnType<typeof makeAgent>>

beforeAll(async () => {
  greenApi = await startFakeGreenApi({ secondMs: 5, restartSeconds: 300 })
  app = await startApp({ greenApi, overrides: { waitShare: 0.05 } })
  person = await app.signUp()
  agentId = await makeAgent(person)
})
afterAll(async () => {
  await app.close()
  await greenApi.close()
})

async function makeAgent(owner: Person) {
  return (await owner.http.mutation(api.agents.create, { name: 'Helper' }))._id
}

function connect(
  { idInstance, apiToken }: Pick<FakeInstance, 'idInstance' | 'apiToken'>,
  more: { apiUrl?: string } = {},
) {
  return person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken, ...more })
}

async function refusal(call: Promise<unknown>): Promise<AppErrorData | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error),
  )
}

describe('connecting an instance', () => {
  it('refuses malformed instance ids, and a wrong token', async () => {
    const { idInstance, apiToken } = greenApi.addInstance()
    const wrong = { code: 'whatsapp_credentials_invalid' }
    expect(await refusal(connect({ idInstance: 'mine', apiToken }))).toMatchObject(wrong)
    expect(await refusal(connect({ idInstance, apiToken: 'short' }))).toMatchObject(wrong)
    expect(await refusal(connect({ idInstance, apiToken: 'f'.repeat(50) }))).toMatchObject(wrong)
    expect(await refusal(connect({ idInstance: '7103999999', apiToken }))).toMatchObject(wrong)
    expect(await person.http.query(api.channelConnections.list, {})).toEqual([])
  })

  it('sends the token to no other address', async () => {
    const instance = greenApi.addInstance()
    expect(await refusal(connect(instance, { apiUrl: 'http://127.0.0.1:1/' }))).toMatchObject({
      code: 'whatsapp_address_refused',
    })
  })

  it("refuses another organization's agent before calling GREEN-API", async () => {
    const stranger = await app.signUp()
    const { idInstance, apiToken } = greenApi.addInstance()
    const before = greenApi.calls.length
    const call = stranger.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
    expect(await refusal(call)).toMatchObject({ code: 'agent_unavailable' })
    expect(greenApi.calls).toHaveLength(before)
  })

  it('refuses an instance that is connected already, in any organization', async () => {
    const instance = greenApi.addInstance()
    await connect(instance)
    const stranger = await app.signUp()
    const theirs = { agentId: await makeAgent(stranger), idInstance: instance.idInstance, apiToken: instance.apiToken }
    const code = 'whatsapp_instance_in_use'
    expect(await refusal(connect(instance))).toMatchObject({ code })
    expect(await refusal(stranger.http.action(api.channels.whatsapp.provision, theirs))).toMatchObject({ code })
  })

  it('subscribes to messages, replies from the phone and state changes, and not to messages of our own', async () => {
    const instance = greenApi.addInstance()
    await connect(instance)
    expect(instance.settings).toMatchObject({
      webhookUrl: '',
      incomingWebhook: 'yes',
      outgoingMessageWebhook: 'yes',
      outgoingAPIMessageWebhook: 'no',
      stateWebhook: 'yes',
      pollMessageWebhook: 'yes',
    })
  })

  it('keeps the token encrypted at rest, and shows only its end', async () => {
    const { apiToken, ...instance } = greenApi.addInstance()
    const connection = await connect({ ...instance, apiToken })
    expect(connection.maskedToken).toBe(`••••${apiToken.slice(-4)}`)
    const rows = await app.database.system('test: look', (db) =>
      db.selectFrom('channel_connections').where('id', '=', connection._id).selectAll().execute(),
    )
    expect(JSON.stringify([rows, connection])).not.toContain(apiToken)
  })

  it('rolls back when the provider fails half-way', async () => {
    const instance = greenApi.addInstance()
    const settings = instance.settings
    // The instance disappears between the check of its token and the change of its settings.
    Object.defineProperty(instance, 'settings', {
      get() {
        greenApi.removeInstance(instance.idInstance)
        return settings
      },
    })
    expect(await refusal(connect(instance))).toMatchObject({ code: 'whatsapp_credentials_invalid' })
    const listed = await person.http.query(api.channelConnections.list, {})
    expect(listed.map(({ externalAccountId }) => externalAccountId)).not.toContain(instance.idInstance)
  })
})

describe('linking the phone', () => {
  it('shows a code until it is scanned, then the number', async () => {
    const instance = greenApi.addInstance({ state: 'notAuthorized' })
    const { _id: connectionId, ...connection } = await connect(instance)
    expect(connection).toMatchObject({
      status: 'pending',
      accountState: 'notAuthorized',
      identifier: instance.idInstance,
    })
    const link = await person.http.action(api.channels.whatsapp.qr, { connectionId })
    expect(link).toMatchObject({ kind: 'code', png: expect.stringMatching(/^iVBORw0KGgo/) })
    greenApi.scan(instance.idInstance)
    expect(await person.http.action(api.channels.whatsapp.qr, { connectionId })).toEqual({ kind: 'linked' })
    const [listed] = await person.http.query(api.channelConnections.list, {})
    expect(listed).toMatchObject({ status: 'connected', accountState: 'authorized', identifier: instance.phone })
  })

  it('gives a code to type instead, and asks for a number in international form', async () => {
    const instance = greenApi.addInstance({ state: 'notAuthorized' })
    const { _id: connectionId } = await connect(instance)
    const phoneCode = (phone: string) => person.http.action(api.channels.whatsapp.phoneCode, { connectionId, phone })
    expect(await phoneCode('+7 (700) 123-45-67')).toEqual({ code: 'GAPI2015' })
    expect(await refusal(phoneCode('8-ask-me'))).toMatchObject({ code: 'invalid_arguments' })
  })

  it('says why there is no code', async () => {
    const { _id: connectionId } = await connect(greenApi.addInstance({ state: 'notAuthorized' }))
    greenApi.faults.qr = { type: 'passkeyRequired', message: '' }
    expect(await person.http.action(api.channels.whatsapp.qr, { connectionId })).toEqual({ kind: 'passkey' })
    greenApi.faults.qr = { type: 'error', message: 'account banned' }
    expect(await refusal(person.http.action(api.channels.whatsapp.qr, { connectionId }))).toMatchObject({
      code: 'whatsapp_qr_failed',
    })
    greenApi.faults.qr = null
  })

  it('reports that the instance is starting, and its state afterwards', async () => {
    const instance = greenApi.addInstance()
    const { _id: connectionId } = await connect(instance)
    // Also wait for its notification: an earlier state must not arrive after the next look.
    const isStarted = () => instance.state === 'authorized' && instance.queue.length === 0
    await greenApi.waitFor(isStarted, 'the instance to have started')
    instance.state = 'starting'
    expect(await person.http.action(api.channels.whatsapp.qr, { connectionId })).toEqual({ kind: 'starting' })
    instance.state = 'sleepMode'
    expect(await person.http.action(api.channels.whatsapp.refresh, { connectionId })).toMatchObject({
      status: 'connected',
      accountState: 'sleepMode',
    })
  })
})

describe('a connected instance', () => {
  let instance: FakeInstance
  let connection: ChannelConnection
  beforeAll(async () => {
    instance = greenApi.addInstance()
    connection = await connect(instance)
    await greenApi.waitFor(() => instance.state === 'authorized', 'the instance to have started')
  })
  const args = () => ({ connectionId: connection._id })
  const sendTest = (phone: string, text = 'A test') =>
    person.http.action(api.channels.whatsapp.sendTest, { ...args(), phone, text })

  it('sends a test message to a number', async () => {
    const { externalMessageId } = await sendTest('+7 700 123 45 67')
    expect(greenApi.sentTo('77001234567')).toMatchObject([{ text: 'A test', idMessage: externalMessageId }])
  })

  it.each([
    ['without a text', '+77001234567', ' ', 'invalid_arguments'],
    ['to something that is no number', 'Anna', 'A test', 'invalid_arguments'],
    ['to a number that does not exist', '+7 000 123 45 67', 'A test', 'phone_invalid'],
    ['to a number as it is dialled in a country that is not known', '8 (701) 123-45-67', 'A test', 'phone_invalid'],
  ])('rejects a message %s', async (_, phone, text, code) => {
    expect(await refusal(sendTest(phone, text))).toMatchObject({ code })
  })

  it('accepts a number in the national format of the organization', async () => {
    await person.http.mutation(api.organizations.update, { patch: { timeZone: 'Asia/Almaty' } })
    await sendTest('8 (701) 123-45-67')
    await sendTest('701 123 45 67')
    expect(greenApi.sentTo('77011234567')).toHaveLength(2)
  })

  it('that is not paid for reports that, and not that its phone must be linked', async () => {
    instance.quotaChats = new Set(['77000000001@c.us'])
    expect(await refusal(sendTest('+77001234567'))).toMatchObject({ code: 'whatsapp_unpaid' })
    instance.quotaChats = null
  })

  it('is configured, and returns its settings', async () => {
    const settings = { delayMs: 2000, marksRead: true, marksReadOnReply: false, keepsOnline: false }
    await person.http.action(api.channels.whatsapp.configure, { ...args(), settings })
    expect(instance.settings).toMatchObject({ delaySendMessagesMilliseconds: 2000, markIncomingMessagesReaded: 'yes' })
    await greenApi.waitFor(() => instance.state === 'authorized', 'the instance to have started')
    expect(await person.http.action(api.channels.whatsapp.setup, args())).toMatchObject({ settings, isTelling: true })
  })

  it.each([499, 600_001, 1000.5])('rejects a delay of %d ms', async (delayMs) => {
    const settings = { delayMs, marksRead: false, marksReadOnReply: false, keepsOnline: false }
    const call = person.http.action(api.channels.whatsapp.configure, { ...args(), settings })
    expect(await refusal(call)).toMatchObject({ code: 'invalid_arguments' })
    expect(instance.settings.delaySendMessagesMilliseconds).toBe(2000)
  })

  it('passes every check, and reports which one it fails', async () => {
    const failed = async () =>
      (await person.http.action(api.channels.whatsapp.validate, args())).flatMap(({ check, outcome }) =>
        outcome === 'failed' ? [check] : [],
      )
    expect(await failed()).toEqual([])
    instance.settings.incomingWebhook = 'no'
    expect(await failed()).toEqual(['notifications'])
    await person.http.action(api.channels.whatsapp.setDelivery, { ...args(), delivery: 'polling' })
    await greenApi.waitFor(() => instance.state === 'authorized', 'the instance to have started')
    expect(await failed()).toEqual([])
  })

  it('cannot use a webhook while this installation has no public address', async () => {
    const call = person.http.action(api.channels.whatsapp.setDelivery, { ...args(), delivery: 'webhook' })
    expect(await refusal(call)).toMatchObject({ code: 'whatsapp_webhook_needs_https' })
    expect(instance.settings.webhookUrl).toBe('')
  })

  it('restarts', async () => {
    expect(await person.http.action(api.channels.whatsapp.reboot, args())).toMatchObject({ accountState: 'starting' })
    await greenApi.waitFor(() => instance.state === 'authorized', 'the instance to have started')
  })

  it('unlinks the phone, and sends nothing afterwards', async () => {
    expect(await person.http.action(api.channels.whatsapp.logout, args())).toMatchObject({
      status: 'pending',
      accountState: 'notAuthorized',
    })
    expect(await refusal(sendTest('+77001234567'))).toMatchObject({ code: 'whatsapp_not_authorized' })
    expect(instance.held).toEqual([])
  })

  it('is not a bot: functions of one channel do not accept connections of another', async () => {
    expect(await refusal(person.http.action(api.channels.telegram.disconnect, args()))).toMatchObject({
      code: 'not_found',
    })
  })

  it('whose token was changed in the console shows an error, and works with the new one', async () => {
    greenApi.setState(instance.idInstance, 'authorized')
    instance.apiToken = 'e'.repeat(50)
    greenApi.customerSays(instance.idInstance, '77001112233', 'wakes the poll')
    const { promise, resolve } = Promise.withResolvers<ChannelConnection>()
    const stop = person.live().onUpdate(api.channelConnections.list, {}, (connections) => {
      const found = connections.find(({ _id }) => _id === connection._id)
      if (found?.status === 'error') resolve(found)
    })
    expect((await promise).lastError).toContain('401')
    stop()
    expect(await refusal(person.http.action(api.channels.whatsapp.refresh, args()))).toMatchObject({
      code: 'whatsapp_credentials_invalid',
    })
    const rotate = (apiToken: string) => person.http.action(api.channels.whatsapp.rotate, { ...args(), apiToken })
    for (const wrong of ['short', connection.externalAccountId.repeat(4), greenApi.addInstance().apiToken]) {
      expect(await refusal(rotate(wrong))).toMatchObject({ code: 'whatsapp_credentials_invalid' })
    }
    expect(await rotate(instance.apiToken)).toMatchObject({
      status: 'connected',
      lastError: null,
      maskedToken: expect.stringMatching(/eeee$/),
    })
    await greenApi.waitForSent('77001112233')
  })

  it('whose token is replaced during a state request with the old one stays connected', async () => {
    const { channels, ...services } = app.services
    const { whatsapp } = channels
    const apiToken = 'a'.repeat(50)
    const describe = async (credentials: Credentials) => {
      if (!credentials.token.includes(instance.idInstance)) return whatsapp.account.describe(credentials)
      instance.apiToken = apiToken
      await person.http.action(api.channels.whatsapp.rotate, { ...args(), apiToken })
      return whatsapp.account.describe(credentials)
    }
    const slow = { ...channels, whatsapp: { ...whatsapp, account: { ...whatsapp.account, describe } } }
    await checkAccounts.run({ ...services, channels: slow }, {}, AbortSignal.timeout(30_000))
    const shown: ChannelConnection[] = await person.http.query(api.channelConnections.list, {})
    expect(shown.find(({ _id }) => _id === connection._id)).toMatchObject({ status: 'connected', lastError: null })
  })
})

describe('an instance that is created here', () => {
  let maker: TestApp
  let owner: Person
  let agent: Awaited<ReturnType<typeof makeAgent>>
  beforeAll(async () => {
    greenApi.partnerToken = 'gac.partner'
    maker = await startApp({ greenApi, config: { greenApiPartner: { url: greenApi.url, token: 'gac.partner' } } })
    owner = await maker.signUp()
    agent = await makeAgent(owner)
  })
  afterAll(() => maker.close())
  const create = () => owner.http.action(api.channels.whatsapp.createInstance, { agentId: agent })

  it('is created only where a partner is configured', async () => {
    expect(await person.http.action(api.channels.whatsapp.makesInstances, {})).toBe(false)
    expect(await refusal(person.http.action(api.channels.whatsapp.createInstance, { agentId }))).toMatchObject({
      code: 'whatsapp_partner_missing',
    })
    expect(await owner.http.action(api.channels.whatsapp.makesInstances, {})).toBe(true)
  })

  it('reports that the partner token is refused', async () => {
    greenApi.partnerToken = 'gac.another'
    expect(await refusal(create())).toMatchObject({ code: 'whatsapp_partner_refused' })
    greenApi.partnerToken = 'gac.partner'
  })

  it('is connected, is the only one that waits for a phone, and is deleted with its connection', async () => {
    const made = await create()
    expect(made).toMatchObject({ channel: 'whatsapp', accountState: 'notAuthorized' })
    expect(await refusal(create())).toMatchObject({ code: 'whatsapp_instance_waiting' })
    await owner.http.action(api.channels.whatsapp.disconnect, { connectionId: made._id })
    expect(greenApi.instances.has(made.externalAccountId)).toBe(false)
  })

  it('is deleted with its agent', async () => {
    const agentOfMade = await makeAgent(owner)
    const made = await owner.http.action(api.channels.whatsapp.createInstance, { agentId: agentOfMade })
    await owner.http.mutation(api.agents.remove, { id: agentOfMade })
    await maker.settle()
    expect(greenApi.instances.has(made.externalAccountId)).toBe(false)
  })

  it('reuses an abandoned one of the same organization, never of another', async () => {
    const left = greenApi.addInstance({ name: `parley:${owner.organization._id}`, state: 'notAuthorized' })
    const stranger = await maker.signUp()
    const theirs = await stranger.http.action(api.channels.whatsapp.createInstance, {
      agentId: await makeAgent(stranger),
    })
    expect(theirs.externalAccountId).not.toBe(left.idInstance)
    expect((await create()).externalAccountId).toBe(left.idInstance)
  })
})
