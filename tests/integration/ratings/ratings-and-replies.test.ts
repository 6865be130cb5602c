// A rating is not a message of the customer: everything else in its conversation continues as if it had not come.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import { hasLaterWords, isSuperseded, laterWords } from '#server/domain/messaging/turns/supersede.store.ts'
import type { Db } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { makeQuestionsDue, planQuestionAt } from '#tests/conversation-parts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, type SentMessage, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { presses, saysInGroup, says as saysWith } from '#tests/fakes/telegram/telegram-scenes.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

const QUESTION = 'How would you rate our help, from 1 (bad) to 5 (excellent)?'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 8500

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  telegram.webhookOrigin = () => world.url
  bot = await world.addBot('webhook', { ratings: { isOn: true }, choices: { isOn: true } })
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})
beforeEach(() => {
  chat++
  world.model = echo
})
afterEach(() => world.pipeline.settle())

async function says(text: string): Promise<void> {
  telegram.push(bot.token, saysWith(telegram, bot.token, { chatId: chat, firstName: 'Anna', language: 'en' }, text))
  await telegram.waitFor(() => telegram.isTaken(bot.token), 'the message to be taken')
  await world.pipeline.settle()
}

async function write(statement: ReturnType<typeof sql>): Promise<void> {
  await test.database.system('test: how it stands', (db) => statement.execute(db))
  await world.pipeline.settle()
}

async function end(): Promise<void> {
  await world.call(bot.organizationId, conversations.end, { conversationId: (await conversation()).id })
  await write(makeQuestionsDue)
}

const conversation = () => world.conversation(chat)
const texts = () => telegram.sentTo(chat).map(({ text }) => text)

function lastSent(): SentMessage {
  const last = telegram.sentTo(chat).at(-1)
  if (!last) throw new Error('nothing was sent')
  return last
}

async function press(question: SentMessage, label: string) {
  const id = presses(telegram, question, label)
  await telegram.waitFor(() => telegram.presses.get(id) !== 'open', 'the press to be answered')
  await world.pipeline.settle()
  return telegram.presses.get(id)
}

describe('along with a rating', () => {
  it('choices of an earlier question stay open', async () => {
    world.model = async (request) => {
      world.model = echo
      await request.tools.find(({ name }) => name === 'offer_choices')?.run({ choices: ['Yes', 'No'] }, request.signal)
      return 'Shall we?'
    }
    await says('Do you deliver?')
    const choices = lastSent()
    await end()
    expect(await press(lastSent(), '4')).toEqual({ notice: 'Your rating: 4 out of 5' })
    expect(await press(choices, 'Yes')).toEqual({ notice: null })
    expect(texts().at(-1)).toBe('You said: Yes')
    expect(await press(choices, 'No')).toEqual({ notice: 'You have already answered this question.' })
  })

  it('a customer who opted out stays opted out: they are not asked again', async () => {
    await says('Do you deliver?')
    await end()
    const question = lastSent()
    await says('Leave me alone')
    await write(sql`update conversations c set handoff_reason = 'customer_stop', phrases_through = (select max(sequence) from messages
      where conversation_id = c.id) where external_chat_id = ${String(chat)}`)
    await press(question, '1')
    const { rating_question_id: before } = await conversation()
    await end()
    expect((await conversation()).rating_question_id).toBe(before)
    expect(texts().filter((text) => text === QUESTION)).toHaveLength(1)
  })

  it('an answer being generated does not become stale; a message makes it so', async () => {
    await says('Do you deliver?')
    await end()
    const { id, answered_through: through } = await conversation()
    await press(lastSent(), '4')
    const seen = await test.database.system('test: a turn that no other server sees', async (db) => {
      for (const status of ['pending', 'running']) {
        await sql`insert into turns (id, organization_id, conversation_id, status, waiting_since)
          values (${newId('turns')}, ${bot.organizationId}, ${id}, ${status}, now())`.execute(db)
      }
      const before = await laterThan(db, id, through)
      await sql`insert into messages (id, organization_id, conversation_id, author, text)
        values (${newId('messages')}, ${bot.organizationId}, ${id}, 'customer', 'Wait')`.execute(db)
      const after = await laterThan(db, id, through)
      await sql`delete from turns where conversation_id = ${id} and status in ('pending', 'running')`.execute(db)
      return { before, after }
    })
    expect(seen.before).toEqual({ any: false, superseded: false, words: [] })
    expect(seen.after).toEqual({ any: true, superseded: true, words: ['Wait'] })
  })
})

describe('a question that cannot be written', () => {
  it('is retried after a minute, no matter how many there are', async () => {
    await says('Do you deliver?')
    const { id } = await conversation()
    await sql`create function refuse_question() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`.execute(
      test.database.root,
    )
    await sql`create trigger refuse_question before insert on messages for each row
      when (new.reason = 'rating_question') execute function refuse_question()`.execute(test.database.root)
    await end()
    expect((await conversation()).rating_ask_at?.getTime()).toBeGreaterThan(Date.now())
    await sql`drop function refuse_question cascade`.execute(test.database.root)
    await write(planQuestionAt(sql`now()`, sql`c.id = ${id}`))
    expect(texts()).toEqual(['You said: Do you deliver?', QUESTION])
  })
})

describe.each([
  ['a group', {}],
  ['a topic of a group', { topic: 4 }],
])('in %s', (_, topic) => {
  it('any member’s press sets the rating of the group, only under its own question', async () => {
    const group = { id: -chat, title: 'Neighbours', ...topic }
    const place = 'topic' in topic ? `${group.id}/${topic.topic}` : String(group.id)
    const mention = { text: `@${telegram.bot(bot.token).username} when is the meeting?` }
    telegram.push(bot.token, saysInGroup(telegram, bot.token, group, { chatId: chat, firstName: 'Anna' }, mention))
    await telegram.waitForSent(group.id)
    await world.pipeline.settle()
    const { id: conversationId } = await world.conversation(place)
    await world.call(bot.organizationId, conversations.end, { conversationId })
    await write(planQuestionAt(sql`now()`, sql`c.id = ${conversationId}`))
    const [, question] = telegram.sentTo(group.id)
    if (question?.text !== QUESTION) throw new Error('the group was not asked')
    const press = async (label: string, by: number, under = question) => {
      const id = presses(telegram, under, label, { by, group })
      await telegram.waitFor(() => telegram.presses.get(id) !== 'open', 'the press to be answered')
      await world.pipeline.settle()
      return telegram.presses.get(id)
    }
    expect(await press('4', chat)).toEqual({ notice: 'Your rating: 4 out of 5' })
    expect(await press('5', chat + 100_000)).toEqual({ notice: 'Your rating: 5 out of 5' })
    expect(await world.conversation(place)).toMatchObject({ status: 'ended', rating_score: 5 })
    const elsewhere = { ...question, messageId: question.messageId - 1 }
    expect(await press('1', chat, elsewhere)).toEqual({ notice: 'Ratings are no longer accepted here.' })
    expect(await world.conversation(place)).toMatchObject({ rating_score: 5 })
  })
})

/** Whether a message makes the running turn stale. */
async function laterThan(db: Db, conversationId: string, sequence: number) {
  const through = sql`${sequence}::bigint`
  const basis = { answersThrough: through, supersedableSeconds: sql`60` }
  const { rows } = await sql`
    select ${hasLaterWords(through)} as any, ${isSuperseded(basis)} as superseded, ${laterWords(through)} as words
    from turns t where t.conversation_id = ${conversationId} and t.status = 'running'`.execute(db)
  return rows[0]
}
