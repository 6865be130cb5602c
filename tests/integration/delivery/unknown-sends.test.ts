// Sends of unknown outcome through the whole server: a provider that can be asked is asked for their outcome.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { unknownSendsJob } from '#server/domain/messaging/delivery/unknown-sends.job.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeGreenApi, type FakeInstance, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
let greenApi: FakeGreenApi
let app: TestApp
let person: Person
let instance: FakeInstance
let phone = 77_001_000_000
/** Polls the state of the account. */
let refresh: () => Promise<unknown>

beforeAll(async () => {
  greenApi = await startFakeGreenApi({ secondMs: 300, restartSeconds: 0.2 })
  app = await startApp({ greenApi, config: { publicUrl: 'https://parley.example', hasPublicUrl: true } })
  greenApi.webhookOrigin = () => app.url
  person = await app.signUp()
  instance = greenApi.addInstance()
  const { idInstance, apiToken } = instance
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const connection = await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  refresh = () => person.http.action(api.channels.whatsapp.refresh, { connectionId: connection._id })
  await greenApi.waitFor(() => instance.state === 'authorized', 'the instance')
  await app.settle()
})
afterAll(async () => {
  await app.close()
  await greenApi.close()
})
beforeEach(() => {
  phone++
  instance.state = 'authorized'
  Object.assign(greenApi.faults, { answersToDrop: 0, isLogLate: false, refusals: { count: 0, status: 500 } })
})

const customer = () => String(phone)
const part = async () => (await newest())?.deliveries[0]

/** Runs the job of each minute. */
async function ask(): Promise<void> {
  await app.database.system('test: ask', (db) => app.services.jobs.send(db, unknownSendsJob, {}))
  await app.settle()
}

async function conversationId() {
  const { page } = await person.http.query(api.conversations.list, PAGE)
  const found = page.find(({ customer: each }) => each?.name === customer())
  if (!found) throw new Error('There is no conversation')
  return found._id
}

async function listMessages(): Promise<Message[]> {
  const args = { conversationId: await conversationId(), ...PAGE }
  return (await person.http.query(api.conversations.messages, args)).page
}

const newest = async () => (await listMessages())[0]
/** Parts, the newest first. */
const all = async () => (await listMessages()).flatMap(({ deliveries }) => deliveries)

function say(text: string): void {
  greenApi.customerSays(instance.idInstance, { phone: customer(), name: customer() }, text)
}

/** Answers the customer without a known outcome. Another customer comes first, since a provider that only fails is backed off from. */
async function answerUnnoticed(): Promise<string> {
  const other = `${customer()}9`
  greenApi.customerSays(instance.idInstance, { phone: other, name: other }, 'Hello')
  await greenApi.waitForSent(other)
  await app.settle()
  greenApi.faults.answersToDrop = 1
  say('Hello')
  const [sent] = await greenApi.waitForSent(customer())
  await app.settle()
  expect((await part())?.status).toBe('unknown')
  return sent?.idMessage ?? ''
}

const grow = (minutes: number) =>
  app.database.root
    .updateTable('outbox')
    .set({ updated_at: new Date(Date.now() - minutes * 60_000) })
    .where('status', '=', 'unknown')
    .execute()

it('one that has arrived is recorded as sent, with the receipts that came meanwhile', async () => {
  const idMessage = await answerUnnoticed()
  greenApi.reportStatus(idMessage, 'delivered')
  await greenApi.waitFor(() => instance.queue.length === 0, 'the notification to be taken')
  await ask()
  expect(await part()).toMatchObject({ status: 'delivered', error: null })
  greenApi.reportStatus(idMessage, 'read')
  await greenApi.waitFor(() => instance.queue.length === 0, 'the notification to be taken')
  await app.settle()
  expect((await part())?.status).toBe('read')
  expect(greenApi.sentTo(customer())).toHaveLength(1)
})

it('one that waits in the provider’s queue was accepted', async () => {
  greenApi.faults.answersToDrop = 1
  instance.state = 'yellowCard'
  say('Hello')
  await greenApi.waitFor(() => instance.held.length > 0, 'the provider to keep the answer')
  await app.settle()
  expect((await part())?.status).toBe('unknown')
  await ask()
  expect((await part())?.status).toBe('sent')
})

it('a log that is late decides nothing', async () => {
  await answerUnnoticed()
  greenApi.faults.isLogLate = true
  await ask()
  expect((await part())?.status).toBe('unknown')
  expect((await part())?.error).not.toBe('not_taken')
  greenApi.faults.isLogLate = false
  await ask()
  expect((await part())?.status).toBe('sent')
})

it('one that left the queue just before the first lookup is found when the log has it', async () => {
  greenApi.faults.answersToDrop = 1
  instance.state = 'yellowCard'
  say('Hello')
  await greenApi.waitFor(() => instance.held.length > 0, 'the provider to keep the answer')
  await app.settle()
  await grow(4) // the provider could not be asked for this long
  greenApi.faults.isLogLate = true
  greenApi.setState(instance.idInstance, 'authorized')
  await ask()
  expect((await part())?.error).not.toBe('not_taken')
  greenApi.faults.isLogLate = false
  await ask()
  expect((await part())?.status).toBe('sent')
})

it('one is not taken for another with the same text that is being sent', async () => {
  await answerUnnoticed()
  const args = { conversationId: await conversationId(), text: greenApi.sentTo(customer())[0]?.text ?? '' }
  instance.state = 'yellowCard'
  await refresh()
  await person.http.mutation(api.conversations.reply, args)
  await app.settle()
  const unknown = async () => (await all()).map(({ status }) => status)
  expect(await unknown()).toEqual(['queued', 'unknown'])
  await ask()
  expect(await unknown()).toEqual(['queued', 'unknown'])
  instance.state = 'authorized'
  await refresh()
  await greenApi.waitForSent(customer(), 2)
  await app.settle()
  await ask()
  expect(await unknown()).toEqual(['sent', 'sent'])
})

it('one that the provider does not know stays unknown with that reason, is not looked up any more, and can be sent again', async () => {
  greenApi.faults.refusals = { count: 1, status: 500 }
  const { length: calls } = greenApi.calls
  say('Hello')
  await greenApi.waitFor(() => greenApi.calls.slice(calls).some(({ method }) => method === 'sendMessage'), 'a send')
  await app.settle()
  await ask()
  await grow(4)
  await ask()
  const found = await part()
  expect(found).toMatchObject({ status: 'unknown', error: 'not_taken' })
  const asked = () => greenApi.calls.filter(({ method }) => method === 'lastOutgoingMessages').length
  const before = asked()
  await ask()
  expect(asked()).toBe(before)
  if (found) await person.http.mutation(api.conversations.resend, { outboxId: found._id })
  await greenApi.waitForSent(customer())
  await app.settle()
  expect(await part()).toMatchObject({ status: 'sent', error: null })
})

it('an equal text that belongs to another message proves nothing', async () => {
  say('Hello')
  await greenApi.waitForSent(customer())
  await app.settle()
  const args = { conversationId: await conversationId(), text: 'At nine.' }
  await person.http.mutation(api.conversations.reply, args)
  await greenApi.waitForSent(customer(), 2)
  greenApi.faults.refusals = { count: 1, status: 500 }
  await person.http.mutation(api.conversations.reply, args)
  await app.settle()
  await ask()
  expect((await part())?.status).toBe('unknown')
})
