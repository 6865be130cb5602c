// After a week without messages, Telegram restarts its update ids anywhere: customers are answered all the same.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { quietWeek } from '#tests/fakes/telegram/telegram-scenes.ts'
import { PipelineWorld } from '#tests/pipeline-world.ts'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let chat = 6000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})

it.each(['polling', 'webhook'] as const)('with %s', async (delivery) => {
  const { token } = await world.addBot(delivery)
  const says = async (...texts: string[]) => {
    for (const text of texts) telegram.customerSays(token, chat, text)
    await telegram.waitFor(() => telegram.isTaken(token), 'the messages to be taken')
    await world.pipeline.settle()
  }
  chat++
  quietWeek(telegram, token, 900_000_000)
  await says('One')
  quietWeek(telegram, token, 1000)
  await says('Two', 'Three')
  quietWeek(telegram, token, 500_000_000)
  await says('Four')
  const fromCustomer = (await world.messages(chat))
    .filter(({ author }) => author === 'customer')
    .map(({ text }) => text)
  expect(fromCustomer).toEqual(['One', 'Two', 'Three', 'Four'])
})
