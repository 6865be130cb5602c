// What members see of an answer that cannot be sent until its connection is repaired.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

const CUSTOMER = 4711
const PAGE = { paginationOpts: { numItems: 9, cursor: null } }

let telegram: FakeTelegram
let app: TestApp
let person: Person
beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram })
  person = await app.signUp()
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})

it('names the connection while its token is refused, and nothing once the answer was sent', async () => {
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const { token: botToken } = telegram.addBot()
  const { _id: connectionId } = await person.http.action(api.channels.telegram.provision, { agentId, botToken })
  telegram.customerSays(botToken, CUSTOMER, 'hello')
  await telegram.waitForSent(CUSTOMER)
  const [conversation] = (await person.http.query(api.conversations.list, PAGE)).page
  if (!conversation) throw new Error('there is no conversation')
  const { _id: conversationId } = conversation
  const partOf = async (text: string) => {
    const { page } = await person.http.query(api.conversations.messages, { conversationId, ...PAGE })
    return page.find((message) => message.text === text)?.deliveries[0]
  }

  const renewed = telegram.renewToken(botToken)
  await person.http.mutation(api.conversations.reply, { conversationId, text: 'I am here' })
  const connection = { _id: connectionId, channel: 'telegram' }
  const waitsFor = { why: 'refused', detail: expect.stringMatching(/^401/), connection }
  await expect.poll(() => partOf('I am here'), { timeout: 20_000 }).toMatchObject({ status: 'queued', waitsFor })

  await person.http.action(api.channels.telegram.rotate, { connectionId, botToken: renewed.token })
  await telegram.waitForSent(CUSTOMER, 2)
  await expect.poll(async () => (await partOf('I am here'))?.status, { timeout: 20_000 }).toBe('sent')
  expect(await partOf('I am here')).not.toHaveProperty('waitsFor')
})
