// An answer that is sent as a person writes: one message per paragraph, each after the time to type it.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as bulk from '#server/domain/messaging/inbox/bulk.functions.ts'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import { recordOutcomes, releaseParts } from '#server/domain/messaging/outbox/deliver.store.ts'
import { paceParts } from '#server/domain/messaging/outbox/split.ts'
import { HOUR_MS } from '#shared/channels/caps.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

type Outcome = Parameters<typeof recordOutcomes>[1][number]

const PARAGRAPHS = [
  'We have tea and coffee. '.repeat(2).trim(),
  'Delivery takes two days, sometimes three.',
  'Shall I order?',
]

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let human: Bot
let chat = 4000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  human = await world.addBot('webhook', { replies: { splitByParagraphs: true, pace: 'human' } })
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})
beforeEach(() => {
  world.model = () => PARAGRAPHS.join('\n\n')
  chat++
})

async function says(bot: Bot, text: string): Promise<void> {
  telegram.customerSays(bot.token, chat, text)
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  await world.pipeline.settle()
}

/** An operator's action on the conversation. */
async function call(mutation: unknown, args: Record<string, unknown> = {}): Promise<void> {
  const { id, organizationId } = await world.conversation(chat)
  await world.call(organizationId, mutation, { conversationId: id, ...args })
  await world.pipeline.settle()
}

/** Advances time to the first open part and no further; on a busy machine it may have passed. @returns what was sent by then */
async function typeOne(): Promise<string[]> {
  const { id } = await world.conversation(chat)
  const before = telegram.sentTo(chat).length
  const isWaiting = await test.database.system('test: let time pass', async (db) => {
    const first = await db
      .selectFrom('outbox')
      .where('conversation_id', '=', id)
      .where('status', '=', 'queued')
      .orderBy('sequence')
      .select('id')
      .executeTakeFirst()
    if (!first) return false
    await db.updateTable('outbox').set({ not_before: sql<Date>`now()` }).where('id', '=', first.id).execute()
    return true
  })
  if (isWaiting) await telegram.waitForSent(chat, before + 1)
  await world.pipeline.settle()
  return telegram.sentTo(chat).map((sent) => sent.text)
}

/** Ms that the part waits after the previous one was sent, by the database's clock. */
async function waitOf(part: number): Promise<number> {
  const parts = await world.parts(chat)
  return Number(parts[part]?.not_before) - Number(parts[part - 1]?.updated_at)
}

/** Sends the first part of an answer: nothing settles before its outcome is known. */
async function beginToSend(): Promise<void> {
  await says(human, 'Hello')
  const [first] = await world.parts(chat)
  await test.database.system('test: begin to send', (db) =>
    sql`update outbox set status = 'sending', lease_until = now() + interval '1 hour' where id = ${first?.id}`.execute(
      db,
    ),
  )
}

/** An operator's action while a part is being sent. */
async function meanwhile(mutation: unknown, args: Record<string, unknown> = {}): Promise<void> {
  const { id, organizationId } = await world.conversation(chat)
  await world.call(organizationId, mutation, { conversationId: id, ...args })
}

/** The outcome of the part that is being sent. */
async function ends(outcome: Pick<Outcome, 'status' | 'externalMessageId' | 'error'>): Promise<void> {
  const [first] = await world.parts(chat)
  await test.database.system('test: the end of a send', (db) =>
    recordOutcomes({ db }, [
      {
        id: first?.id as Outcome['id'],
        ...outcome,
        delayMs: 0,
        mayHaveArrived: false,
        isPaced: false,
        hasReceipts: false,
        logged: null,
      },
    ]),
  )
  await world.pipeline.settle()
}

describe('an answer at a human pace', () => {
  it('is sent part by part, each when a person would have typed it, with the typing shown', async () => {
    await says(human, 'Hello')
    expect(telegram.sentTo(chat)).toEqual([])
    expect(await typeOne()).toEqual(PARAGRAPHS.slice(0, 1))
    const [, second] = paceParts(PARAGRAPHS, 'human', 0)
    expect(await waitOf(1)).toBe(second?.delayMs)
    await telegram.waitFor(() => telegram.typing.some((typing) => typing.chatId === String(chat)), 'typing')
    expect(await typeOne()).toEqual(PARAGRAPHS.slice(0, 2))
    expect(await typeOne()).toEqual(PARAGRAPHS)
    expect(await world.parts(chat)).toMatchObject(PARAGRAPHS.map(() => ({ status: 'sent', attempt: 1 })))
    expect(await world.usage(human, chat)).toMatchObject([{ messages: 1 }])
  })

  it('is sent by the clock alone', async () => {
    world.model = () => 'Yes.\n\nOf course.'
    telegram.customerSays(human.token, chat, 'Are you open?')
    const [first, second] = await telegram.waitForSent(chat, 2)
    expect([first?.text, second?.text]).toEqual(['Yes.', 'Of course.'])
  })

  it('continues where it was after a restart, in order', async () => {
    await says(human, 'Hello')
    await typeOne()
    await world.stop()
    world = new PipelineWorld(test.database, telegram)
    await world.start()
    await world.pipeline.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
    await typeOne()
    expect(await typeOne()).toEqual(PARAGRAPHS)
    human = await world.addBot('webhook', { replies: { splitByParagraphs: true, pace: 'human' } })
  })

  it('ends with a pause: unsent parts are withheld', async () => {
    await says(human, 'Hello')
    await typeOne()
    await call(conversations.pause)
    expect(await world.parts(chat)).toMatchObject([
      { status: 'sent' },
      { status: 'failed', error: 'paused' },
      { status: 'failed', error: 'paused' },
    ])
    expect(telegram.sentTo(chat)).toHaveLength(1)
  })

  it('is completed when the customer writes meanwhile; the next answer comes after it', async () => {
    await says(human, 'Hello')
    await typeOne()
    world.model = echo
    await says(human, 'And the price?')
    expect(telegram.sentTo(chat)).toHaveLength(1)
    await typeOne()
    await typeOne()
    expect(await typeOne()).toEqual([...PARAGRAPHS, 'You said: And the price?'])
    const asked = world.requests.at(-1)?.messages.map(({ role }) => role)
    expect(asked).toEqual(['user', 'assistant', 'user'])
  })
})

it('opens every question again of which a pause has withheld the answers, one after the other', async () => {
  world.model = echo
  await says(human, 'How much is it?')
  await says(human, 'And in red?')
  await call(conversations.pause)
  await call(conversations.resume)
  await typeOne()
  expect(await typeOne()).toEqual(['You said: How much is it?', 'And in red?'])
  expect(await world.turns(chat)).toMatchObject([
    { outcome: 'withheld', answered_before: 0 },
    { outcome: 'withheld' },
    { outcome: 'replied', answered_before: 0 },
  ])
})

describe('an answer that a pause has withheld completely', () => {
  const heard = () => telegram.sentTo(chat).map((sent) => sent.text)
  const counted = async () => (await world.usage(human, chat)).reduce((sum, { messages }) => sum + messages, 0)

  beforeEach(async () => {
    world.model = () => 'Never heard.'
    await says(human, 'How much is it?')
    await call(conversations.pause)
    world.model = echo
    world.requests.length = 0
  })

  it('is generated again when the agent resumes, without knowledge of the first, and counts once', async () => {
    await call(conversations.resume)
    expect(await typeOne()).toEqual(['You said: How much is it?'])
    expect(JSON.stringify(world.requests.at(-1)?.messages)).not.toContain('Never heard.')
    expect(await world.turns(chat)).toMatchObject([{ outcome: 'withheld' }, { outcome: 'replied' }])
    expect(await counted()).toBe(1)
    expect(await world.conversation(chat)).toMatchObject({ answers_count: 1 })
    const { trace } = await world.read((db) =>
      db.selectFrom('turn_traces').select('trace').orderBy('created_at', 'desc').offset(1).executeTakeFirstOrThrow(),
    )
    expect(trace.outcome).toBe('withheld')
  })

  it('is generated again when its conversation was deleted meanwhile and the customer reopens it', async () => {
    await call(conversations.resume)
    const { id, organizationId } = await world.conversation(chat)
    await world.call(organizationId, bulk.place, { conversationIds: [id], folder: 'deleted' })
    await says(human, 'Hello?')
    await typeOne()
    expect(await typeOne()).toEqual(['You said: How much is it?', 'Hello?'])
    expect(await world.turns(chat)).toMatchObject([
      { outcome: 'withheld' },
      { outcome: 'withheld' },
      { outcome: 'replied' },
    ])
    expect(await counted()).toBe(1)
  })

  it('is generated again when the pause expires', async () => {
    await call(conversations.pause, { resumeAfterMs: 60_000 })
    const { id } = await world.conversation(chat)
    await test.database.system('test: let time pass', (db) =>
      db.updateTable('conversations').set({ resume_at: sql<Date>`now()` }).where('id', '=', id).execute(),
    )
    await world.pipeline.settle()
    expect(await typeOne()).toEqual(['You said: How much is it?'])
    expect(await counted()).toBe(1)
  })

  it('is not generated again when a person has answered instead', async () => {
    await call(conversations.reply, { text: 'Ten euros.' })
    await call(conversations.resume)
    expect(heard()).toEqual(['Ten euros.'])
    expect(await counted()).toBe(0)
    await says(human, 'Thanks')
    expect(JSON.stringify(world.requests.at(-1)?.messages)).not.toContain('Never heard.')
  })

  it('is not generated again when a person has sent it after all', async () => {
    const [part] = await world.parts(chat)
    const { organizationId } = await world.conversation(chat)
    await world.call(organizationId, conversations.resend, { outboxId: part?.id })
    await world.pipeline.settle()
    expect(heard()).toEqual(['Never heard.'])
    await call(conversations.resume)
    expect(await world.turns(chat)).toMatchObject([{ outcome: 'replied' }])
    expect(await counted()).toBe(1)
  })
})

describe('an answer that a pause has withheld in part', () => {
  it('keeps the sent parts; the agent does not know the others', async () => {
    await says(human, 'Hello')
    await typeOne()
    await call(conversations.pause)
    await call(conversations.resume)
    expect(await world.turns(chat)).toMatchObject([{ outcome: 'replied' }])
    world.model = echo
    await says(human, 'And the price?')
    const history = world.requests.at(-1)?.messages.map(({ role, text }) => [role, text])
    expect(history).toEqual([
      ['user', 'Hello'],
      ['assistant', PARAGRAPHS[0]],
      ['user', 'And the price?'],
    ])
  })
})

describe('a part that is being sent when a pause comes', () => {
  const definitelyNotSent = { status: 'queued', externalMessageId: null, error: 'unavailable' } as const

  beforeEach(async () => {
    await beginToSend()
    await meanwhile(conversations.pause)
  })

  it('is withheld like the others when it did not arrive', async () => {
    await ends(definitelyNotSent)
    expect(await world.parts(chat)).toMatchObject(PARAGRAPHS.map(() => ({ status: 'failed', error: 'paused' })))
    expect(telegram.sentTo(chat)).toEqual([])
  })

  it('is sent when it arrived, even if the parts behind it are withheld', async () => {
    await ends({ status: 'sent', externalMessageId: '1', error: null })
    expect(await world.parts(chat)).toMatchObject([
      { status: 'sent', error: null },
      { status: 'failed', error: 'paused' },
      { status: 'failed', error: 'paused' },
    ])
  })

  it('is retried when the agent has resumed before it failed', async () => {
    await meanwhile(conversations.resume)
    await ends(definitelyNotSent)
    await telegram.waitForSent(chat, 1)
    await typeOne()
    expect(await typeOne()).toEqual(PARAGRAPHS)
  })

  it('stays withheld when a person has answered before the agent resumed', async () => {
    await meanwhile(conversations.reply, { text: 'Ten euros.' })
    await meanwhile(conversations.resume)
    await ends(definitelyNotSent)
    expect(telegram.sentTo(chat).map((sent) => sent.text)).toEqual(['Ten euros.'])
    expect((await world.parts(chat)).slice(0, 3)).toMatchObject(PARAGRAPHS.map(() => ({ error: 'paused' })))
  })

  it('has failed when it was given up before its outcome was known, and is not sent after a person’s later messages', async () => {
    await meanwhile(conversations.resume)
    const [first] = await world.parts(chat)
    await test.database.system('test: the server is thought dead', async (db) => {
      await sql`update outbox set lease_until = now() - interval '1 second' where id = ${first?.id}`.execute(db)
      await releaseParts({ db }, [], { droppingRepeats: [], showingRecorded: [] })
    })
    await meanwhile(conversations.reply, { text: 'Ten euros.' })
    await ends(definitelyNotSent)
    expect(telegram.sentTo(chat).map((sent) => sent.text)).toEqual(['Ten euros.'])
    expect((await world.parts(chat)).slice(0, 3)).toMatchObject([
      { status: 'failed', error: 'interrupted' },
      { status: 'failed', error: 'earlier_part' },
      { status: 'failed', error: 'earlier_part' },
    ])
  })
})

describe('an answer with a part being sent when its conversation', () => {
  const arrived = { status: 'sent', externalMessageId: '1', error: null } as const

  async function isPut(folder: string): Promise<void> {
    const { id, organizationId } = await world.conversation(chat)
    await world.call(organizationId, bulk.place, { conversationIds: [id], folder })
  }

  async function statuses(): Promise<string[]> {
    await ends(arrived)
    return (await world.parts(chat)).map(({ status }) => status)
  }

  beforeEach(beginToSend)

  it('ends, is not continued', async () => {
    await meanwhile(conversations.end)
    expect(await statuses()).toEqual(['sent', 'failed', 'failed'])
  })

  it('is deleted, is not continued', async () => {
    await isPut('deleted')
    expect(await statuses()).toEqual(['sent', 'failed', 'failed'])
  })

  it('is deleted and restored, is completed', async () => {
    await isPut('deleted')
    await isPut('inbox')
    expect(await statuses()).toEqual(['sent', 'queued', 'queued'])
  })
})

describe('a part whose connection is switched off', () => {
  it('fails with that reason, also when it was written afterwards', async () => {
    const bot = await world.addBot('webhook', { replies: { splitByParagraphs: true, pace: 'human' } })
    await says(bot, 'Hello')
    const due = sql<Date>`now()`
    await test.database.system('test: switch off', async (db) => {
      await db.updateTable('outbox').set({ not_before: due }).where('connection_id', '=', bot.connectionId).execute()
      await db
        .updateTable('channel_connections')
        .set({ disconnected_at: due })
        .where('id', '=', bot.connectionId)
        .execute()
    })
    await world.pipeline.settle()
    expect(await world.parts(chat)).toMatchObject(PARAGRAPHS.map(() => ({ status: 'failed', error: 'connection_off' })))
  })
})

describe('an answer that is split, without a pace', () => {
  it('is sent at once, in order', async () => {
    const bot = await world.addBot('webhook', { replies: { splitByParagraphs: true, pace: 'instant' } })
    await says(bot, 'Hello')
    expect(telegram.sentTo(chat).map((sent) => sent.text)).toEqual(PARAGRAPHS)
  })
})

it("a provider's pace delays parts that come too early", async () => {
  const { channels } = world.services
  const { telegram: asItIs } = channels
  const once = { count: 1, perMs: HOUR_MS }
  channels.telegram = {
    ...asItIs,
    pace: { all: { count: 30, perMs: 1000 }, of: (chatId) => ({ chat: chatId, pace: once }) },
  }
  world.model = () => ['one', 'two'].map((word) => word.repeat(1300)).join('\n\n')
  await says(await world.addBot(), 'hello')
  channels.telegram = asItIs
  expect(telegram.sentTo(chat)).toHaveLength(1)
  const [sent, waiting] = await world.parts(chat)
  expect(sent).toMatchObject({ status: 'sent' })
  expect(waiting).toMatchObject({ status: 'queued', error: 'temporary: waiting' })
  expect(Number(waiting?.not_before)).toBeGreaterThan(Date.now() + HOUR_MS / 2)
})
