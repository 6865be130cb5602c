// Customers are asked to rate the help by buttons in Telegram when a conversation is ended: once for each end, where it is
// switched on; only a press under that question is a rating. Everything they write is a message like any other.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as bulk from '#server/domain/messaging/inbox/bulk.functions.ts'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { Bulk, OpenConversation, StatusBefore, TakenBack } from '#shared/messaging/conversations.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, type SentMessage, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { presses, says as saysWith } from '#tests/fakes/telegram/telegram-scenes.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const QUESTION = 'How would you rate our help, from 1 (bad) to 5 (excellent)?'
const CLOSED = { notice: 'Ratings are no longer accepted here.' }
const thanks = (score: number) =>
  `Thank you for rating us ${score} out of 5! To add a few words, reply to this message.`

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

/** `more`: fields of the message. */
async function says(text: string, to = bot, more = {}): Promise<void> {
  telegram.push(to.token, saysWith(telegram, to.token, { chatId: chat, firstName: 'Anna', language: 'en' }, text, more))
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

async function change(columns: string, table = 'conversations', key = 'id'): Promise<void> {
  const { id } = await conversation()
  await test.database.system('test: time passes', (db) =>
    sql`update ${sql.table(table)} set ${sql.raw(columns)} where ${sql.ref(key)} = ${id}`.execute(db),
  )
  await world.pipeline.settle()
}

/** Makes the question due. */
const letAsk = () =>
  change(`ask_at = case when ask_at is not null then now() end`, 'conversation_ratings', 'conversation_id')
const letTimePass = (hours: number) =>
  change(`first_tried_at = first_tried_at - interval '${hours} hours'`, 'outbox', 'conversation_id')

async function end(by = bot): Promise<void> {
  await call(conversations.end, { conversationId: (await conversation()).id }, by)
  await letAsk()
}

/** A customer is answered, and asked for a rating when the conversation is ended. @returns the question */
async function asked(): Promise<SentMessage> {
  await says('Do you deliver?')
  await end()
  expect(texts()).toEqual(['You said: Do you deliver?', QUESTION])
  return lastSent()
}

function lastSent(): SentMessage {
  const last = telegram.sentTo(chat).at(-1)
  if (!last) throw new Error('nothing was sent')
  return last
}

async function press(question: SentMessage, label: string, by = Number(question.chatId)) {
  const id = presses(telegram, question, label, { by })
  await telegram.waitFor(() => telegram.presses.get(id) !== 'open', 'the press to be answered')
  await world.pipeline.settle()
  return telegram.presses.get(id)
}

describe('the question', () => {
  it('is sent when a person ends the conversation, with buttons, and once for the messages so far', async () => {
    const question = await asked()
    expect(question.buttons?.flat().map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5'])
    await call(conversations.resume, { conversationId: (await conversation()).id })
    await end()
    expect(texts()).toHaveLength(2)
    await says('And on Sundays?')
    await end()
    expect(texts().slice(2)).toEqual(['You said: And on Sundays?', QUESTION])
  })

  it('is not sent unless it is switched on', async () => {
    const silent = await world.addBot('webhook')
    await says('Do you deliver?', silent)
    await end(silent)
    expect(texts()).toEqual(['You said: Do you deliver?'])
  })

  it('is not sent when the customer writes before it is due, or when it became due in a deleted conversation', async () => {
    await says('Do you deliver?')
    const { id } = await conversation()
    await call(conversations.end, { conversationId: id })
    expect((await conversation()).rating_ask_at).not.toBeNull()
    await says('One more thing')
    expect((await conversation()).rating_ask_at).toBeNull()
    await call(conversations.end, { conversationId: id })
    await call(bulk.place, { conversationIds: [id], folder: 'deleted' })
    await letAsk()
    expect(texts()).toEqual(['You said: Do you deliver?', 'You said: One more thing'])
  })

  it('is sent once for merged conversations, in the most recently active one', async () => {
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
    ['the customer has asked for silence', `status = 'paused', pause_reason = 'customer_stop', paused_at = now()`],
    ['the customer was refused for writing too much', `status = 'paused', pause_reason = 'limit', paused_at = now()`],
    ['the agent was let speak after a silence they wanted', `handoff_reason = 'customer_stop', phrases_through = 1e9`],
  ])('is not sent when %s', async (_, columns) => {
    await says('Do you deliver?')
    await change(columns)
    await end()
    expect(await conversation()).toMatchObject({ status: 'ended', rating_question_id: null })
  })

  it.each([
    ['the customer has blocked us', `status = 'failed', error = 'blocked'`, 'outbox', 'conversation_id'],
    ['the agent is deleted', `deleted_at = now()`, 'agents', 'id'],
  ])('is not sent when, by its due time, %s', async (_, columns, table, key) => {
    const other = await world.addBot('webhook', { ratings: { isOn: true } })
    await says('Do you deliver?', other)
    const { id } = await conversation()
    await call(conversations.end, { conversationId: id }, other)
    expect((await conversation()).rating_ask_at).not.toBeNull()
    await test.database.system('test: how it stands by then', (db) =>
      sql`update ${sql.table(table)} set ${sql.raw(columns)} where ${sql.ref(key)} = ${table === 'agents' ? other.agentId : id}`.execute(
        db,
      ),
    )
    await letAsk()
    expect(await conversation()).toMatchObject({ rating_ask_at: null, rating_question_id: null })
  })

  it.each([
    ['switched off', 'disconnected_at = now()'],
    ['refused by its provider', `status = 'error'`],
    ['frozen', 'is_frozen = true'],
  ])('is not sent over a connection that is %s', async (_, columns) => {
    const other = await world.addBot('webhook', { ratings: { isOn: true } })
    await says('Do you deliver?', other)
    await call(conversations.end, { conversationId: (await conversation()).id }, other)
    await test.database.system('test: a connection', (db) =>
      sql`update channel_connections set ${sql.raw(columns)} where id = ${other.connectionId}`.execute(db),
    )
    await letAsk()
    expect(await conversation()).toMatchObject({ rating_ask_at: null, rating_question_id: null })
  })

  it('waits while an operator is typing', async () => {
    await says('Do you deliver?')
    const { id } = await conversation()
    await call(conversations.end, { conversationId: id })
    await types(id)
    await letAsk()
    expect(texts()).toEqual(['You said: Do you deliver?'])
    expect((await conversation()).rating_ask_at?.getTime()).toBeGreaterThan(Date.now())
    await call(conversations.reply, { conversationId: id, text: 'Yes, we do.', attachments: [] })
    await letAsk()
    expect(texts().slice(1)).toEqual(['Yes, we do.'])
  })
})

/** An operator is typing. */
async function types(conversationId: Id<'conversations'>): Promise<void> {
  const userId = newId('users')
  await test.database.system('test: an operator types', async (db) => {
    const user = { id: userId, name: 'Anna', email: `${userId}@example.com`, email_verified: true, image: null }
    await db.insertInto('users').values(user).execute()
    const { organizationId: organization_id } = bot
    const at = new Date()
    const row = { organization_id, conversation_id: conversationId, user_id: userId, state: 'typing' as const, at }
    await db.insertInto('conversation_presence').values(row).execute()
  })
}

describe('an end that is undone', () => {
  async function endAll(): Promise<{ undo: () => Promise<Bulk<TakenBack>> }> {
    const { id } = await conversation()
    const ended = (await call(bulk.status, { conversationIds: [id], status: 'ended' })) as Bulk<StatusBefore>
    const tickets = ended.map(({ before }) => before?.ticket)
    return { undo: async () => (await call(bulk.undo, { tickets })) as Bulk<TakenBack> }
  }

  it('sends no question', async () => {
    await says('Do you deliver?')
    const { undo } = await endAll()
    expect((await conversation()).rating_ask_at).not.toBeNull()
    expect(await undo()).toMatchObject([{ error: null, before: { wasAsked: false } }])
    await letAsk()
    expect(texts()).toEqual(['You said: Do you deliver?'])
  })

  it('withdraws an unsent question permanently', async () => {
    await says('Do you deliver?')
    const { undo } = await endAll()
    await holdBack()
    await letAsk()
    expect((await conversation()).rating_question_id).not.toBeNull()
    expect(await undo()).toMatchObject([{ error: null, before: { wasAsked: false } }])
    await letGo()
    expect(texts()).toEqual(['You said: Do you deliver?'])
    const [part] = await partsOf((await conversation()).rating_question_id)
    expect(part).toMatchObject({ status: 'failed', error: 'rating_taken_back' })
    const { id } = await conversation()
    const alerts = await world.read((db) =>
      db.selectFrom('alerts').where('conversation_id', '=', id).select('kind').execute(),
    )
    expect(alerts).toEqual([])
  })

  it('reports that the question was sent, which can still be answered', async () => {
    await says('Do you deliver?')
    const { undo } = await endAll()
    await letAsk()
    expect(await undo()).toMatchObject([{ error: null, before: { wasAsked: true } }])
    expect(await press(lastSent(), '4')).toEqual({ notice: 'Your rating: 4 out of 5' })
    expect(await conversation()).toMatchObject({ status: 'active', rating_score: 4, waiting_since: null })
    expect(await world.turns(chat)).toHaveLength(1)
  })

  it('sends no question either when the end is restored by undoing a later step', async () => {
    await says('Do you deliver?')
    const { id } = await conversation()
    await call(conversations.end, { conversationId: id })
    const resumed = (await call(bulk.status, { conversationIds: [id], status: 'active' })) as Bulk<StatusBefore>
    await call(bulk.undo, { tickets: resumed.map(({ before }) => before?.ticket) })
    await letAsk()
    expect(await conversation()).toMatchObject({ status: 'ended', rating_question_id: null })
  })

  /** An earlier part waits, and so does everything behind it. */
  const holdBack = () => change(`status = 'queued', not_before = 'infinity'`, 'outbox', 'conversation_id')
  const letGo = () =>
    change(`status = case when not_before = 'infinity' then 'sent' else status end`, 'outbox', 'conversation_id')
})

async function partsOf(messageId: string | null) {
  return test.database.system(
    'test: parts',
    async (db) =>
      (
        await sql<{
          status: string
          error: string | null
        }>`select status, error from outbox where message_id = ${messageId}`.execute(db)
      ).rows,
  )
}

describe('a press', () => {
  it('is the rating: stored as the customer’s message, shown as a rating, and answered by thanks only', async () => {
    const question = await asked()
    const before = world.requests.length
    expect(await press(question, '4')).toEqual({ notice: 'Your rating: 4 out of 5' })
    expect(await conversation()).toMatchObject({
      status: 'ended',
      rating_score: 4,
      rating_comment: null,
      waiting_since: null,
    })
    expect(texts().slice(2)).toEqual([thanks(4)])
    const messages = await world.messages(chat)
    expect(messages.map(({ author, text, reason }) => [author, text, reason]).slice(2)).toEqual([
      ['agent', QUESTION, 'rating_question'],
      ['customer', '4', 'rating'],
      ['agent', thanks(4), 'rating_thanks'],
    ])
    expect(world.requests).toHaveLength(before)
    expect(await world.turns(chat)).toHaveLength(1)
    const explained = await call(conversations.explainMessage, { messageId: messages[3]?.id })
    expect(explained).toMatchObject({ turns: [], standing: { kind: 'rated' } })
    const shown = (await call(conversations.get, { conversationId: (await conversation()).id })) as OpenConversation
    expect(shown.rating).toMatchObject({ score: 4, comment: null })
    await letAsk()
    expect(texts()).toHaveLength(3)
  })

  it('may be followed by another: the last one counts, with a single thanks', async () => {
    const question = await asked()
    for (const score of ['5', '1', '5']) await press(question, score)
    expect(await conversation()).toMatchObject({ status: 'ended', rating_score: 5 })
    expect(texts().slice(2)).toEqual([thanks(5)])
    expect((await world.messages(chat)).filter(({ reason }) => reason === 'rating')).toHaveLength(3)
  })

  it('also counts when the conversation has continued, and waits for nothing there', async () => {
    const question = await asked()
    await says('Thanks, bye')
    await press(question, '3')
    expect(await conversation()).toMatchObject({ status: 'active', rating_score: 3, waiting_since: null })
    await call(conversations.pause, { conversationId: (await conversation()).id })
    const before = world.requests.length
    await press(question, '2')
    await call(conversations.resume, { conversationId: (await conversation()).id })
    expect(world.requests).toHaveLength(before)
    await says('And on Sundays?')
    expect(world.requests.at(-1)?.messages.map(({ text }) => text)).not.toContain('3')
  })

  it('that comes twice as the same notification is stored once', async () => {
    const question = await asked()
    const id = presses(telegram, question, '4')
    const [notified] = telegram.bot(bot.token).pending.slice(-1)
    await telegram.waitFor(() => telegram.presses.get(id) !== 'open', 'the press to be answered')
    if (notified) telegram.push(bot.token, notified)
    await telegram.waitFor(() => telegram.isTaken(bot.token), 'the press to be taken')
    await world.pipeline.settle()
    expect((await world.messages(chat)).filter(({ reason }) => reason === 'rating')).toHaveLength(1)
  })

  it.each([
    ['too late', async (question: SentMessage) => letTimePass(25).then(() => question)],
    [
      'under the question of an earlier end',
      async (question: SentMessage) => {
        await says('And on Sundays?')
        await end()
        return question
      },
    ],
    [
      'under the question of an earlier end, when the outcome of the last one is unknown',
      async (question: SentMessage) => {
        await says('And on Sundays?')
        await end()
        const { rating_question_id: id } = await conversation()
        await test.database.system('test: an answer that was lost', (db) =>
          sql`update outbox set status = 'unknown', external_message_id = null where message_id = ${id}`.execute(db),
        )
        return question
      },
    ],
    [
      'under a message that is not the question, with its buttons',
      async (question: SentMessage) => ({ ...question, messageId: question.messageId - 1 }),
    ],
    [
      'in another chat, to which it was forwarded',
      async (question: SentMessage) => {
        chat++
        await asked()
        return { ...question, chatId: String(chat) }
      },
    ],
    [
      'in a deleted conversation',
      async (question: SentMessage) => {
        await call(bulk.place, { conversationIds: [(await conversation()).id], folder: 'deleted' })
        return question
      },
    ],
  ])('that comes %s is refused politely, and changes nothing', async (_, arrange) => {
    const question = await arrange(await asked())
    const before = await world.messages(chat)
    expect(await press(question, '5')).toEqual(CLOSED)
    expect((await conversation()).rating_score).toBeNull()
    expect(await world.messages(chat)).toHaveLength(before.length)
  })

  it('of another member of the chat changes nothing', async () => {
    const question = await asked()
    expect(await press(question, '1', 999_999)).toEqual(CLOSED)
    expect((await conversation()).rating_score).toBeNull()
  })
})

describe('what customers write', () => {
  it.each(['2', '5 stars', 'When do you open?'])(
    'is a message like any other if there are buttons: %s',
    async (text) => {
      const question = await asked()
      await says(text, bot, { reply_to_message: { message_id: question.messageId, text: QUESTION } })
      expect(await conversation()).toMatchObject({ status: 'active', rating_score: null, rating_comment: null })
      expect(texts()[2]).toContain(text)
      expect(texts()).toHaveLength(3)
    },
  )

  it('is a comment on the rating when it replies to the thanks, and is answered all the same', async () => {
    await press(await asked(), '2')
    const reply = { reply_to_message: { message_id: lastSent().messageId, text: thanks(2) } }
    await says('The courier was late.', bot, reply)
    expect(await conversation()).toMatchObject({
      status: 'active',
      rating_score: 2,
      rating_comment: 'The courier was late.',
    })
    expect((await world.messages(chat)).find(({ text }) => text.startsWith('The'))?.reason).toBe('rating_comment')
    await says('Good bye.')
    expect(await conversation()).toMatchObject({ rating_comment: 'The courier was late.' })
    expect(texts()[3]).toContain('The courier was late.')
    expect(texts()[4]).toBe('You said: Good bye.')
    await end()
    expect(texts().at(-1)).toBe(QUESTION)
  })

  it('does not lead to another question when it is the only message since', async () => {
    await press(await asked(), '2')
    await says('Late.', bot, { reply_to_message: { message_id: lastSent().messageId, text: thanks(2) } })
    const { rating_question_id: before } = await conversation()
    await end()
    expect((await conversation()).rating_question_id).toBe(before)
  })

  it.each([
    ['that only comes next', async () => ({})],
    [
      'that replies to the thanks too late',
      async () => {
        const reply = { reply_to_message: { message_id: lastSent().messageId, text: thanks(2) } }
        await letTimePass(25)
        return reply
      },
    ],
  ])('%s is not a comment on the rating', async (_, arrange) => {
    await press(await asked(), '2')
    await says('The courier was late.', bot, await arrange())
    expect(await conversation()).toMatchObject({ status: 'active', rating_comment: null })
    expect(texts().at(-1)).toContain('The courier was late.')
  })
})

it('is asked once when several servers poll at the same moment', async () => {
  await says('Do you deliver?')
  await call(conversations.end, { conversationId: (await conversation()).id })
  const other = new PipelineWorld(test.database, telegram)
  await other.start()
  await letAsk()
  await other.pipeline.settle()
  await other.stop()
  expect(texts()).toEqual(['You said: Do you deliver?', QUESTION])
  expect((await world.messages(chat)).filter(({ reason }) => reason === 'rating_question')).toHaveLength(1)
})
