// Conversations that continued through another number, through the whole server and a fake GREEN-API: they return to where the customer
// writes, with all that waits in them, also when either number fails again, an agent is removed, or the customer is known by a hidden id.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StandIn, StandInSettings } from '#shared/channels/stand-ins.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, type TestApp } from '#tests/app.ts'
import { type FakeGreenApi, type FakeInstance, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { edits, saysHidden } from '#tests/fakes/green-api/green-api-scenes.ts'
import { someoneWaits } from '#tests/locks.ts'
import { connectLine, type Line, look, openOffice } from '#tests/whatsapp-lines.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const NOTICE = 'This is us, from another number.'

const greenApi: FakeGreenApi = await startFakeGreenApi({ secondMs: 5 })
let app: TestApp
let person: Person
let agentId: Id<'agents'>
/** The number that fails, and the one that replaces it: new for each test. */
let first: Line
let second: Line
let phone = 77_003_000_000

beforeAll(async () => {
  ;({ app, person, agentId } = await openOffice(greenApi))
})
afterAll(async () => {
  await app.close()
  await greenApi.close()
})
beforeEach(async () => {
  phone++
  first = await addLine()
  second = await addLine()
})

const addLine = (ofAgent = agentId) => connectLine(greenApi, person, ofAgent)

const choose = (standIn: Line | null, given: Partial<StandInSettings> = {}): Promise<StandIn> =>
  person.http.mutation(api.channels.standIns.save, {
    connectionId: first.id,
    settings: { standInId: standIn?.id ?? null, afterMinutes: 15, notice: NOTICE, ...given },
  })
const shown = (): Promise<StandIn> => person.http.query(api.channels.standIns.read, { connectionId: first.id })

/** Notified by the provider, and polled: two changes within one second look the same to both. */
async function setState({ instance, id }: Line, state: FakeInstance['state']): Promise<void> {
  greenApi.setState(instance.idInstance, state)
  await taken()
  await person.http.action(api.channels.whatsapp.refresh, { connectionId: id })
  await app.settle()
}

async function says({ instance }: Line, text: string, from = phone): Promise<string> {
  const id = greenApi.customerSays(instance.idInstance, String(from), text)
  await taken()
  await app.settle()
  return id
}
const taken = () =>
  greenApi.waitFor(() => [first, second].every(({ instance }) => instance.queue.length === 0), 'the notifications')

/** Makes the number look restricted for this long. */
const frozenFor = (minutes: number, line = first) =>
  sql`update channel_connections set frozen_since = now() - ${minutes} * interval '1 minute' where id = ${line.id}`.execute(
    app.database.root,
  )

const sentBy = ({ instance }: Line, to = phone) =>
  greenApi
    .sentTo(String(to))
    .filter(({ idInstance }) => idInstance === instance.idInstance)
    .map(({ text }) => text)

/** WhatsApp's own id, by which the customer may be known, too. */
const lid = () => String(112_894_000_000_000 + (phone % 1_000_000))
const [hidden, open] = [() => `${lid()}@lid`, () => `${phone}@c.us`]

/** A message from the customer's hidden id; `tells`: with the number as well. */
async function hides({ instance }: Line, text: string, tells = false): Promise<void> {
  const from = { lid: lid(), ...(tells && { phone: String(phone) }), name: 'Anna' }
  greenApi.notify(instance.idInstance, saysHidden(greenApi, instance.idInstance, from, text))
  await taken()
  await app.settle()
}

/** All conversations of the two numbers. */
const chats = () => chatsOf(first, second)
const chatsOf = (...lines: Line[]) =>
  app.database.root
    .selectFrom('conversations')
    .where(
      'connection_id',
      'in',
      lines.map(({ id }) => id),
    )
    .select(['id', 'agent_id', 'connection_id', 'external_chat_id', 'status'])
    .orderBy('last_message_at')
    .execute()

async function theConversation(): Promise<Id<'conversations'>> {
  const [found, ...others] = await chats()
  if (!found || others.length > 0) throw new Error('There is not one conversation')
  return found.id
}

async function reply(text: string): Promise<void> {
  await person.http.mutation(api.conversations.reply, { conversationId: await theConversation(), text })
  await app.settle()
}

const setCaps = ({ id }: Line, perDay: number) =>
  person.http.mutation(api.channelConnections.setCaps, {
    connectionId: id,
    caps: { perHour: null, perDay, warmUp: 'off' as const },
  })

/** The customer writes to the first number, which may not send, and is answered by the second. */
async function goesOn(says: () => Promise<unknown>): Promise<void> {
  await choose(second)
  await setState(first, 'yellowCard')
  await says()
  await frozenFor(60)
  await look(app)
  expect(sentBy(second)).toHaveLength(2)
}
const asks = () => says(first, 'Are you there?')

const openParts = async () => {
  const { rows } = await sql<{ text: string; connection_id: string }>`
    select text, connection_id from outbox where connection_id in (${first.id}, ${second.id})
      and status in ('queued', 'claimed', 'sending') order by sequence`.execute(app.database.root)
  return rows
}

describe('a customer who writes to the first number after it recovered', () => {
  it('receives from it, in order, what the other one could not send because it is restricted too', async () => {
    await goesOn(asks)
    await setState(second, 'blocked')
    await reply('A person says one')
    await reply('A person says two')
    await person.http.mutation(api.conversations.resume, { conversationId: await theConversation() })
    await setState(first, 'authorized')
    expect(sentBy(first)).toEqual([])
    await says(first, 'I write to the old one')
    expect(sentBy(first).slice(0, 2)).toEqual(['A person says one', 'A person says two'])
    expect(sentBy(first)).toHaveLength(3)
    expect(sentBy(second)).toHaveLength(2)
    expect(await openParts()).toEqual([])
  })

  it('receives from it what the other one could not send because its cap is used up', async () => {
    await setCaps(second, 2)
    await goesOn(asks)
    await says(second, 'I write to the new one')
    await setState(first, 'authorized')
    await says(first, 'I write to the old one')
    expect([sentBy(first).length, sentBy(second).length]).toEqual([2, 2])
    expect(await openParts()).toEqual([])
  })

  it('is answered, but does not receive messages that have waited for longer than a day', async () => {
    await goesOn(asks)
    await setState(second, 'blocked')
    await reply('A person says this')
    await person.http.mutation(api.conversations.resume, { conversationId: await theConversation() })
    await setState(first, 'authorized')
    await sql`update outbox set updated_at = now() - interval '25 hours'
      where connection_id = ${second.id} and status = 'queued'`.execute(app.database.root)
    await says(first, 'Day two')
    expect(sentBy(first)).toHaveLength(1)
    expect(sentBy(first)).not.toContain('A person says this')
    expect(await openParts()).toEqual([])
  })

  it('is answered even if the other one, now restricted, may have sent a part already: that part stays there', async () => {
    await goesOn(asks)
    await setState(second, 'blocked')
    await reply('This may have arrived')
    await reply('Behind it')
    await person.http.mutation(api.conversations.resume, { conversationId: await theConversation() })
    await sql`update outbox set may_have_arrived = true where connection_id = ${second.id} and text = 'This may have arrived'`.execute(
      app.database.root,
    )
    await setState(first, 'authorized')
    await says(first, 'I write to the old one')
    expect(sentBy(first)).toHaveLength(1)
    expect(await openParts()).toEqual([
      { text: 'This may have arrived', connection_id: second.id },
      { text: 'Behind it', connection_id: second.id },
    ])
    // Recorded as sent after all: the parts behind it go where the customer is.
    await sql`update outbox set status = 'sent' where connection_id = ${second.id} and text = 'This may have arrived'`.execute(
      app.database.root,
    )
    await says(first, 'Once more')
    expect(sentBy(first).slice(1)[0]).toBe('Behind it')
    expect(sentBy(first)).toHaveLength(3)
    expect(sentBy(second)).toHaveLength(2)
  })

  it('is answered by the other one, which can send, as long as that has a claimed part that may have arrived', async () => {
    await goesOn(asks)
    await setState(first, 'authorized')
    const conversationId = await theConversation()
    await setState(second, 'blocked')
    await reply('This may have arrived')
    await person.http.mutation(api.conversations.resume, { conversationId })
    await sql`update outbox set may_have_arrived = true, not_before = now() + interval '1 hour'
      where conversation_id = ${conversationId} and status = 'queued'`.execute(app.database.root)
    await setState(second, 'authorized')
    await says(first, 'I write to the old one')
    expect(sentBy(first)).toEqual([])
    await sql`update outbox set not_before = now() where conversation_id = ${conversationId} and status = 'queued'`.execute(
      app.database.root,
    )
    await app.settle()
    expect(sentBy(second).slice(2)[0]).toBe('This may have arrived')
    expect(sentBy(second)).toHaveLength(4)
  })

  it('and earlier to both receives from it what the other one had taken over and could not send', async () => {
    await choose(second)
    await says(second, 'Hello')
    await says(first, 'Hello to you too')
    await setCaps(second, 4)
    await setState(first, 'yellowCard')
    await asks()
    await says(first, 'Hello?')
    await frozenFor(60)
    await look(app)
    expect(await openParts()).toEqual([])
    const sentCount = sentBy(second).length
    await setState(second, 'blocked')
    const [onFirst] = (await chats()).filter((chat) => chat.connection_id === first.id)
    if (!onFirst) throw new Error('There is no conversation at the first number')
    await person.http.mutation(api.conversations.reply, { conversationId: onFirst.id, text: 'A person says this' })
    await app.settle()
    await sql`update outbox set connection_id = ${second.id} where text = 'A person says this' and connection_id = ${first.id}`.execute(
      app.database.root,
    )
    await setState(first, 'authorized')
    const before = sentBy(first).length
    await says(first, 'Well?')
    expect(sentBy(first).slice(before)).toEqual(['A person says this'])
    expect(sentBy(second)).toHaveLength(sentCount)
  })

  it('moves the conversation there once: a duplicate of an earlier message moves nothing', async () => {
    const { idInstance } = first.instance
    const old = greenApi.textMessage(idInstance, String(phone), 'First words')
    greenApi.notify(idInstance, old)
    await taken()
    await app.settle()
    await goesOn(asks)
    await says(second, 'I am here now')
    await setState(first, 'authorized')
    const before = greenApi.sent.length
    greenApi.notify(idInstance, structuredClone(old))
    await taken()
    await app.settle()
    expect(await chats()).toMatchObject([{ connection_id: second.id }])
    expect(greenApi.sent).toHaveLength(before)
  })
})

describe('a conversation whose agent is removed after it moved to a number of another agent', () => {
  it('is continued by that agent', async () => {
    const removed = agentId
    const { _id: other } = await person.http.mutation(api.agents.create, { name: 'Other' })
    second = await addLine(other)
    await goesOn(asks)
    await person.http.mutation(api.agents.remove, { id: removed })
    agentId = (await person.http.mutation(api.agents.create, { name: 'Helper' }))._id
    await app.settle()
    await says(second, 'Hello?')
    expect(sentBy(second)).toHaveLength(3)
    expect(await chats()).toMatchObject([{ agent_id: other, connection_id: second.id }])
  })
})

describe('a customer who is known by a hidden id, too', () => {
  const asksByBoth = async () => {
    await hides(first, 'Are you there?', true)
  }

  it('is not moved to another number when a part is addressed to the hidden id, or they last wrote from it', async () => {
    await choose(second)
    await hides(first, 'Hello', true)
    await setState(first, 'yellowCard')
    await hides(first, 'By both', true)
    await hides(first, 'By the id alone')
    await frozenFor(60)
    await look(app)
    expect(sentBy(second)).toEqual([])
    expect(greenApi.sentTo(lid())).toEqual([])
    expect(await chats()).toMatchObject([{ connection_id: first.id }])
    expect((await shown()).waiting).toEqual({ hidden: 1, uncertain: 0, next: 0 })
    // The other number answers messages that are written to it.
    await says(second, 'I write here')
    expect(sentBy(second)).toHaveLength(1)
    expect(greenApi.sent.filter(({ chatId }) => chatId === hidden())).toEqual([])
    // When the number recovers, everything waiting is sent, each message to the chat in which it was asked for.
    await setState(first, 'authorized')
    expect(sentBy(first)).toHaveLength(2)
    expect(greenApi.sent.filter(({ chatId }) => chatId === hidden())).toHaveLength(1)
  })

  it('stays in the same conversation when they write to the first number by the hidden id alone, silent while a person has it', async () => {
    await hides(first, 'Hello', true)
    await goesOn(asksByBoth)
    await reply('A person has it')
    await setState(first, 'authorized')
    const before = greenApi.sent.length
    await hides(first, 'By the id alone')
    expect(await chats()).toMatchObject([{ connection_id: first.id, status: 'paused', external_chat_id: open() }])
    expect(greenApi.sent).toHaveLength(before)
    await person.http.mutation(api.conversations.resume, { conversationId: await theConversation() })
    await app.settle()
    await hides(first, 'And again')
    await says(second, 'And to the other one')
    await hides(first, 'And to the first')
    expect(await chats()).toMatchObject([{ connection_id: first.id }])
  })

  it('and at the other number, once that knows both ids', async () => {
    await hides(first, 'Hello', true)
    await goesOn(asksByBoth)
    await hides(second, 'Now here', true)
    await reply('A person has it')
    const before = greenApi.sent.length
    await hides(second, 'By the id alone')
    expect(await chats()).toMatchObject([{ connection_id: second.id, status: 'paused' }])
    expect(greenApi.sent).toHaveLength(before)
  })

  it('is answered by a person from the phone in the hidden chat, which silences the conversation where it is', async () => {
    await hides(first, 'Hello', true)
    await goesOn(asksByBoth)
    const { idInstance, phone: own } = first.instance
    const reply = greenApi.textMessage(idInstance, String(phone), 'This is Boris')
    const sender = { sender: `${own}@c.us`, senderPhoneNumber: Number(own) }
    const senderData = { ...sender, chatId: hidden(), senderName: 'Owner' }
    greenApi.notify(idInstance, { ...reply, typeWebhook: 'outgoingMessageReceived', senderData })
    await taken()
    await app.settle()
    expect(await chats()).toMatchObject([{ connection_id: second.id, status: 'paused' }])
  })
})

describe('a conversation that is moving to another number', () => {
  /** Runs `tell` at the second number while the conversation moves to the first. */
  async function whileItMoves(tell: () => unknown): Promise<Id<'conversations'>> {
    await setState(first, 'authorized')
    const id = await theConversation()
    await app.database.root.transaction().execute(async (db) => {
      await sql`update conversations set connection_id = ${first.id} where id = ${id}`.execute(db)
      tell()
      await someoneWaits(db)
    })
    await taken()
    await app.settle()
    return id
  }

  it('applies an edit of a message there', async () => {
    await goesOn(asks)
    const message = await says(second, 'Two cups')
    const { idInstance } = second.instance
    const id = await whileItMoves(() =>
      greenApi.notify(idInstance, edits(greenApi, idInstance, { phone: String(phone) }, message, 'Three cups')),
    )
    const { page } = await person.http.query(api.conversations.messages, { conversationId: id, ...PAGE })
    expect(page.map(({ text }) => text)).toContain('Three cups')
  })

  it('is silenced by a person who answers there', async () => {
    await goesOn(asks)
    await whileItMoves(() => greenApi.phoneSays(second.instance.idInstance, String(phone), 'This is the owner'))
    expect(await chats()).toMatchObject([{ connection_id: first.id, status: 'paused' }])
  })
})

describe('a customer who has written to both numbers', () => {
  async function writesToBoth(): Promise<{ onFirst: Id<'conversations'>; onSecond: Id<'conversations'> }> {
    await choose(second)
    await says(second, 'Hello')
    await says(first, 'Hello to you too')
    const at = async ({ id }: Line) =>
      (await chats()).find((chat) => chat.connection_id === id)?.id ?? ('' as Id<'conversations'>)
    return { onFirst: await at(first), onSecond: await at(second) }
  }
  const replyTo = async (conversationId: Id<'conversations'>, text: string) => {
    await person.http.mutation(api.conversations.reply, { conversationId, text })
    await app.settle()
  }

  it('stays with the person who answers them, even if the other conversation was deleted', async () => {
    const { onFirst, onSecond } = await writesToBoth()
    await person.http.mutation(api.conversations.bulk.place, { conversationIds: [onSecond], folder: 'deleted' })
    await setState(first, 'yellowCard')
    await replyTo(onFirst, 'A person takes it')
    await frozenFor(60)
    await look(app)
    const sent = sentBy(second)
    expect(sent.slice(-2)).toEqual([NOTICE, 'A person takes it'])
    await says(second, 'Who are you?')
    expect(sentBy(second)).toEqual(sent)
  })

  it('receives from each further number a notice of whose it is, and is known there', async () => {
    const { onFirst } = await writesToBoth()
    const third = await addLine()
    await setState(first, 'yellowCard')
    await replyTo(onFirst, 'One')
    await frozenFor(60)
    await look(app)
    expect(sentBy(second).slice(-2)).toEqual([NOTICE, 'One'])
    await setState(second, 'blocked')
    await choose(third)
    await replyTo(onFirst, 'Two')
    await look(app)
    expect(sentBy(third)).toEqual([NOTICE, 'Two'])
    await setState(first, 'authorized')
    await says(first, 'Back at the first')
    await says(third, 'And at the third')
    expect(await chatsOf(first, second, third)).toHaveLength(2)
    expect(sentBy(third)).toEqual([NOTICE, 'Two'])
  })
})

it('what was left at a number with a replacement of its own is sent by the number that the customer knows', async () => {
  const third = await addLine()
  await goesOn(asks)
  await person.http.mutation(api.channels.standIns.save, {
    connectionId: second.id,
    settings: { standInId: third.id, afterMinutes: 15, notice: NOTICE },
  })
  await setState(second, 'blocked')
  await reply('This may have arrived')
  await reply('Behind it')
  await person.http.mutation(api.conversations.resume, { conversationId: await theConversation() })
  await sql`update outbox set may_have_arrived = true where connection_id = ${second.id} and text = 'This may have arrived'`.execute(
    app.database.root,
  )
  await setState(first, 'authorized')
  await says(first, 'I write to the old one')
  const answered = sentBy(first)
  expect(answered).toHaveLength(1)
  await sql`update outbox set status = 'sent' where connection_id = ${second.id} and text = 'This may have arrived'`.execute(
    app.database.root,
  )
  await frozenFor(60, second)
  await look(app)
  expect(sentBy(third)).toEqual([])
  expect(sentBy(first)).toEqual([...answered, 'Behind it'])
})
