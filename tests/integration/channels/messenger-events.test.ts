// What people do in messengers besides sending one message after another: they edit messages, reply, send albums, talk in
// groups, and write to businesses whose owners answer as well.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reply } from '#server/domain/messaging/inbox/conversations.functions.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, postUpdate, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { edits, presses, says, saysInGroup, saysToBusiness, sendsAlbum } from '#tests/fakes/telegram/telegram-scenes.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
/** Its buffer waits ten seconds for the customer to finish. */
let patient: Bot
/** May offer choices; one waits a second for the customer to finish, one splits by paragraphs. */
let chooser: Bot
let patientChooser: Bot
let splitter: Bot
let chat = 7000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  bot = await world.addBot()
  patient = await world.addBot('webhook', { buffer: { seconds: 10 } })
  const choices = { isOn: true }
  chooser = await world.addBot('webhook', { choices })
  patientChooser = await world.addBot('webhook', { choices, buffer: { seconds: 1 } })
  splitter = await world.addBot('webhook', { choices, replies: { splitByParagraphs: true, pace: 'instant' } })
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

/** Delivers updates to the bot, and waits until they are stored. */
async function push(to: Bot, ...updates: { update_id: number }[]): Promise<void> {
  for (const update of updates) telegram.push(to.token, update)
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
}

async function stored(externalChatId: string | number = chat) {
  const { id } = await world.conversation(externalChatId)
  return world.read((db) =>
    db
      .selectFrom('messages')
      .where('conversation_id', '=', id)
      .select(['author', 'text', 'edited_at', 'speaker', 'quoted'])
      .orderBy('sequence')
      .execute(),
  )
}

const texts = (externalChatId: string | number = chat) => telegram.sentTo(externalChatId).map(({ text }) => text)

describe('a message that the customer edits', () => {
  it('while its turn is pending is answered in its edited form', async () => {
    const message = says(telegram, patient.token, chat, 'Two kettles')
    await push(patient, message, edits(telegram, patient.token, message, 'Three kettles'))
    const { id } = await world.conversation(chat)
    await test.database.system('test: let time pass', (db) =>
      db.updateTable('turns').set({ not_before: new Date() }).where('conversation_id', '=', id).execute(),
    )
    await telegram.waitForSent(chat)
    expect(texts()).toEqual(['You said: Three kettles'])
    expect(await stored()).toMatchObject([{ text: 'Three kettles', edited_at: expect.any(Date) }, { author: 'agent' }])
  })

  it('while the model is generating is answered once, in its edited form', async () => {
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    world.model = async (request) => {
      if (world.requests.length > 1) return echo(request)
      asked.resolve()
      await go.promise
      return echo(request)
    }
    const message = says(telegram, bot.token, chat, 'Two kettles')
    await push(bot, message)
    await asked.promise
    await push(bot, edits(telegram, bot.token, message, 'Three kettles'))
    go.resolve()
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(texts()).toEqual(['You said: Three kettles'])
    expect(await world.usage(bot, chat)).toMatchObject([{ messages: 0 }, { messages: 1 }])
  })

  it('after the answer only changes the stored text', async () => {
    const message = says(telegram, bot.token, chat, 'Two kettles')
    await push(bot, message)
    await telegram.waitForSent(chat)
    const edit = edits(telegram, bot.token, message, 'Three kettles')
    await push(bot, edit, edit)
    await world.pipeline.settle()
    expect(texts()).toEqual(['You said: Two kettles'])
    expect(await stored()).toMatchObject([{ text: 'Three kettles', edited_at: expect.any(Date) }, { author: 'agent' }])
  })

  it('also drops its translations', async () => {
    const message = says(telegram, bot.token, chat, 'Two kettles')
    await push(bot, message)
    await telegram.waitForSent(chat)
    const { id: conversation_id } = await world.conversation(chat)
    await sql`insert into message_translations (organization_id, message_id, language, source_digest, text, claimed_until)
      select organization_id, id, 'ru', '', 'Два чайника', now() from messages
      where conversation_id = ${conversation_id} and author = 'customer'`.execute(test.database.root)
    const translations = () => world.read((db) => db.selectFrom('message_translations').select('text').execute())
    expect(await translations()).toEqual([{ text: 'Два чайника' }])
    await push(bot, edits(telegram, bot.token, message, 'Three kettles'))
    expect(await translations()).toEqual([])
  })

  it('that we never received changes nothing', async () => {
    const message = says(telegram, bot.token, chat, 'Hello')
    await push(bot, message)
    await telegram.waitForSent(chat)
    await push(bot, edits(telegram, bot.token, says(telegram, bot.token, chat, 'another'), 'changed'))
    expect(await stored()).toMatchObject([{ text: 'Hello', edited_at: null }, { author: 'agent' }])
  })

  it('into a request for a person is recognized as one', async () => {
    const { handoff } = agentSettings.parse({ systemPrompt: '', model: 'test/echo' })
    const customer = { stop: ['operator'], resume: [] }
    const called = await world.addBot('webhook', { handoff: { ...handoff, customer }, buffer: { seconds: 10 } })
    const message = says(telegram, called.token, chat, 'Hello')
    await push(called, message, edits(telegram, called.token, message, 'I want an operator'))
    await world.pipeline.settle()
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused' })
  })
})

describe('an answer in Markdown', () => {
  it('is formatted, and an operator’s text is not', async () => {
    world.model = () => 'It costs **5 $**'
    await push(bot, says(telegram, bot.token, chat, 'How much?'))
    expect(await telegram.waitForSent(chat)).toMatchObject([{ text: 'It costs 5 $', entities: [{ type: 'bold' }] }])
    const { id: conversationId } = await world.conversation(chat)
    await world.call(bot.organizationId, reply, { conversationId, text: 'Or 2*3*1 $', attachments: [] })
    await world.pipeline.settle()
    expect(telegram.sentTo(chat)[1]).toMatchObject({ text: 'Or 2*3*1 $', entities: [] })
  })
})

describe('an album', () => {
  it('is one turn with all of its pictures, in whatever order they come', async () => {
    const album = sendsAlbum(telegram, bot.token, chat, 'Which one fits?', 4)
    await push(bot, ...album.toReversed())
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(world.requests).toHaveLength(1)
    expect(texts()).toHaveLength(1)
    const asked = world.requests[0]?.messages.at(-1)?.text ?? ''
    expect(asked).toContain('Which one fits?')
    expect(asked.match(/\[/g)).toHaveLength(4)
  })
})

describe('a reply', () => {
  it('carries the quoted message to the model and the inbox', async () => {
    const reply_to_message = { message_id: 1, from: { id: 1 }, text: 'The red kettle' }
    await push(bot, says(telegram, bot.token, chat, 'How much?', { reply_to_message }))
    await telegram.waitForSent(chat)
    expect(world.requests[0]?.messages.at(-1)?.data).toMatchObject([{ text: 'The red kettle' }])
    expect(await stored()).toMatchObject([{ text: 'How much?', quoted: 'The red kettle' }, {}])
  })

  it('refers to a message of its own chat, even if another chat has the same message number', async () => {
    const chats = [chat++, chat]
    for (const each of chats) {
      await push(bot, says(telegram, bot.token, each, `Kettle ${each}`))
      await telegram.waitForSent(each)
    }
    await world.pipeline.settle()
    await test.database.system('test: message numbers that restart in each chat', (db) =>
      db
        .updateTable('outbox')
        .set({ external_message_id: '777777' })
        .where('external_chat_id', 'in', chats.map(String))
        .execute(),
    )
    for (const each of chats) {
      await push(bot, says(telegram, bot.token, each, 'How much?', { reply_to_message: { message_id: 777_777 } }))
      expect((await stored(each))[2]).toMatchObject({ text: 'How much?', quoted: `You said: Kettle ${each}` })
    }
    await world.pipeline.settle()
  })
})

describe('a group', () => {
  it('is one conversation of several people, in which the agent answers only when addressed', async () => {
    const group = { id: -chat, title: 'Neighbours' }
    const say = (firstName: string, text: string) =>
      push(bot, saysInGroup(telegram, bot.token, group, { chatId: chat, firstName }, { text }))
    await say('Anna', 'When is the meeting?')
    const { username } = telegram.bot(bot.token)
    await say('Boris', `@${username} when is it?`)
    await telegram.waitForSent(group.id)
    await say('Anna', '/catalog')
    await telegram.waitForSent(group.id, 2)
    expect(texts(group.id)).toEqual(['You said: Person 1: when is it?', 'You said: Person 2: /catalog'])
    expect(world.requests.at(-1)?.data).toContainEqual(
      expect.objectContaining({ text: 'Person 1: Boris\nPerson 2: Anna' }),
    )
    expect(await stored(group.id)).toMatchObject([{ speaker: 'Boris' }, {}, { speaker: 'Anna' }, {}])
  })

  it('with topics is answered in the topic of the question', async () => {
    const group = { id: -chat, title: 'Neighbours', topic: 4 }
    await push(bot, saysInGroup(telegram, bot.token, group, { chatId: chat }, { text: '/catalog' }))
    expect(await telegram.waitForSent(group.id)).toMatchObject([{ threadId: 4 }])
    await world.conversation(`${group.id}/4`)
  })
})

describe('choices below a question', () => {
  /** The model offers choices once, and then echoes. */
  function asksOnce(text: string, choices = ['Yes', 'No']): void {
    world.model = async (request) => {
      world.model = echo
      await request.tools.find(({ name }) => name === 'offer_choices')?.run({ choices }, request.signal)
      return text
    }
  }
  async function asked(to = chooser) {
    asksOnce('Shall we?')
    await push(to, says(telegram, to.token, chat, 'Well'))
    const [question] = await telegram.waitForSent(chat)
    if (!question) throw new Error('nothing was asked')
    return question
  }
  const press = async (question: Awaited<ReturnType<typeof asked>>, label: string) => {
    const id = presses(telegram, question, label)
    await telegram.waitFor(() => telegram.presses.get(id) !== 'open', 'the press to be answered')
    await world.pipeline.settle()
    return telegram.presses.get(id)
  }
  const customerTexts = async () =>
    (await stored()).flatMap(({ author, text }) => (author === 'customer' ? [text] : []))

  it('become the customer’s message when pressed, once, and other buttons of the same question do nothing more', async () => {
    const question = await asked()
    expect(question.buttons).toEqual([[{ text: 'Yes', callback_data: 'Yes' }], [{ text: 'No', callback_data: 'No' }]])
    expect(await press(question, 'Yes')).toEqual({ notice: null })
    expect(await press(question, 'Yes')).toEqual({ notice: null })
    expect(await press(question, 'No')).toEqual({ notice: 'You have already answered this question.' })
    expect(await customerTexts()).toEqual(['Well', 'Yes'])
    expect(texts()).toEqual(['Shall we?', 'You said: Yes'])
    expect(world.requests.at(-1)?.messages.map(({ text }) => text)).toContain('Shall we?\n\n1. Yes\n2. No')
  })

  it('of a question that the customer has answered by text expire', async () => {
    const question = await asked()
    await push(chooser, says(telegram, chooser.token, chat, 'Maybe'))
    await world.pipeline.settle()
    expect(await press(question, 'Yes')).toEqual({ notice: 'You have already answered this question.' })
    expect(await customerTexts()).toEqual(['Well', 'Maybe'])
  })

  it('pressed at the same moment count once', async () => {
    const question = await asked()
    const { webhook } = telegram.bot(chooser.token)
    if (!webhook) throw new Error('no webhook is set')
    const from = { id: chat, is_bot: false, first_name: 'Customer', language_code: 'ru' }
    const under = { message_id: question.messageId, chat: { id: chat, type: 'private' } }
    const updates = ['Yes', 'No'].map((data) =>
      telegram.update(chooser.token, { callback_query: { id: data, from, message: under, data } }),
    )
    await Promise.all(updates.map((update) => postUpdate(webhook, update)))
    await world.pipeline.settle()
    expect(await customerTexts()).toHaveLength(2)
    expect(telegram.sentTo(chat)).toHaveLength(2)
  })

  it('do not wait for the customer to finish writing', async () => {
    const question = await asked(patientChooser)
    await press(question, 'No')
    expect(texts()).toEqual(['Shall we?', 'You said: No'])
  })

  it('are shown below the last part of an answer, and stored with it', async () => {
    asksOnce('We have two.\n\nWhich one?', ['Red', 'Blue'])
    await push(splitter, says(telegram, splitter.token, chat, 'Well'))
    const sent = await telegram.waitForSent(chat, 2)
    expect(sent.map(({ buttons }) => buttons?.flat().map(({ text }) => text))).toEqual([undefined, ['Red', 'Blue']])
    const { id } = await world.conversation(chat)
    const { choices } = await world.read((db) =>
      db
        .selectFrom('messages')
        .where('conversation_id', '=', id)
        .where('author', '=', 'agent')
        .select('choices')
        .executeTakeFirstOrThrow(),
    )
    expect(choices).toEqual(['Red', 'Blue'])
  })

  it('cannot be given where the agent may not', async () => {
    asksOnce('Shall we?')
    await push(bot, says(telegram, bot.token, chat, 'Well'))
    expect((await telegram.waitForSent(chat))[0]).not.toHaveProperty('buttons')
  })
})

describe('a business account', () => {
  const business = { id: 'business-1', ownerId: 6000 }
  const say = (by: 'customer' | 'owner', text: string) =>
    push(bot, saysToBusiness(telegram, bot.token, business, { customerId: chat, by }, text))

  it('answers in its own name', async () => {
    await say('customer', 'Hello')
    expect(await telegram.waitForSent(chat)).toMatchObject([{ businessConnectionId: business.id }])
  })

  it('is left to its owner once the owner answers', async () => {
    await say('customer', 'Hello')
    await telegram.waitForSent(chat)
    await say('owner', 'I will see to it myself')
    await say('customer', 'Thank you')
    await world.pipeline.settle()
    expect(texts()).toEqual(['You said: Hello'])
    const address = `${chat}@${business.id}`
    expect(await world.conversation(address)).toMatchObject({ status: 'paused' })
    const authors = (await stored(address)).map(({ author }) => author)
    expect(authors).toEqual(['customer', 'agent', 'operator', 'customer'])
  })
})
