// A group of Telegram becomes a supergroup, which goes by another number: it stays one conversation.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { saysInGroup } from '#tests/fakes/telegram/telegram-scenes.ts'

const ANNA = { chatId: 9, firstName: 'Anna' }
const [FORMER, PRESENT] = [-4243, -1_000_000_004_243]
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

it('stays with the person who has taken it over, and the agent answers there once it is given back', async () => {
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const { token: botToken, username } = telegram.addBot()
  await person.http.action(api.channels.telegram.provision, { agentId, botToken })
  const says = (id: number, text: string) =>
    telegram.push(botToken, saysInGroup(telegram, botToken, { id, title: 'Guests' }, ANNA, { text }))
  says(FORMER, `@${username} hello`)
  await telegram.waitForSent(FORMER)
  const list = async () => (await person.http.query(api.conversations.list, PAGE)).page
  const [before] = await list()
  if (!before) throw new Error('there is no conversation')
  await person.http.mutation(api.conversations.pause, { conversationId: before._id })

  const message = {
    message_id: 900,
    chat: { id: FORMER, type: 'group', title: 'Guests' },
    from: { id: 9, first_name: 'Anna' },
  }
  telegram.push(botToken, telegram.update(botToken, { message: { ...message, migrate_to_chat_id: PRESENT } }))
  says(PRESENT, `@${username} still there?`)
  await telegram.waitFor(() => telegram.isQuiet(), 'the updates')
  await expect.poll(async () => (await list())[0]?.lastMessage?.text, { timeout: 20_000 }).toContain('still there?')
  await app.settle()
  expect(await list()).toMatchObject([{ _id: before._id, status: 'paused' }])
  expect(telegram.sentTo(PRESENT)).toEqual([])

  await person.http.mutation(api.conversations.resume, { conversationId: before._id })
  says(PRESENT, `@${username} and now?`)
  await telegram.waitForSent(PRESENT)
})
