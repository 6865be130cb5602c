// The reply pipeline between a real database and the fake Telegram: stored once, answered once, in order.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 1000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  bot = await world.addBot()
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})
beforeEach(() => {
  world.model = echo
  chat++
})

describe('a message of a customer', () => {
  it('is answered', async () => {
    telegram.customerSays(bot.token, chat, 'Hello')
    const [answer] = await telegram.waitForSent(chat)
    expect(answer?.text).toBe('You said: Hello')
  })
})
