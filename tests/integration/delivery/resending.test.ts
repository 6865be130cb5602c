// Sends of unknown outcome, on a channel that cannot be asked: they wait for an operator, or are sent once more
// automatically where the agent is set so.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { unknownSendsJob } from '#server/domain/messaging/delivery/unknown-sends.job.ts'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import { recordOutcomes, releaseParts } from '#server/domain/messaging/outbox/deliver.store.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 5000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  bot = await world.addBot('webhook', {
    resending: { isOn: true },
    replies: { splitByParagraphs: true, pace: 'instant' },
  })
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

async function says(text: string, to = bot): Promise<void> {
  telegram.customerSays(to.token, chat, text)
  await telegram.waitFor(() => telegram.isTaken(to.token), 'the message to be taken')
  await world.pipeline.settle()
}

/** The customer writes, and the provider fails this many times before it accepts the answer: the outcome is unknown. */
async function losesAnswer(to = bot, times = 1): Promise<void> {
  telegram.faults.refusals = { count: times, status: 500 }
  await says('Hello', to)
  expect(await states()).toContain('unknown')
}

/** Runs the job of each minute. */
async function minutePasses(): Promise<void> {
  await unknownSendsJob.run(world.services, {}, new AbortController().signal)
  await world.pipeline.settle()
}

const states = async () => (await world.parts(chat)).map(({ status }) => status)
const texts = () => telegram.sentTo(chat).map(({ text }) => text)

it('one that did not arrive is sent once more, with the parts behind it', async () => {
  world.model = () => 'We are open.\n\nCome in.'
  await losesAnswer()
  expect(texts()).toEqual([])
  await minutePasses()
  expect(texts()).toEqual(['We are open.', 'Come in.'])
  expect(await states()).toEqual(['sent', 'sent'])
  await minutePasses()
  expect(texts()).toHaveLength(2)
})

it('it waits for a person where the agent is not set so', async () => {
  const other = await world.addBot('webhook')
  await losesAnswer(other)
  await minutePasses()
  expect(await states()).toEqual(['unknown'])
  expect(texts()).toEqual([])
})

it('one that was definitely not sent, as its server records when it resumes, is sent also where the agent is not set so', async () => {
  world.model = () => 'We are open.\n\nCome in.'
  const other = await world.addBot('webhook', { replies: { splitByParagraphs: true, pace: 'instant' } })
  await losesAnswer(other)
  const [first] = await world.parts(chat)
  if (!first) throw new Error('there is no part')
  const end = { id: first.id, status: 'queued', externalMessageId: null, error: 'temporary: stood still' } as const
  const facts = { mayHaveArrived: false, delayMs: 0, isPaced: false, hasReceipts: false, logged: null, attempt: 1 }
  await test.database.system('test: it wakes up', async (db) => {
    await db
      .updateTable('outbox')
      .set({ error: 'interrupted', may_have_arrived: false })
      .where('id', '=', first.id)
      .execute()
    await recordOutcomes({ db }, [{ ...end, ...facts }])
  })
  expect(await states()).toEqual(['failed', 'failed'])
  await minutePasses()
  expect(texts()).toEqual(['We are open.', 'Come in.'])
})

it('it is sent once more, and not again', async () => {
  await losesAnswer(bot, 2)
  await minutePasses()
  expect(telegram.faults.refusals.count).toBe(0)
  expect(await states()).toEqual(['unknown'])
  await minutePasses()
  expect(texts()).toEqual([])
})

it('it is not sent when a later message exists, or the agent is silent', async () => {
  await losesAnswer()
  const { id: conversationId } = await world.conversation(chat)
  await world.call(bot.organizationId, conversations.pause, { conversationId })
  await minutePasses()
  expect(texts()).toEqual([])
  await world.call(bot.organizationId, conversations.reply, { conversationId, text: 'I am here.' })
  await world.call(bot.organizationId, conversations.resume, { conversationId })
  await world.pipeline.settle()
  await minutePasses()
  expect(texts()).toEqual(['I am here.'])
})

it('a part behind one that has arrived waits for a person', async () => {
  world.model = () => 'We are open.\n\nCome in.'
  telegram.isOrdered = true
  await says('Hello')
  expect(texts()).toHaveLength(2)
  await test.database.system('test: as if its outcome were unknown', (db) =>
    db
      .updateTable('outbox')
      .set({ status: 'unknown' })
      .where('external_chat_id', '=', String(chat))
      .where('part', '=', 1)
      .execute(),
  )
  await minutePasses()
  expect(await states()).toEqual(['sent', 'unknown'])
})

it('it is not sent when the agent is switched off on its connection', async () => {
  await losesAnswer()
  const setAgent = (isAgentOn: boolean) =>
    test.database.system('test: the agent is switched', (db) =>
      db
        .updateTable('channel_connections')
        .set({ settings: JSON.stringify({ isAgentOn }) })
        .where('id', '=', bot.connectionId)
        .execute(),
    )
  await setAgent(false)
  await minutePasses()
  await setAgent(true)
  expect(texts()).toEqual([])
})

it('a part that a pause withheld while it was being sent is not sent when the agent resumes, even if its server has crashed', async () => {
  await losesAnswer()
  const leave = (columns: object) =>
    test.database.system('test: the state after a crash', (db) =>
      db.updateTable('outbox').set(columns).where('external_chat_id', '=', String(chat)).execute(),
    )
  await leave({ status: 'sending', error: null, owner: null, lease_until: new Date(Date.now() + 60_000) })
  const { id: conversationId } = await world.conversation(chat)
  await world.call(bot.organizationId, conversations.pause, { conversationId })
  await leave({ lease_until: new Date(0) })
  await test.database.system('test: another server takes over', (db) =>
    releaseParts({ db }, [], { droppingRepeats: [], showingRecorded: [] }),
  )
  await world.call(bot.organizationId, conversations.resume, { conversationId })
  await world.pipeline.settle()
  await minutePasses()
  expect(await states()).toEqual(['unknown'])
  expect(texts()).toEqual([])
})

it('what comes too late is not sent', async () => {
  await losesAnswer()
  await test.database.system('test: time passes', (db) =>
    db
      .updateTable('outbox')
      .set({ updated_at: new Date(Date.now() - 130_000) })
      .where('external_chat_id', '=', String(chat))
      .execute(),
  )
  await minutePasses()
  expect(await states()).toEqual(['unknown'])
})

it('one that a person sends again and that fails now keeps its unknown outcome', async () => {
  const other = await world.addBot('webhook')
  await losesAnswer(other)
  const [part] = await world.parts(chat)
  await test.database.system('test: as a server leaves it that died while it sent', (db) =>
    db
      .updateTable('outbox')
      .set({ may_have_arrived: false, error: 'interrupted' })
      .where('external_chat_id', '=', String(chat))
      .execute(),
  )
  telegram.faults.blocked.add(String(chat))
  await world.call(other.organizationId, conversations.resend, { outboxId: part?.id })
  await world.pipeline.settle()
  telegram.faults.blocked.delete(String(chat))
  expect(await states()).toEqual(['unknown'])
})

it('one that is resent by two people, or twice, is sent once, and no one gets a not-found error', async () => {
  const other = await world.addBot('webhook')
  await losesAnswer(other)
  const [part] = await world.parts(chat)
  const press = () => world.call(other.organizationId, conversations.resend, { outboxId: part?.id })
  expect(await Promise.all([press(), press()])).toEqual([null, null])
  await world.pipeline.settle()
  expect(await press()).toBeNull()
  await world.pipeline.settle()
  expect([await states(), texts().length]).toEqual([['sent'], 1])
})
