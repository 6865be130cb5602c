// WhatsApp through the whole server: customers are answered once, by polling and by webhook; a person on the phone takes over; an
// account that may not send holds everything back. Connecting and linking are tested in whatsapp-setup.test.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkAccounts } from '#server/domain/channels/health/account-states.job.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import {
  type FakeGreenApi,
  type FakeInstance,
  postNotification,
  startFakeGreenApi,
} from '#tests/fakes/green-api/green-api.ts'
import { edits } from '#tests/fakes/green-api/green-api-scenes.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const greenApi: FakeGreenApi = await startFakeGreenApi({ secondMs: 5 })
let phone = 77_001_000_000
const customer = () => String(phone)

afterAll(() => greenApi.close())
afterEach(() => {
  phone++
})

describe.each(['polling', 'webhook'] as const)('with %s', (delivery) => {
  let app: TestApp
  let person: Person
  let instance: FakeInstance
  let connection: ChannelConnection

  beforeAll(async () => {
    const isPublic = delivery === 'webhook'
    app = await startApp({
      greenApi,
      config: isPublic ? { publicUrl: 'https://parley.example', hasPublicUrl: true } : {},
    })
    greenApi.webhookOrigin = () => app.url
    person = await app.signUp()
    instance = greenApi.addInstance()
    const { idInstance, apiToken } = instance
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    connection = await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
    await untilState('authorized')
  })
  afterAll(async () => {
    await app.close()
    greenApi.webhookOrigin = null
  })

  it('a customer is answered, once, and is shown by name and number', async () => {
    expect(connection).toMatchObject({ channel: 'whatsapp', delivery, externalAccountId: instance.idInstance })
    greenApi.customerSays(instance.idInstance, { phone: customer(), name: 'Anna' }, 'Hello')
    await greenApi.waitForSent(customer())
    await app.settle()
    expect(greenApi.sentTo(customer())).toHaveLength(1)
    const conversation = await findConversation()
    expect(conversation).toMatchObject({ channel: 'whatsapp', status: 'active', customer: { name: 'Anna' } })
    expect(instance.held).toEqual([])
  })

  it('copies of a notification change nothing', async () => {
    const body = greenApi.textMessage(instance.idInstance, customer(), 'Hello')
    for (let copy = 0; copy < 5; copy++) greenApi.notify(instance.idInstance, structuredClone(body))
    await greenApi.waitForSent(customer())
    await untilTaken()
    await app.settle()
    expect(greenApi.sentTo(customer())).toHaveLength(1)
    expect((await listMessages()).map(({ author }) => author)).toEqual(['agent', 'customer'])
  })

  it('a message that the customer edits is changed in the conversation', async () => {
    const { idInstance } = instance
    const idMessage = greenApi.customerSays(idInstance, customer(), 'A table for two')
    await greenApi.waitForSent(customer())
    await app.settle()
    greenApi.notify(idInstance, edits(greenApi, idInstance, { phone: customer() }, idMessage, 'A table for three'))
    await untilTaken()
    await app.settle()
    const fromCustomer = (await listMessages()).filter(({ author }) => author === 'customer')
    expect(fromCustomer.map(({ text }) => text)).toEqual(['A table for three'])
  })

  it('an operator sends a document, and it arrives as one', async () => {
    greenApi.customerSays(instance.idInstance, customer(), 'Hello')
    await greenApi.waitForSent(customer())
    await app.settle()
    const { _id: conversationId } = await findConversation()
    const bytes = new TextEncoder().encode('Room: 100')
    const attachments = [await upload('prices.txt', bytes)]
    await person.http.mutation(api.conversations.reply, { conversationId, text: '', attachments })
    const sent = await greenApi.waitForSent(customer(), 2)
    expect(sent.at(-1)?.file).toMatchObject({ name: 'prices.txt', bytes })
  })

  it('echoes of our own messages do not count as a takeover', async () => {
    instance.settings.outgoingAPIMessageWebhook = 'yes'
    greenApi.customerSays(instance.idInstance, customer(), 'Hello')
    const [answer] = await greenApi.waitForSent(customer())
    await app.settle()
    instance.settings.outgoingAPIMessageWebhook = 'no'
    // Even if the provider reported one of them as typed on the phone, its id would identify it.
    const echo = greenApi.textMessage(instance.idInstance, customer(), answer?.text ?? '')
    greenApi.notify(instance.idInstance, {
      ...echo,
      typeWebhook: 'outgoingMessageReceived',
      idMessage: answer?.idMessage,
    })
    await untilTaken()
    expect((await findConversation()).status).toBe('active')
    expect(await listMessages()).toHaveLength(2)
  })

  it('a reply from the phone silences the agent until it is resumed', async () => {
    greenApi.customerSays(instance.idInstance, customer(), 'Hello')
    await greenApi.waitForSent(customer())
    const body = greenApi.textMessage(instance.idInstance, customer(), 'This is Boris, the owner')
    const reply = { ...body, typeWebhook: 'outgoingMessageReceived' }
    for (let copy = 0; copy < 3; copy++) greenApi.notify(instance.idInstance, structuredClone(reply))
    await untilTaken()
    const conversation = await findConversation()
    expect(conversation).toMatchObject({ status: 'paused', pauseReason: 'operator_elsewhere' })
    expect((await listMessages()).map(({ author }) => author)).toEqual(['operator', 'agent', 'customer'])
    greenApi.customerSays(instance.idInstance, customer(), 'Hello, Boris')
    await untilTaken()
    await app.settle()
    expect(greenApi.sentTo(customer())).toHaveLength(1)
    await person.http.mutation(api.conversations.resume, { conversationId: conversation._id })
    await greenApi.waitForSent(customer(), 2)
  })

  it('a message from the phone to a contact who never wrote stays out of the inbox', async () => {
    greenApi.phoneSays(instance.idInstance, customer(), 'Happy birthday, mother')
    await untilTaken()
    expect(await listConversations()).not.toContainEqual(expect.objectContaining({ customer: null }))
    expect((await listConversations()).map(({ lastMessage }) => lastMessage?.text)).not.toContain(
      'Happy birthday, mother',
    )
  })

  it('a restricted account sends nothing; waiting messages are sent once when it recovers', async () => {
    greenApi.setState(instance.idInstance, 'yellowCard')
    expect(await untilState('yellowCard')).toMatchObject({ status: 'pending' })
    greenApi.customerSays(instance.idInstance, customer(), 'Are you there?')
    await untilTaken()
    await app.settle()
    expect(await deliveries()).toEqual(['queued'])
    expect(greenApi.sentTo(customer())).toEqual([])
    expect(instance.held).toEqual([])
    // A notification from before the restriction, which has waited in the provider's queue.
    const { instanceData } = greenApi.textMessage(instance.idInstance, customer(), '')
    const timestamp = Math.floor(Date.now() / 1000) - 600
    const stale = { typeWebhook: 'stateInstanceChanged', instanceData, timestamp, stateInstance: 'authorized' }
    greenApi.notify(instance.idInstance, stale)
    await untilTaken()
    await app.settle()
    expect(await deliveries()).toEqual(['queued'])
    greenApi.setState(instance.idInstance, 'authorized')
    await greenApi.waitForSent(customer())
    await app.settle()
    expect(greenApi.sentTo(customer())).toHaveLength(1)
    expect(await deliveries()).toEqual(['sent'])
  })

  it('messages that have waited for more than a day are not sent when the account recovers; operators can send them, even before that', async () => {
    await nextSecond()
    greenApi.setState(instance.idInstance, 'yellowCard')
    await untilState('yellowCard')
    greenApi.customerSays(instance.idInstance, customer(), 'Are you there?')
    await untilTaken()
    await app.settle()
    const { _id: conversationId } = await findConversation()
    const daysPass = () =>
      app.database.root
        .updateTable('outbox')
        .set({ created_at: new Date(0), updated_at: new Date(Date.now() - 25 * 3_600_000) })
        .where('conversation_id', '=', conversationId)
        .execute()
    await daysPass()
    greenApi.customerSays(instance.idInstance, customer(), 'Hello?')
    await untilTaken()
    await app.settle()
    greenApi.setState(instance.idInstance, 'authorized')
    await greenApi.waitForSent(customer())
    await app.settle()
    expect(await deliveries()).toEqual(['sent', 'failed'])
    const [late] = (await listMessages()).flatMap((message) => message.deliveries).filter(({ error }) => error)
    if (!late) throw new Error('There is nothing to send again')
    expect(late).toMatchObject({ status: 'failed', error: 'too_late' })

    // Requested explicitly, since this is within the second of the last change.
    const refresh = () => person.http.action(api.channels.whatsapp.refresh, { connectionId: connection._id })
    greenApi.setState(instance.idInstance, 'yellowCard')
    expect((await refresh()).accountState).toBe('yellowCard')
    await person.http.mutation(api.conversations.resend, { outboxId: late._id })
    await app.settle()
    greenApi.setState(instance.idInstance, 'authorized')
    expect((await refresh()).accountState).toBe('authorized')
    await greenApi.waitForSent(customer(), 2)
  })

  it('the state is polled when the provider does not report a change', async () => {
    instance.settings.stateWebhook = 'no'
    greenApi.setState(instance.idInstance, 'blocked')
    await lookAtAccounts()
    await untilState('blocked')
    greenApi.setState(instance.idInstance, 'authorized')
    await lookAtAccounts()
    await untilState('authorized')
    instance.settings.stateWebhook = 'yes'
  })

  it('a message that the provider gives up on is shown as failed, with the reason', async () => {
    greenApi.customerSays(instance.idInstance, customer(), 'Hello')
    const [answer] = await greenApi.waitForSent(customer())
    await app.settle()
    greenApi.reportStatus(answer?.idMessage ?? '', 'noAccount')
    await untilTaken()
    const [message] = await listMessages()
    expect(message?.deliveries).toMatchObject([{ status: 'failed', error: 'undelivered: noAccount' }])
  })

  it('messages that the provider accepted before the restriction are dropped on demand, and can be sent again', async () => {
    greenApi.customerSays(instance.idInstance, customer(), 'Hello')
    await greenApi.waitForSent(customer())
    await app.settle()
    // The account was restricted before we knew: the provider accepts the next answer, and queues it.
    instance.state = 'yellowCard'
    greenApi.customerSays(instance.idInstance, customer(), 'And now?')
    await greenApi.waitFor(() => instance.held.length > 0, 'the provider to keep the answer')
    await app.settle()
    const args = { connectionId: connection._id }
    expect(await person.http.action(api.channels.whatsapp.clearQueue, args)).toEqual({ dropped: 1 })
    expect(instance.held).toEqual([])
    expect((await deliveries())[0]).toBe('failed')
    instance.state = 'authorized'
    await person.http.action(api.channels.whatsapp.refresh, args)
    const [delivery] = (await listMessages()).flatMap((message) => message.deliveries)
    if (!delivery) throw new Error('There is nothing to send again')
    await person.http.mutation(api.conversations.resend, { outboxId: delivery._id })
    await greenApi.waitForSent(customer(), 2)
    await app.settle()
    expect(greenApi.sentTo(customer())).toHaveLength(2)
  })

  /** Runs the job of each minute. */
  async function lookAtAccounts(): Promise<void> {
    await app.database.system('test: look at accounts', (db) => app.services.jobs.send(db, checkAccounts, {}))
    await app.settle()
  }

  it.runIf(delivery === 'webhook')('switches to polling and back, and loses nothing', async () => {
    const chosen = (way: 'webhook' | 'polling') =>
      person.http.action(api.channels.whatsapp.setDelivery, { connectionId: connection._id, delivery: way })
    expect(await chosen('polling')).toMatchObject({ delivery: 'polling' })
    expect(instance.settings.webhookUrl).toBe('')
    // The switch restarts the instance, whose notification may cross with our look at it: the job of each minute corrects that.
    await greenApi.waitFor(() => instance.state === 'authorized', 'the instance')
    greenApi.customerSays(instance.idInstance, customer(), 'Hello')
    await lookAtAccounts()
    await greenApi.waitForSent(customer())
    expect(await chosen('webhook')).toMatchObject({ delivery: 'webhook' })
    expect(instance.settings.webhookUrl).not.toBe('')
    await greenApi.waitFor(() => instance.state === 'authorized', 'the instance')
    greenApi.customerSays(instance.idInstance, customer(), 'Still there?')
    await lookAtAccounts()
    await greenApi.waitForSent(customer(), 2)
    await app.settle()
    expect(greenApi.sentTo(customer())).toHaveLength(2)
    expect(instance.settings.webhookUrl).not.toBe('')
  })

  it('200 unparsable notifications do not delay a valid one', async () => {
    for (let index = 0; index < 200; index++) {
      greenApi.notify(instance.idInstance, {
        typeWebhook: ['telepathyReceived', 'incomingMessageReceived'][index % 2] ?? '',
        index,
      })
    }
    greenApi.customerSays(instance.idInstance, customer(), 'Hello')
    await greenApi.waitForSent(customer(), 1, 60_000)
    const kept = await app.database.system('test: look', (db) =>
      db
        .selectFrom('inbound_events')
        .where('connection_id', '=', connection._id)
        .where('status', '=', 'quarantined')
        .select('id')
        .execute(),
    )
    expect(kept).toHaveLength(200)
  })

  it.runIf(delivery === 'webhook')('a request without the token, or for another instance, is rejected', async () => {
    const local = greenApi.reachable(instance)
    const body = greenApi.textMessage(instance.idInstance, customer(), 'Let me in')
    for (const token of ['', 'wrong']) expect(await postNotification({ ...local, token }, body)).toBe(false)
    const other = greenApi.addInstance()
    const foreign = greenApi.textMessage(other.idInstance, customer(), 'Let me in')
    expect(await postNotification(local, foreign)).toBe(true)
    await app.settle()
    expect(greenApi.sentTo(customer())).toEqual([])
    expect(await postNotification(local, body)).toBe(true)
    await greenApi.waitForSent(customer())
  })

  it('a deleted instance is no longer polled or used', async () => {
    await person.http.action(api.channels.whatsapp.disconnect, { connectionId: connection._id })
    expect(instance.settings).toMatchObject({ webhookUrl: '', incomingWebhook: 'no', stateWebhook: 'no' })
    expect(await person.http.query(api.channelConnections.list, {})).toEqual([])
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Another' })
    const { idInstance, apiToken } = instance
    await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  })

  async function upload(name: string, body: Uint8Array<ArrayBuffer>): Promise<string> {
    const headers = { authorization: `Bearer ${await person.token()}` }
    const answer = await fetch(`${app.url}/api/files/uploads?name=${name}`, { method: 'POST', headers, body })
    return ((await answer.json()) as { ticket: string }).ticket
  }

  /** Resolves when the server has acknowledged every notification. */
  const untilTaken = () => greenApi.waitFor(() => instance.queue.length === 0, 'the notifications to be taken')

  /** The provider timestamps changes by the second: one back and forth within a second counts as a duplicate, until the look of every minute. */
  const nextSecond = () => sleep(1000 - (Date.now() % 1000))

  async function untilState(state: ChannelConnection['accountState']): Promise<ChannelConnection> {
    const { promise, resolve } = Promise.withResolvers<ChannelConnection>()
    const stop = person.live().onUpdate(api.channelConnections.list, {}, (connections) => {
      const found = connections.find(({ _id }) => _id === connection._id)
      if (found?.accountState === state) resolve(found)
    })
    const found = await promise
    stop()
    return found
  }

  async function listConversations(): Promise<Conversation[]> {
    return (await person.http.query(api.conversations.list, PAGE)).page
  }

  /** The newest: of the customer who wrote last. */
  async function findConversation(): Promise<Conversation> {
    const [conversation] = await listConversations()
    if (!conversation) throw new Error('There is no conversation')
    return conversation
  }

  async function listMessages(): Promise<Message[]> {
    const { _id: conversationId } = await findConversation()
    return (await person.http.query(api.conversations.messages, { conversationId, ...PAGE })).page
  }

  async function deliveries(): Promise<string[]> {
    return (await listMessages()).flatMap((message) => message.deliveries.map(({ status }) => status))
  }
})
