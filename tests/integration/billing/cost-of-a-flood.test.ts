// One visitor who tries to cost as much as possible: the limits of a flood and of endless tool calls.
// That concurrent turns never exceed the allowance is tested in allowance-races.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { AppError } from '#shared/errors.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

const LIMIT = 20
/** Four aborted answers of one wait, the final one, and the next, which may have begun. */
const CALLS_AT_MOST = 6
const ENOUGH = 'Enough for today.'
/** Messages of one visitor: more by hand, `FLOOD=10000`. */
const FLOOD = Number(process.env.FLOOD ?? 300)
/** Far longer than the flood takes, for a busy machine. */
const FLOOD_LIMIT_MS = 120_000 + FLOOD * 60

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let chat = 81_000

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
beforeEach(() => {
  world.model = echo
  world.requests.length = 0
  chat++
})

const limited = (customerDailyLimit: number): Partial<AgentSettings> => ({
  spam: { agentDailyLimit: null, customerDailyLimit, warningPercent: 80, text: ENOUGH },
})
const heard = () => telegram.sentTo(chat).map(({ text }) => text)
const lines = async () =>
  (await world.messages(chat)).flatMap(({ author, reason }) => (author === 'system' ? [reason] : []))

async function says(bot: Bot, text: string): Promise<void> {
  telegram.customerSays(bot.token, chat, text)
  await quiet()
}

async function quiet(): Promise<void> {
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook', FLOOD_LIMIT_MS)
  await world.pipeline.settle()
}

describe('one visitor', () => {
  it('who writes thousands of messages is answered up to the limit; then no model is called any more', {
    timeout: 2 * FLOOD_LIMIT_MS,
  }, async () => {
    const bot = await world.addBot('webhook', limited(LIMIT))
    world.model = () => 'Yes.'
    let sentCount = 0
    const say = () => telegram.customerSays(bot.token, chat, `message ${++sentCount}`)
    while (heard().filter((text) => text !== ENOUGH).length < LIMIT) {
      say()
      await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
    }
    await quiet()
    const asked = world.requests.length
    while (sentCount < FLOOD) say()
    await quiet()
    expect(world.requests).toHaveLength(asked)
    expect(heard().filter((text) => text !== ENOUGH)).toHaveLength(LIMIT)
    expect(heard().filter((text) => text === ENOUGH)).toHaveLength(1)
    expect((await lines()).filter((reason) => reason === 'customer_limit_near')).toHaveLength(1)
    expect((await world.usage(bot)).filter(({ messages }) => messages > 0)).toHaveLength(LIMIT + 1) // and the notice
    const kept = (await world.messages(chat)).filter(({ author }) => author === 'customer')
    expect(kept).toHaveLength(FLOOD)
  })

  it('whose questions lead the model into endless tool calls uses up the limit with them', async () => {
    const bot = await world.addBot('webhook', { ...limited(5), fallback: { models: [], last: 'text', text: 'Sorry.' } })
    world.model = () => {
      throw new AppError('model_failed', { reason: 'bad_answer_for_good' })
    }
    for (let message = 1; message <= 5; message++) await says(bot, `loop ${message}`)
    const asked = world.requests.length
    expect(asked).toBeGreaterThan(0)
    for (let message = 6; message <= 12; message++) await says(bot, `loop ${message}`)
    expect(world.requests).toHaveLength(asked)
    expect(heard()).toEqual([...Array.from({ length: 5 }, () => 'Sorry.'), ENOUGH])
  })

  it('who keeps writing while an answer is generated costs a few aborted calls, not one per message', async () => {
    const bot = await world.addBot('webhook', limited(LIMIT))
    world.model = async (request) => {
      await new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, 1500)
        request.signal.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(request.signal.reason)
        })
      })
      return echo(request)
    }
    while (heard().length === 0) {
      telegram.customerSays(bot.token, chat, 'and another thing')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(world.requests.length).toBeLessThanOrEqual(CALLS_AT_MOST)
    await quiet()
  })
})
