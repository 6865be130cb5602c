// Answers in Markdown through the whole server: customers read what their channel can show, the team what the agent wrote, and
// echoes of sent messages are recognized.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unknownSendsJob } from '#server/domain/messaging/delivery/unknown-sends.job.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeGreenApi, type FakeInstance, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { type FakeAccount, NO_INSTAGRAM_FAULTS, startFakeInstagram } from '#tests/fakes/instagram/instagram.ts'
import { scriptedLlm } from '#tests/pipeline-world.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const ANSWER =
  '# Delivery\n\n**Bold** and [site](https://a.example/x)\n\n- one\n- two\n\n| A | B |\n|---|---|\n| 1 | 2 |'
const BY_WHATSAPP = '*Delivery*\n\n*Bold* and site: https://a.example/x\n\n• one\n• two\n\nA: 1 · B: 2'
const PLAIN = 'Delivery\n\nBold and site: https://a.example/x\n\n• one\n• two\n\nA: 1 · B: 2'

const instagram = await startFakeInstagram()
let answer = ANSWER
let greenApi: FakeGreenApi
let app: TestApp
let person: Person
let agentId: Id<'agents'>
let instance: FakeInstance
let account: FakeAccount
let customers = 77_001_500_000

beforeAll(async () => {
  greenApi = await startFakeGreenApi({ secondMs: 300, restartSeconds: 0.2 })
  app = await startApp({
    greenApi,
    instagram,
    config: { publicUrl: 'https://parley.example', hasPublicUrl: true },
    overrides: { llm: scriptedLlm(() => answer) },
  })
  greenApi.webhookOrigin = () => app.url
  instagram.webhookOrigin = () => app.url
  person = await app.signUp()
  agentId = (await person.http.mutation(api.agents.create, { name: 'Helper' }))._id
  instance = greenApi.addInstance()
  const { idInstance, apiToken } = instance
  await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  account = instagram.addAccount()
  await connectInstagram()
  await greenApi.waitFor(() => instance.state === 'authorized', 'the instance')
  await app.settle()
})
afterAll(async () => {
  await app.close()
  await Promise.all([greenApi.close(), instagram.close()])
})
beforeEach(() => {
  customers++
  answer = ANSWER
  greenApi.faults.answersToDrop = 0
  instagram.faults = { ...NO_INSTAGRAM_FAULTS, refusals: [] }
})

const customer = () => String(customers)

describe('an answer by WhatsApp', () => {
  const sent = () => greenApi.sentTo(customer()).map(({ text }) => text)
  const ask = async () => {
    greenApi.customerSays(instance.idInstance, { phone: customer(), name: customer() }, 'Hello')
    await greenApi.waitForSent(customer())
    await app.settle()
  }

  it('is formatted in WhatsApp’s markup, and shown in the inbox as the agent wrote it', async () => {
    await ask()
    expect(sent()).toEqual([BY_WHATSAPP])
    expect(await newest()).toMatchObject({ text: ANSWER, deliveries: [{ status: 'sent' }] })
  })

  it('is recognized when its outcome was lost', async () => {
    greenApi.faults.answersToDrop = 1
    await ask()
    expect((await newest())?.deliveries).toMatchObject([{ status: 'unknown' }])
    await minutePasses()
    expect((await newest())?.deliveries).toMatchObject([{ status: 'sent' }])
    expect(sent()).toEqual([BY_WHATSAPP])
  })

  it('of a person is sent as typed, and is recognized too', async () => {
    await ask()
    const { _id: conversationId } = (await conversation()) ?? {}
    if (!conversationId) throw new Error('There is no conversation')
    await person.http.mutation(api.conversations.pause, { conversationId })
    greenApi.faults.answersToDrop = 1
    await person.http.mutation(api.conversations.reply, { conversationId, text: '**Nine** 2*3*4' })
    await greenApi.waitFor(() => sent().length === 2, 'the reply')
    await app.settle()
    expect(sent().at(-1)).toBe('**Nine** 2*3*4')
    await minutePasses()
    expect((await newest())?.deliveries).toMatchObject([{ status: 'sent' }])
  })
})

describe('an answer by Instagram', () => {
  const name = () => ({ id: customer(), name: customer(), username: `anna.${customer()}` })
  const sent = () => instagram.sentTo(customer()).map(({ text }) => text)

  it.each(['early', 'late'] as const)(
    'is plain text, and its echo does not count as a person’s answer: %s',
    async (echoes) => {
      instagram.faults = { ...instagram.faults, answersToDrop: 1, echoes }
      instagram.customerSays(account.userId, name(), 'Hello')
      await instagram.waitFor(() => sent().length === 1, 'the answer')
      await app.settle()
      const [{ id } = { id: '' }] = instagram.sentTo(customer())
      await instagram.waitFor(() => instagram.taken.some((text) => text.includes(id)), 'the echo')
      await app.settle()
      await minutePasses()
      expect(sent()).toEqual([PLAIN])
      expect(await newest()).toMatchObject({ text: ANSWER, deliveries: [{ status: 'sent' }] })
      expect((await conversation())?.status).toBe('active')
    },
  )

  it('is split by its sent form: no message is too long, and none contains markup', async () => {
    answer = `## Товары\n\n| Товар | Цена |\n|---|---|\n${'| **Чайник** | 4990 |\n'.repeat(60)}`
    instagram.customerSays(account.userId, name(), 'Hello')
    await instagram.waitFor(() => sent().join('\n').split('Чайник').length === 61, 'the answer')
    for (const text of sent()) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000)
      expect(text.replace('Товары', '').trim()).toMatch(/^(?:Товар: Чайник · Цена: 4990\n?)+$/)
    }
  })
})

it('is shown in the test chat as it would be sent', async () => {
  const overrides = { simulate: { channel: 'whatsapp' as const } }
  await person.http.mutation(api.testChat.send, { agentId, text: 'Hello', overrides })
  await app.settle()
  const shown = (await person.http.query(api.testChat.messages, { agentId })).at(-1)
  expect(shown).toMatchObject({ text: ANSWER, parts: [BY_WHATSAPP], shownAs: 'whatsapp' })
})

async function connectInstagram(): Promise<void> {
  const entered = { accessToken: account.accessToken, appSecret: account.app.secret }
  const given = { agentId, channel: 'instagram' as const, entered }
  const { _id: connectionId } = await person.http.action(api.channels.messengers.provision, given)
  const { callbackUrl, verifyToken } = await person.http.action(api.channels.messengers.webhook, { connectionId })
  await instagram.enterWebhook(account.userId, { url: callbackUrl, verifyToken: verifyToken ?? '' })
  await person.http.action(api.channels.messengers.check, { connectionId })
}

async function minutePasses(): Promise<void> {
  await app.database.system('test: a minute passes', (db) => app.services.jobs.send(db, unknownSendsJob, {}))
  await app.settle()
}

async function conversation() {
  const { page } = await person.http.query(api.conversations.list, PAGE)
  return page.find(({ customer: each }) => each?.name === customer())
}

async function newest() {
  const { _id: conversationId } = (await conversation()) ?? {}
  if (!conversationId) throw new Error('There is no conversation')
  return (await person.http.query(api.conversations.messages, { conversationId, ...PAGE })).page[0]
}
