// An edit of a message may arrive before the message, or out of order: deliveries overtake each other.
// Each message is stored and answered in its last edited form.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyOldInbound } from '#server/domain/messaging/compliance/retention.store.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import type { Update } from '#tests/fakes/telegram/telegram-methods.ts'
import { edits, type Said, says } from '#tests/fakes/telegram/telegram-scenes.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 9000

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
  world.requests.length = 0
  chat++
})

/** Delivers updates one after another. */
async function push(to: Bot, ...updates: Update[]): Promise<void> {
  for (const update of updates) {
    telegram.push(to.token, update)
    await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  }
}

/** An edit made this many seconds after the message was sent. */
function editedAfter(seconds: number, message: Said, text: string): Update {
  const { edited_message: edited, ...update } = edits(telegram, bot.token, message, text) as Update & {
    edited_message: object
  }
  return { ...update, edited_message: { ...edited, edit_date: Number(message.message.date) + seconds } } as Update
}

async function stored() {
  const { id, last_message_text: preview } = await world.conversation(chat)
  const messages = await world.read((db) =>
    db
      .selectFrom('messages')
      .where('conversation_id', '=', id)
      .where('author', '=', 'customer')
      .select(['text', 'edited_at'])
      .orderBy('sequence')
      .execute(),
  )
  return { preview, messages }
}

const texts = () => telegram.sentTo(chat).map(({ text }) => text)
const aDate = expect.any(Date)

describe('an edit that arrives before its message', () => {
  it('replaces the text before it is answered', async () => {
    const message = says(telegram, bot.token, chat, 'Two kettles')
    await push(bot, edits(telegram, bot.token, message, 'Three kettles'), message)
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(texts()).toEqual(['You said: Three kettles'])
    expect(world.requests).toHaveLength(1)
    expect((await stored()).messages).toEqual([{ text: 'Three kettles', edited_at: aDate }])
  })

  it('also applies in an ongoing conversation, and in the list', async () => {
    const patient = await world.addBot('webhook', { buffer: { seconds: 10 } })
    await push(patient, says(telegram, patient.token, chat, 'Hello'))
    const message = says(telegram, patient.token, chat, 'Two kettles')
    await push(patient, edits(telegram, patient.token, message, 'Three kettles'), message)
    expect(await stored()).toEqual({
      preview: 'Three kettles',
      messages: [
        { text: 'Hello', edited_at: null },
        { text: 'Three kettles', edited_at: aDate },
      ],
    })
  })

  it('is applied once, and not after a later edit', async () => {
    const message = says(telegram, bot.token, chat, 'Two kettles')
    const first = editedAfter(1, message, 'Three kettles')
    await push(bot, first, first, message, editedAfter(2, message, 'Four kettles'), first, message)
    await world.pipeline.settle()
    expect((await stored()).messages).toEqual([{ text: 'Four kettles', edited_at: aDate }])
  })

  it('applies to that message only', async () => {
    const message = says(telegram, bot.token, chat, 'Two kettles')
    const elsewhere = {
      ...message,
      message: {
        ...message.message,
        chat: { id: 8, type: 'private' },
        from: { id: 8, is_bot: false, first_name: 'Ann' },
      },
    }
    const other = await world.addBot()
    telegram.bot(other.token).knownChats.add(String(chat))
    await push(bot, edits(telegram, bot.token, elsewhere, 'Three kettles'))
    await push(other, edits(telegram, other.token, message, 'Four kettles'))
    await push(bot, message)
    await telegram.waitForSent(chat)
    expect(texts()).toEqual(['You said: Two kettles'])
  })

  it('calls a person, as the message itself would', async () => {
    const { handoff } = agentSettings.parse({ systemPrompt: '', model: 'test/echo' })
    const customer = { stop: ['operator'], resume: [] }
    const called = await world.addBot('webhook', { handoff: { ...handoff, customer }, buffer: { seconds: 10 } })
    const message = says(telegram, called.token, chat, 'Hello')
    await push(called, edits(telegram, called.token, message, 'I want an operator'), message)
    await world.pipeline.settle()
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused' })
    expect(world.requests).toEqual([])
  })

  it('is not stored forever, nor after its content was removed', async () => {
    const late = says(telegram, bot.token, chat, 'Two kettles')
    const removed = says(telegram, bot.token, chat, 'A spoon')
    await push(bot, edits(telegram, bot.token, late, 'Three kettles'))
    await sql`update inbound_events set received_at = received_at - interval '25 hours'`.execute(test.database.root)
    await push(bot, edits(telegram, bot.token, removed, 'A fork'))
    await test.database.organization(bot.organizationId, (db) =>
      emptyOldInbound({ db, organizationId: bot.organizationId }, new Date(Date.now() + 60_000), 1000),
    )
    const { rows } =
      await sql`select from inbound_events where connection_id = ${bot.connectionId} and edit_of is not null`.execute(
        test.database.root,
      )
    expect(rows).toEqual([])
    await push(bot, late, removed)
    await world.pipeline.settle()
    expect((await stored()).messages.map(({ text }) => text)).toEqual(['Two kettles', 'A spoon'])
  })
})

describe('several edits of one message', () => {
  it('before it: the newest edit counts, in any order of arrival', async () => {
    const message = says(telegram, bot.token, chat, 'One')
    await push(bot, editedAfter(20, message, 'Three'), editedAfter(10, message, 'Two'), message)
    await telegram.waitForSent(chat)
    expect(texts()).toEqual(['You said: Three'])
    expect((await stored()).messages).toEqual([{ text: 'Three', edited_at: aDate }])
  })

  it('after it: the same', async () => {
    const message = says(telegram, bot.token, chat, 'One')
    await push(bot, message, editedAfter(20, message, 'Three'), editedAfter(10, message, 'Two'))
    await world.pipeline.settle()
    expect((await stored()).messages).toEqual([{ text: 'Three', edited_at: aDate }])
  })

  it('within the same second: the last to arrive counts', async () => {
    const message = says(telegram, bot.token, chat, 'One')
    await push(
      bot,
      editedAfter(20, message, 'Two'),
      editedAfter(20, message, 'Three'),
      message,
      editedAfter(20, message, 'Four'),
    )
    await world.pipeline.settle()
    expect((await stored()).messages).toEqual([{ text: 'Four', edited_at: aDate }])
  })
})

it('an edit and its message that arrive at the same time: the edit counts, whichever is first', async () => {
  const patient = await world.addBot('webhook', { buffer: { seconds: 60 } })
  telegram.isOrdered = false
  const chats = Array.from({ length: 40 }, () => chat++)
  for (const of of chats) {
    const message = says(telegram, patient.token, of, 'Two kettles')
    const edit = edits(telegram, patient.token, message, 'Three kettles')
    for (const update of of % 2 ? [message, edit] : [edit, message]) telegram.push(patient.token, update)
  }
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  telegram.isOrdered = true
  const stored = await world.read((db) =>
    db
      .selectFrom('messages as m')
      .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
      .where('c.connection_id', '=', patient.connectionId)
      .select(['m.text', 'c.last_message_text'])
      .execute(),
  )
  expect(stored).toEqual(chats.map(() => ({ text: 'Three kettles', last_message_text: 'Three kettles' })))
})
