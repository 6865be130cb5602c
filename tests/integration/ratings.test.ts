// Customers are asked what they thought of the help in their own channel when a conversation is ended: once, where it is wanted, and only a
// number that comes next is the answer. Everything else they write is a message like any other.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as bulk from '#server/features/conversations/bulk.functions.ts'
import * as conversations from '#server/features/conversations/conversations.functions.ts'
import type { Bulk, StatusBefore } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram.ts'
import { presses } from '#tests/fakes/telegram-scenes.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const QUESTION = 'How would you rate our help, from 1 (bad) to 5 (excellent)?'
const THANKS = 'Thank you! You may add a few words about it if you like.'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 8000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  telegram.webhookOrigin = () => world.url
  bot = await world.addBot('webhook', { ratings: { isOn: true } })
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})
beforeEach(() => void chat++)
afterEach(() => world.pipeline.settle())

async function says(text: string, to = bot): Promise<void> {
  telegram.customerSays(to.token, { chatId: chat, firstName: 'Anna', language: 'en' }, text)
  await telegram.waitFor(() => telegram.isTaken(to.token), 'the message to be taken')
  await world.pipeline.settle()
}

async function call(mutation: unknown, args: Record<string, unknown>, by = bot): Promise<unknown> {
  const answer = await world.call(by.organizationId, mutation, args)
  await world.pipeline.settle()
  return answer
}

const conversation = () => world.conversation(chat)
const texts = () => telegram.sentTo(chat).map(({ text }) => text)

async function change(columns: string): Promise<void> {
  const { id } = await conversation()
  await test.database.system('test: time passes', (db) =>
    sql`update conversations set ${sql.raw(columns)} where id = ${id}`.execute(db),
  )
  await world.pipeline.settle()
}

/** As if the moment had come. */
const letAsk = () => change(`rating_ask_at = case when rating_ask_at is not null then now() end`)

async function end(by = bot): Promise<void> {
  await call(conversations.end, { conversationId: (await conversation()).id }, by)
  await letAsk()
}

/** A customer was answered, and asked for a rating when the conversation was ended. */
async function asked(): Promise<void> {
  await says('Do you deliver?')
  await end()
  expect(texts()).toEqual(['You said: Do you deliver?', QUESTION])
}

describe('the question', () => {
  it('comes when a person ends the conversation, by buttons, and once for what was said', async () => {
    await asked()
    expect(
      telegram
        .sentTo(chat)
        .at(-1)
        ?.buttons?.flat()
        .map(({ text }) => text),
    ).toEqual(['1', '2', '3', '4', '5'])
    await call(conversations.resume, { conversationId: (await conversation()).id })
    await end()
    expect(texts()).toHaveLength(2)
    await says('And on Sundays?')
    await end()
    expect(texts().slice(2)).toEqual(['You said: And on Sundays?', QUESTION])
  })

  it('does not come where nobody has switched it on', async () => {
    const silent = await world.addBot('webhook')
    await says('Do you deliver?', silent)
    await end(silent)
    expect(texts()).toEqual(['You said: Do you deliver?'])
  })

  it('does not come when the end is taken back, or the customer goes on', async () => {
    await says('Do you deliver?')
    const { id } = await conversation()
    const ended = (await call(bulk.status, { conversationIds: [id], status: 'ended' })) as Bulk<StatusBefore>
    expect((await conversation()).rating_ask_at).not.toBeNull()
    await call(bulk.undoStatus, { tickets: ended.map(({ before }) => before?.ticket) })
    await letAsk()
    await call(conversations.end, { conversationId: id })
    await says('One more thing')
    await letAsk()
    expect(texts()).toEqual(['You said: Do you deliver?', 'You said: One more thing'])
  })

  it('comes once for conversations that are shown as one, where something was said last', async () => {
    const first = chat
    await says('Do you deliver?')
    chat++
    await says('And on Sundays?')
    const ids = [(await world.conversation(first)).id, (await conversation()).id]
    await test.database.system('test: shown as one', (db) =>
      sql`update conversations set thread_id = ${ids.join('')} where id = any(${ids})`.execute(db),
    )
    await call(conversations.end, { conversationId: ids[0] })
    await letAsk()
    expect(await world.conversation(first)).toMatchObject({ status: 'ended', rating_ask_at: null })
    expect(texts().at(-1)).toBe(QUESTION)
  })

  it.each([
    ['deleted', (id: Id<'conversations'>) => call(bulk.place, { conversationIds: [id], place: 'deleted' })],
    ['of a customer who has blocked us', (id: Id<'conversations'>) => fail(id, 'blocked')],
  ])('does not come in a conversation that is %s', async (_, arrange) => {
    await says('Do you deliver?')
    const { id } = await conversation()
    await call(conversations.end, { conversationId: id })
    await arrange(id)
    await letAsk()
    expect(texts()).toEqual(['You said: Do you deliver?'])
  })
})

async function fail(id: Id<'conversations'>, error: string): Promise<void> {
  await test.database.system('test: what was sent last did not arrive', (db) =>
    sql`update outbox set status = 'failed', error = ${error} where conversation_id = ${id}`.execute(db),
  )
}

describe('a number', () => {
  it('that comes next is the rating, kept as what the customer said, and answered by thanks alone', async () => {
    await asked()
    const before = world.requests.length
    await says('4')
    expect(await conversation()).toMatchObject({
      status: 'ended',
      rating_score: 4,
      rating_comment: null,
      waiting_since: null,
    })
    expect(texts().slice(2)).toEqual([THANKS])
    expect((await world.messages(chat)).map(({ author, text }) => [author, text]).slice(2)).toEqual([
      ['agent', QUESTION],
      ['customer', '4'],
      ['agent', THANKS],
    ])
    expect(world.requests).toHaveLength(before)
    expect(await world.turns(chat)).toHaveLength(1)
    const rating = (await world.messages(chat)).find(({ text }) => text === '4')
    const explained = await world.call(bot.organizationId, conversations.explainMessage, { messageId: rating?.id })
    expect(explained).toMatchObject({ turns: [], standing: { kind: 'rated' } })
    await letAsk()
    expect(texts()).toHaveLength(3)
  })

  it('may be pressed, once', async () => {
    await asked()
    const question = telegram.sentTo(chat).at(-1)
    if (!question) throw new Error('nothing was asked')
    const press = async (label: string) => {
      const id = presses(telegram, question, label)
      await telegram.waitFor(() => telegram.presses.get(id) !== 'open', 'the press to be answered')
      await world.pipeline.settle()
      return telegram.presses.get(id)
    }
    expect(await press('5')).toEqual({ told: null })
    expect(await press('1')).toEqual({ told: 'This question has been answered already.' })
    expect(await conversation()).toMatchObject({ status: 'ended', rating_score: 5 })
    expect(texts().slice(2)).toEqual([THANKS])
  })

  it('that comes twice is a rating and a message', async () => {
    await asked()
    await says('3')
    await says('2')
    expect(await conversation()).toMatchObject({ status: 'active', rating_score: 3 })
    expect(texts().slice(2)).toEqual([THANKS, 'You said: 2'])
  })

  it.each([
    ['that nobody asked for', async () => says('Do you deliver?')],
    [
      'that comes after other words',
      async () => {
        await asked()
        await says('Wait, where is it?')
      },
    ],
    [
      'that comes too late',
      async () => {
        await asked()
        await change(`rating_asked_at = now() - interval '25 hours'`)
      },
    ],
    [
      'that comes when a person has taken the conversation up again',
      async () => {
        await asked()
        await call(conversations.resume, { conversationId: (await conversation()).id })
      },
    ],
  ])('%s is a message like any other', async (_, arrange) => {
    await arrange()
    await says('2')
    expect(await conversation()).toMatchObject({ status: 'active', rating_score: null })
    expect(texts().at(-1)).toContain('2')
    expect(texts()).not.toContain(THANKS)
  })

  it.each(['5 stars', '10', 'five', 'When do you open?'])('is not what only looks like one: %s', async (text) => {
    await asked()
    await says(text)
    expect(await conversation()).toMatchObject({ status: 'active', rating_score: null, rating_comment: null })
    expect(texts().slice(2)).toEqual([`You said: ${text}`])
  })

  it('leaves open what was asked before the end and was not answered', async () => {
    await says('Do you deliver?')
    await call(conversations.pause, { conversationId: (await conversation()).id })
    await says('Hello?')
    await end()
    await says('1')
    expect(await conversation()).toMatchObject({ status: 'ended', rating_score: 1 })
    await call(conversations.resume, { conversationId: (await conversation()).id })
    expect(texts().at(-1)).toContain('Hello?')
  })
})

describe('words after the rating', () => {
  it('are kept with it, and answered like any other', async () => {
    await asked()
    await says('2')
    await says('The courier was late.')
    expect(await conversation()).toMatchObject({
      status: 'active',
      rating_score: 2,
      rating_comment: 'The courier was late.',
    })
    await says('Good bye.')
    expect(await conversation()).toMatchObject({ rating_comment: 'The courier was late.' })
    expect(texts().slice(3)).toEqual(['You said: The courier was late.', 'You said: Good bye.'])
  })

  it('are not, when they are a question or come too late', async () => {
    await asked()
    await says('2')
    await says('When is it coming?')
    await says('Never mind.')
    expect(await conversation()).toMatchObject({ rating_score: 2, rating_comment: null })
    await end()
    await says('5')
    await change(`rating_comment_until = now() - interval '1 minute'`)
    await says('Quick this time.')
    expect(await conversation()).toMatchObject({ rating_score: 5, rating_comment: null })
  })
})
