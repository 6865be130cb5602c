// The question for a rating where customers may be written to only for a time after their message: it is asked within that time, or not then.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenConversation } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { makeQuestionsDue } from '#tests/conversation-parts.ts'
import { type FakeNumber, startFakeWhatsappCloud } from '#tests/fakes/whatsapp-cloud/whatsapp-cloud.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const QUESTION = 'How would you rate our help, from 1 (bad) to 5 (excellent)? Reply with one number.'
const THANKS = 'Thank you for rating us 4 out of 5! To add a few words, reply to this message.'
const anna = { phone: '77001230000', name: 'Anna' }
const cloud = await startFakeWhatsappCloud()
let app: TestApp
let person: Person
let number: FakeNumber

beforeAll(async () => {
  const config = { publicUrl: 'https://parley.example', hasPublicUrl: true }
  app = await startApp({ whatsappCloud: cloud, config, overrides: { llm: scriptedLlm(echo) } })
  cloud.webhookOrigin = () => app.url
  person = await app.signUp()
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  await person.http.mutation(api.agents.update, { id: agentId, patch: { ratings: { isOn: true } } })
  number = cloud.addNumber()
  const { phoneNumberId, accountId, accessToken, appSecret } = number
  const entered = { agentId, phoneNumberId, accountId, accessToken, appSecret }
  const { _id: connectionId } = await person.http.action(api.channels.whatsappCloud.provision, entered)
  const { callbackUrl: url, verifyToken } = await person.http.action(api.channels.whatsappCloud.webhook, {
    connectionId,
  })
  await cloud.enterWebhook(phoneNumberId, { url, verifyToken })
  await person.http.action(api.channels.whatsappCloud.check, { connectionId })
})
afterAll(async () => {
  await app.close()
  await cloud.close()
})

const heard = () => cloud.sentTo(anna.phone).map(({ text }) => text)

async function conversation(): Promise<OpenConversation> {
  const [found] = (await person.http.query(api.conversations.list, PAGE)).page
  if (!found) throw new Error('there is no conversation')
  return person.http.query(api.conversations.get, { conversationId: found._id })
}

/** The customer writes, and has received this many messages then. */
async function says(text: string, count: number): Promise<void> {
  cloud.customerSays(number.phoneNumberId, anna, text)
  await expect.poll(() => heard().length, { timeout: 10_000 }).toBe(count)
  await app.settle()
}

async function end(): Promise<void> {
  const { _id: conversationId } = await conversation()
  await person.http.mutation(api.conversations.end, { conversationId })
  expect((await makeQuestionsDue.execute(app.database.root)).numAffectedRows).toBe(1n)
  const isPlanned = sql<{ at: Date | null }>`select ask_at as at from conversation_ratings`
  await expect
    .poll(async () => (await isPlanned.execute(app.database.root)).rows, { timeout: 10_000 })
    .toEqual([{ at: null }])
  await app.settle()
}

it('is not asked a day after the customer wrote, which raises no alert, but at the next end within the window', async () => {
  await says('Do you deliver?', 1)
  cloud.lapse(number.phoneNumberId, anna.phone)
  await sql`update messages set created_at = created_at - interval '25 hours' where author = 'customer'`.execute(
    app.database.root,
  )
  await end()
  expect(heard()).toHaveLength(1)
  expect(await person.http.query(api.alerts.list, {})).toEqual([])
  await says('And on Sundays?', 2)
  await end()
  expect(heard()[2]).toBe(QUESTION)
  await says('4', 4)
  expect(heard()[3]).toBe(THANKS)
  expect(await conversation()).toMatchObject({ status: 'ended', rating: { score: 4 } })
})
