// Rows that another transaction holds for longer than the database waits: callers learn that a retry may succeed, and nothing is lost.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

const CUSTOMER = 4711
const PAGE = { paginationOpts: { numItems: 9, cursor: null } }

let test: TestDatabase
let telegram: FakeTelegram
let app: TestApp
let person: Person
let holder: pg.Client
beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  app = await startApp({
    database: test,
    telegram,
    config: { publicUrl: 'https://parley.example', hasPublicUrl: true },
  })
  telegram.webhookOrigin = () => app.url
  person = await app.signUp()
  holder = new pg.Client(test.url)
  await holder.connect()
})
afterAll(async () => {
  await holder.end()
  await app.close()
  await telegram.close()
  await test.close()
})

it('a webhook answers 503 with Retry-After, a function with its code, and the message is answered once it is posted again', async () => {
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const { token: botToken } = telegram.addBot()
  await person.http.action(api.channels.telegram.provision, { agentId, botToken })
  telegram.customerSays(botToken, CUSTOMER, 'hello')
  await telegram.waitForSent(CUSTOMER)
  const [conversation] = (await person.http.query(api.conversations.list, PAGE)).page
  if (!conversation) throw new Error('there is no conversation')

  const { url, secret } = telegram.bot(botToken).webhook ?? { url: '', secret: '' }
  const chat = { id: CUSTOMER, type: 'private' }
  const message = { message_id: 900, date: 1_790_000_000, chat, from: { id: CUSTOMER, first_name: 'Anna' } }
  const post = () =>
    fetch(app.url + new URL(url).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      body: JSON.stringify({ update_id: 900, message: { ...message, text: 'are you there?' } }),
    })

  await holder.query('begin')
  await holder.query('select from conversations where id = $1 for update', [conversation._id])
  const reply = { conversationId: conversation._id, text: 'I am here' }
  const [refused, written] = await Promise.all([
    post(),
    person.http.mutation(api.conversations.reply, reply).then(
      () => null,
      (error: unknown) => error,
    ),
  ])
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    503,
    '1',
    { code: 'conflict' },
  ])
  expect(written).toMatchObject({ data: { code: 'conflict' } })
  await holder.query('rollback')

  expect((await post()).status).toBe(200)
  await telegram.waitForSent(CUSTOMER, 2)
})
