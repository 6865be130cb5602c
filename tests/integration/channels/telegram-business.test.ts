// A business account of Telegram whose owner removes the bot, or its right to answer, and connects it again under another id.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { saysToBusiness, setsUpBusiness } from '#tests/fakes/telegram/telegram-scenes.ts'

const CUSTOMER = 771
const OWNER = { ownerId: 50, ownerName: 'Vera' }
const [BEFORE, AFTER] = [
  { ...OWNER, id: 'first-1' },
  { ...OWNER, id: 'second_2' },
]
const PAGE = { paginationOpts: { numItems: 9, cursor: null } }

let telegram: FakeTelegram
let app: TestApp
let person: Person
let botToken: string
beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram })
})
beforeEach(async () => {
  telegram.sent = []
  person = await app.signUp()
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  botToken = telegram.addBot().token
  await person.http.action(api.channels.telegram.provision, { agentId, botToken })
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})

const sets = (business: typeof BEFORE, how = {}) =>
  telegram.push(botToken, setsUpBusiness(telegram, botToken, business, how))
const says = ({ id }: { id: string }, text: string) => {
  const chat = { customerId: CUSTOMER, by: 'customer' } as const
  telegram.push(botToken, saysToBusiness(telegram, botToken, { id, ownerId: OWNER.ownerId }, chat, text))
}
const list = async () => (await person.http.query(api.conversations.list, PAGE)).page
const businesses = async () => (await person.http.query(api.channelConnections.list, {}))[0]?.businesses
const only = async () => {
  const [conversation, ...more] = await list()
  if (!conversation || more.length > 0) throw new Error('there is not one conversation')
  return conversation
}
const partsOf = async (text: string) => {
  const conversation = await only()
  const { page } = await person.http.query(api.conversations.messages, { conversationId: conversation._id, ...PAGE })
  return page.find((message) => message.text === text)?.deliveries
}

it('continues the conversation when the bot is connected again: its operator keeps it, and answers are sent under the new id', async () => {
  sets(BEFORE)
  says(BEFORE, 'hello')
  await telegram.waitForSent(CUSTOMER)
  const { _id: conversationId } = await only()
  await person.http.mutation(api.conversations.pause, { conversationId })

  sets(BEFORE, { isEnabled: false })
  sets(AFTER)
  await expect.poll(businesses).toMatchObject([{ linkId: AFTER.id, isOn: true, mayReply: true }])
  says(AFTER, 'still there?')
  await expect.poll(async () => (await list()).map(({ lastMessage }) => lastMessage?.text)).toEqual(['still there?'])
  await app.settle()
  expect(await only()).toMatchObject({ _id: conversationId, status: 'paused' })

  await person.http.mutation(api.conversations.reply, { conversationId, text: 'I am here' })
  await telegram.waitForSent(CUSTOMER, 2)
  await person.http.mutation(api.conversations.resume, { conversationId })
  says(AFTER, 'and now?')
  const sent = await telegram.waitForSent(CUSTOMER, 3)
  expect(sent.map(({ businessConnectionId: id }) => id)).toEqual([BEFORE.id, AFTER.id, AFTER.id])
})

it('reports that the owner’s settings block an answer, until it is sent again under the new id', async () => {
  sets(BEFORE)
  says(BEFORE, 'hello')
  await telegram.waitForSent(CUSTOMER)
  sets(BEFORE, { isEnabled: false })
  await expect.poll(businesses).toMatchObject([{ ownerName: 'Vera', isOn: false, mayReply: false }])
  const { _id: conversationId } = await only()
  await person.http.mutation(api.conversations.reply, { conversationId, text: 'Ready' })
  const failed = { status: 'failed', error: expect.stringMatching(/^permanent: business: 400/) }
  await expect.poll(() => partsOf('Ready'), { timeout: 20_000 }).toMatchObject([failed])

  sets(AFTER)
  await expect.poll(businesses).toMatchObject([{ linkId: AFTER.id, isOn: true }])
  const [part] = (await partsOf('Ready')) ?? []
  if (!part) throw new Error('there is no part')
  await person.http.mutation(api.conversations.resend, { outboxId: part._id })
  const [, sent] = await telegram.waitForSent(CUSTOMER, 2)
  expect(sent).toMatchObject({ text: 'Ready', businessConnectionId: AFTER.id })
})

it('reports that the right to answer was removed, and that it is back', async () => {
  sets(BEFORE)
  await expect.poll(businesses).toMatchObject([{ isOn: true, mayReply: true }])
  sets(BEFORE, { canReply: false })
  await expect.poll(businesses).toMatchObject([{ isOn: true, mayReply: false }])
  sets(BEFORE)
  await expect.poll(businesses).toMatchObject([{ isOn: true, mayReply: true }])
})

it('keeps accounts of other owners apart, and ignores late events of an abandoned id', async () => {
  sets(BEFORE)
  const other = { id: 'other', ownerId: 51, ownerName: 'Oleg' }
  sets(other)
  await expect.poll(async () => (await businesses())?.length).toBe(2)
  telegram.bot(botToken).businesses.set(BEFORE.id, { ownerId: 50, date: 1, isEnabled: true, canReply: true })
  sets(AFTER)
  await expect.poll(businesses).toMatchObject([{ linkId: 'other' }, { linkId: AFTER.id }])
  sets(BEFORE, { isEnabled: false })
  await telegram.waitFor(() => telegram.isTaken(botToken), 'the update')
  expect(await businesses()).toMatchObject([
    { linkId: 'other', isOn: true },
    { linkId: AFTER.id, isOn: true },
  ])
})
