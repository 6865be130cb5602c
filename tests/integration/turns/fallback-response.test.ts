// What an agent does when no model has answered: the fallback of its settings, once, and never while a person has the conversation.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pause } from '#server/domain/messaging/conversations/conversation-state.store.ts'
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import { AppError } from '#shared/errors.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

const { handoff } = agentSettings.parse({ model: 'test/echo' })
let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let chat = 60_000

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
  chat++
  world.requests.length = 0
  world.model = () => {
    throw new AppError('model_failed', { reason: 'quota' })
  }
})

const agentWith = (fallback: Partial<AgentSettings['fallback']>, more: Partial<AgentSettings> = {}) =>
  world.addBot('webhook', { fallback: { models: [], last: 'silent', text: '', ...fallback }, ...more })

async function says(bot: Bot, text: string): Promise<void> {
  telegram.customerSays(bot.token, chat, text)
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  await world.pipeline.settle()
}

const heard = () => telegram.sentTo(chat).map((sent) => sent.text)
const shown = async () =>
  (await world.messages(chat)).map(({ author, status, reason, text }) => ({ author, status, reason, text }))

describe('an agent that no model answers for', () => {
  it('is silent by default, and the conversation shows why', async () => {
    await says(await agentWith({ text: 'never said' }), 'Hello?')
    expect(heard()).toEqual([])
    expect(await shown()).toMatchObject([{}, { author: 'agent', status: 'failed', reason: 'quota' }])
  })

  it('sends its text once for each question, and answers all of them when it can again', async () => {
    const bot = await agentWith({ last: 'text', text: 'One moment, please.' })
    await says(bot, 'Hello?')
    await says(bot, 'Anybody?')
    expect(heard()).toEqual(['One moment, please.', 'One moment, please.'])
    expect(await shown()).toMatchObject([
      { text: 'Hello?' },
      { author: 'agent', status: 'complete', text: 'One moment, please.' },
      { author: 'system', reason: 'quota' },
      { text: 'Anybody?' },
      {},
      {},
    ])
    world.model = echo
    await says(bot, 'Still here?')
    expect(heard().at(-1)).toBe('You said: Hello?\n\nAnybody?\n\nStill here?')
  })

  it('calls a person, and notifies the customer', async () => {
    const bot = await agentWith({ last: 'handoff', text: 'A colleague will answer.' })
    await says(bot, 'Hello?')
    expect(heard()).toEqual(['A colleague will answer.'])
    expect(await world.conversation(chat)).toMatchObject({
      status: 'paused',
      pause_reason: 'model_failure',
      needs_person: true,
    })
    await says(bot, 'Thanks')
    expect(heard()).toHaveLength(1)
  })

  it('resumes after the time of its handoffs, with the handoff text when it has none of its own', async () => {
    const settings = { handoff: { ...handoff, text: 'Somebody will come.', autoResumeMs: 3_600_000 } }
    await says(await agentWith({ last: 'handoff' }, settings), 'Hello?')
    expect(heard()).toEqual(['Somebody will come.'])
    expect((await world.conversation(chat)).resume_at).not.toBeNull()
  })

  it('sends nothing once a person has taken over', async () => {
    const bot = await agentWith({ last: 'text', text: 'never said' })
    const asked = Promise.withResolvers<void>()
    const paused = Promise.withResolvers<void>()
    world.model = async () => {
      asked.resolve()
      await paused.promise
      throw new AppError('model_failed', { reason: 'quota' })
    }
    telegram.customerSays(bot.token, chat, 'Hello?')
    await asked.promise
    const { id, organizationId } = await world.conversation(chat)
    await test.database.organization(organizationId, (db) =>
      pause({ db, organizationId }, [{ id, reason: 'operator' }]),
    )
    paused.resolve()
    await world.pipeline.settle()
    expect(heard()).toEqual([])
    expect(await world.turns(chat)).toMatchObject([{ status: 'done', outcome: 'unwanted' }])
  })

  it('calls all of its models before it retries or gives up, each once per try', async () => {
    const bot = await agentWith({ models: ['test/second', 'test/third', 'test/echo'], last: 'text', text: 'Sorry.' })
    await says(bot, 'Hello?')
    expect(world.requests.map(({ model }) => model)).toEqual(['test/echo', 'test/second', 'test/third'])
    expect(await world.turns(chat)).toMatchObject([
      { status: 'failed', outcome: 'quota', attempts: [{ reason: 'quota', models: [{}, {}, {}] }] },
    ])
    expect((await world.usage(bot, chat)).filter(({ category }) => category === 'agent_response')).toHaveLength(3)
  })

  it('gives a fallback model the time that the first has left', async () => {
    const limits: (number | undefined)[] = []
    world.model = (request) => {
      limits.push(request.limits?.totalMs)
      throw new AppError('model_failed', { reason: 'quota' })
    }
    await says(await agentWith({ models: ['test/second'] }), 'Hello?')
    const [first = 0, second = 0] = limits
    expect(first).toBeLessThan(second)
    expect(second).toBeLessThanOrEqual(world.services.llm.answerMs)
  })
})

describe('the dead provider of one organization', () => {
  it('affects no other: others are answered while all of its calls hang', async () => {
    const [dead, alive] = [await world.addBot(), await world.addBot()]
    const release = Promise.withResolvers<void>()
    let hanging = 0
    world.model = async (request) => {
      if (!request.messages.at(-1)?.text.startsWith('dead')) return echo(request)
      hanging += 1
      await release.promise
      return 'late'
    }
    const first = 61_000
    for (let index = 0; index < 150; index++) telegram.customerSays(dead.token, first + index, `dead ${index}`)
    await telegram.waitFor(() => hanging >= 50, 'calls of the dead provider')
    for (let index = 0; index < 10; index++) telegram.customerSays(alive.token, first + 200 + index, 'Hello')
    for (let index = 0; index < 10; index++) {
      const [answer] = await telegram.waitForSent(first + 200 + index)
      expect(answer?.text).toBe('You said: Hello')
    }
    expect(hanging).toBeLessThan(150)
    release.resolve()
    for (let index = 0; index < 150; index++) await telegram.waitForSent(first + index)
    await world.pipeline.settle()
  })
})
