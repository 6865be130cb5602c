// What a customer has made of a message may come before the message, or in another order than it was done: deliveries overtake each other.
// Each message stands and is answered as it was last.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyOldInbound } from '#server/domain/messaging/compliance/retention.store.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram.ts'
import type { Update } from '#tests/fakes/telegram-methods.ts'
import { edits, type Said, says } from '#tests/fakes/telegram-scenes.ts'
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

/** Brings updates one after another. */
async function push(to: Bot, ...updates: Update[]): Promise<void> {
  for (const update of updates) {
    telegram.push(to.token, update)
    await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  }
}

/** A change that was made so many seconds after the message was said. */
function editedAfter(seconds: number, said: Said, text: string): Update {
  const { edited_message: message, ...update } = edits(telegram, bot.token, said, text) as Update & {
    edited_message: object
  }
  return { ...update, edited_message: { ...message, edit_date: Number(said.message.date) + seconds } } as Update
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

describe('a change that comes before its message', () => {
  it('is what the message says, before it is answered', async () => {
    const said = says(telegram, bot.token, chat, 'Two kettles')
    await push(bot, edits(telegram, bot.token, said, 'Three kettles'), said)
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(texts()).toEqual(['You said: Three kettles'])
    expect(world.requests).toHaveLength(1)
    expect((await stored()).messages).toEqual([{ text: 'Three kettles', edited_at: aDate }])
  })

  it('is so in a conversation that goes on, and in its list', async () => {
    const patient = await world.addBot('webhook', { buffer: { seconds: 10 } })
    await push(patient, says(telegram, patient.token, chat, 'Hello'))
    const said = says(telegram, patient.token, chat, 'Two kettles')
    await push(patient, edits(telegram, patient.token, said, 'Three kettles'), said)
    expect(await stored()).toEqual({
      preview: 'Three kettles',
      messages: [
        { text: 'Hello', edited_at: null },
        { text: 'Three kettles', edited_at: aDate },
      ],
    })
  })

  it('changes nothing a second time, and nothing once it is over', async () => {
    const said = says(telegram, bot.token, chat, 'Two kettles')
    const first = editedAfter(1, said, 'Three kettles')
    await push(bot, first, first, said, editedAfter(2, said, 'Four kettles'), first, said)
    await world.pipeline.settle()
    expect((await stored()).messages).toEqual([{ text: 'Four kettles', edited_at: aDate }])
  })

  it('is of that message alone', async () => {
    const said = says(telegram, bot.token, chat, 'Two kettles')
    const elsewhere = {
      ...said,
      message: { ...said.message, chat: { id: 8, type: 'private' }, from: { id: 8, is_bot: false, first_name: 'Ann' } },
    }
    const other = await world.addBot()
    telegram.bot(other.token).knownChats.add(String(chat))
    await push(bot, edits(telegram, bot.token, elsewhere, 'Three kettles'))
    await push(other, edits(telegram, other.token, said, 'Four kettles'))
    await push(bot, said)
    await telegram.waitForSent(chat)
    expect(texts()).toEqual(['You said: Two kettles'])
  })

  it('calls a person, as the message would have', async () => {
    const { handoff } = agentSettings.parse({ systemPrompt: '', model: 'test/echo' })
    const customer = { stop: ['operator'], resume: [] }
    const called = await world.addBot('webhook', { handoff: { ...handoff, customer }, buffer: { seconds: 10 } })
    const said = says(telegram, called.token, chat, 'Hello')
    await push(called, edits(telegram, called.token, said, 'I want an operator'), said)
    await world.pipeline.settle()
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused' })
    expect(world.requests).toEqual([])
  })

  it('is not kept for ever, nor when its content was removed', async () => {
    const late = says(telegram, bot.token, chat, 'Two kettles')
    const removed = says(telegram, bot.token, chat, 'A spoon')
    await push(bot, edits(telegram, bot.token, late, 'Three kettles'))
    await sql`update inbound set received_at = received_at - interval '25 hours'`.execute(test.database.root)
    await push(bot, edits(telegram, bot.token, removed, 'A fork'))
    await test.database.organization(bot.organizationId, (db) =>
      emptyOldInbound({ db, organizationId: bot.organizationId }, new Date(Date.now() + 60_000), 1000),
    )
    const { rows } =
      await sql`select from inbound where connection_id = ${bot.connectionId} and edit_of is not null`.execute(
        test.database.root,
      )
    expect(rows).toEqual([])
    await push(bot, late, removed)
    await world.pipeline.settle()
    expect((await stored()).messages.map(({ text }) => text)).toEqual(['Two kettles', 'A spoon'])
  })
})

describe('several changes of one message', () => {
  it('before it: the one made last counts, whichever came last', async () => {
    const said = says(telegram, bot.token, chat, 'One')
    await push(bot, editedAfter(20, said, 'Three'), editedAfter(10, said, 'Two'), said)
    await telegram.waitForSent(chat)
    expect(texts()).toEqual(['You said: Three'])
    expect((await stored()).messages).toEqual([{ text: 'Three', edited_at: aDate }])
  })

  it('after it: likewise', async () => {
    const said = says(telegram, bot.token, chat, 'One')
    await push(bot, said, editedAfter(20, said, 'Three'), editedAfter(10, said, 'Two'))
    await world.pipeline.settle()
    expect((await stored()).messages).toEqual([{ text: 'Three', edited_at: aDate }])
  })

  it('at the same second: the one that came last counts', async () => {
    const said = says(telegram, bot.token, chat, 'One')
    await push(bot, editedAfter(20, said, 'Two'), editedAfter(20, said, 'Three'), said, editedAfter(20, said, 'Four'))
    await world.pipeline.settle()
    expect((await stored()).messages).toEqual([{ text: 'Four', edited_at: aDate }])
  })
})

it('a change and its message that come at the same time: the change counts, whoever is first', async () => {
  const patient = await world.addBot('webhook', { buffer: { seconds: 60 } })
  telegram.isOrdered = false
  const chats = Array.from({ length: 40 }, () => chat++)
  for (const of of chats) {
    const said = says(telegram, patient.token, of, 'Two kettles')
    const edit = edits(telegram, patient.token, said, 'Three kettles')
    for (const update of of % 2 ? [said, edit] : [edit, said]) telegram.push(patient.token, update)
  }
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  telegram.isOrdered = true
  const said = await world.read((db) =>
    db
      .selectFrom('messages as m')
      .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
      .where('c.connection_id', '=', patient.connectionId)
      .select(['m.text', 'c.last_message_text'])
      .execute(),
  )
  expect(said).toEqual(chats.map(() => ({ text: 'Three kettles', last_message_text: 'Three kettles' })))
})
