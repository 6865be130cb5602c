// How an agent resumes after a handoff, by hand or by the clock: open questions are answered, a requested person is still needed, and
// no second call is made for the same message.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import { HANDOFF_SENTENCES } from '#server/domain/messaging/turns/notice-text.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { AppError } from '#shared/errors.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

const HOUR_MS = 3_600_000
const CALLED = 'A person will answer you.'
const handoff = { ...agentSettings.parse({ model: 'test/echo' }).handoff, autoResumeMs: HOUR_MS }

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
/** Notifies the customer, resumes after an hour. */
let bot: Bot
let chat = 5500

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  telegram.webhookOrigin = () => world.url
  const operator = { stop: [], resume: ['бот, продолжай'] }
  bot = await world.addBot('webhook', { handoff: { ...handoff, text: CALLED, operator } })
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

async function says(text: string, by: Bot = bot): Promise<void> {
  telegram.customerSays(by.token, chat, text)
  await telegram.waitFor(() => telegram.isTaken(by.token), 'the message to be taken')
  await world.pipeline.settle()
}

/** Messages that the customer has received. */
function sent(): string[] {
  return telegram.sentTo(chat).map((message) => message.text)
}

/** An operator's action on the conversation. */
async function call(mutation: unknown, args: Record<string, unknown> = {}): Promise<void> {
  const { id, organizationId } = await world.conversation(chat)
  await world.call(organizationId, mutation, { conversationId: id, ...args })
  await world.pipeline.settle()
}

const resume = () => call(conversations.resume)
const operatorSays = (text: string) => call(conversations.reply, { text })

/** Ends the pause by the clock. */
async function letPauseEnd(): Promise<void> {
  const { id } = await world.conversation(chat)
  await test.database.system('test: let time pass', (db) =>
    db.updateTable('conversations').set({ resume_at: new Date() }).where('id', '=', id).execute(),
  )
  await world.pipeline.settle()
}

describe('an agent that resumes without a message of a person', () => {
  it('is prompted with its handoff and the reason, and may call a person again only for a new reason', async () => {
    const tools = () => world.requests.at(-1)?.tools.map(({ name }) => name)
    await says('operator please')
    await resume()
    expect(tools()).toEqual([])
    await says('What is the price?')
    expect(tools()).toEqual(['hand_off'])
    const { messages } = world.requests.at(-1) ?? { messages: [] }
    const note = messages.find(({ text }) => text.includes('Why: the customer asked for a person.'))
    expect(note?.text).toContain('Nobody has written to the customer since')
    expect(messages.at(-1)?.text).toBe('What is the price?')
  })
})

describe('a question that waits while the agent is silent', () => {
  const closed = { isLimited: true, hours: Array.from({ length: 7 }, () => []), outside: 'handoff' as const }

  it.each([
    ['by hand', CALLED, resume],
    ['by hand', '', resume],
    ['by the clock', CALLED, letPauseEnd],
    ['by the clock', '', letPauseEnd],
  ])('is answered when the agent resumes %s, with the notice «%s»', async (_, text, comeBack) => {
    const shop = await world.addBot('webhook', { handoff, availability: { ...closed, text } })
    await says('Are you open?', shop)
    expect(sent()).toEqual([text || HANDOFF_SENTENCES.en])
    await world.setSettings(shop, { handoff })
    await comeBack()
    expect(sent().at(-1)).toBe('You said: Are you open?')
    expect(await world.conversation(chat)).toMatchObject({ status: 'active' })
  })

  it('is not answered once more when a person has answered it', async () => {
    await says('Hello')
    await operatorSays('Good morning')
    await resume()
    expect(await world.turns(chat)).toHaveLength(1)
  })
})

describe('a person who was called and did not come in time', () => {
  beforeEach(async () => {
    await says('Where is my parcel? operator please')
    await letPauseEnd()
  })
  const returns = async () => (await world.messages(chat)).filter(({ reason }) => reason === 'nobody_came')

  it('is still needed, which a system line says; the agent answers what is open and makes no second call', async () => {
    expect(await world.conversation(chat)).toMatchObject({ status: 'active', needs_person: true, resume_at: null })
    expect(sent()).toEqual([CALLED, 'You said: Where is my parcel? operator please'])
    expect(await returns()).toMatchObject([{ author: 'system' }])
  })

  it('is not needed any more once an operator resumes the agent', async () => {
    await resume()
    expect(await world.conversation(chat)).toMatchObject({ status: 'active', needs_person: false })
    expect(sent()).toHaveLength(2)
  })

  it('is not needed any more once an operator has written, also when they let the agent continue', async () => {
    await operatorSays('Sent on Monday. Бот, продолжай')
    expect(await world.conversation(chat)).toMatchObject({ status: 'active', needs_person: false })
  })

  it('is still needed when the customer continues with the agent, which mentions it once per silence', async () => {
    await says('And the price?')
    expect(await world.conversation(chat)).toMatchObject({ status: 'active', needs_person: true })
    await says('operator!')
    await letPauseEnd()
    expect(await world.conversation(chat)).toMatchObject({ status: 'active', needs_person: true })
    expect(await returns()).toHaveLength(2)
  })
})

describe('a customer who has written very much while the agent was silent', () => {
  it('is answered about all of it', async () => {
    await says('Hello')
    await call(conversations.pause)
    for (let index = 1; index <= 70; index++) telegram.customerSays(bot.token, chat, `wish ${index}.`)
    await telegram.waitFor(() => telegram.isTaken(bot.token), 'the messages to be taken')
    await resume()
    const asked =
      world.requests
        .at(-1)
        ?.messages.map(({ text }) => text)
        .join('\n') ?? ''
    for (let index = 1; index <= 70; index++) expect(asked).toContain(`wish ${index}.`)
  })
})

describe('a model that fails again when the agent resumes', () => {
  it('calls a person again, without a second notice to the customer', async () => {
    const fallback = { models: [], last: 'handoff' as const, text: CALLED }
    const shop = await world.addBot('webhook', { handoff, fallback })
    world.model = () => {
      throw new AppError('model_failed', { reason: 'quota' })
    }
    await says('Hello?', shop)
    await letPauseEnd()
    expect(sent()).toEqual([CALLED])
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused', pause_reason: 'model_failure' })
    expect((await world.messages(chat)).filter(({ reason }) => reason === 'quota')).toHaveLength(2)
  })
})
