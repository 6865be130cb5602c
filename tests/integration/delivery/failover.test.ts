// Numbers that replace each other, through the whole server and a fake GREEN-API: messages waiting for a restricted number are sent by
// the other one, once, after a notice to the customer. Time passes by moving what is stored into the past.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reroute } from '#server/domain/messaging/delivery/reroute.ts'
import { listDue } from '#server/domain/messaging/outbox/reroute.store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { StandIn, StandInSettings } from '#shared/channels/stand-ins.ts'
import type { Id } from '#shared/ids.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { api, type Person, type TestApp } from '#tests/app.ts'
import { type FakeGreenApi, type FakeInstance, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { edits } from '#tests/fakes/green-api/green-api-scenes.ts'
import { connectLine, type Line, look, openOffice } from '#tests/whatsapp-lines.ts'

const PAGE = { paginationOpts: { numItems: 50, cursor: null } }
const NOTICE = 'This is us, from another number.'

const greenApi: FakeGreenApi = await startFakeGreenApi({ secondMs: 5 })
let app: TestApp
let person: Person
let agentId: Id<'agents'>
/** The number that fails, and the one that replaces it: new for each test. */
let first: Line
let second: Line
let phone = 77_002_000_000

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

const addLine = () => connectLine(greenApi, person, agentId)

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
const frozenFor = (minutes: number) =>
  sql`update channel_connections set frozen_since = now() - ${minutes} * interval '1 minute' where id = ${first.id}`.execute(
    app.database.root,
  )

const sentBy = ({ instance }: Line, to = phone) =>
  greenApi
    .sentTo(String(to))
    .filter(({ idInstance }) => idInstance === instance.idInstance)
    .map(({ text }) => text)

/** The customer's conversations, by the number that has them. */
const chats = () =>
  app.database.root
    .selectFrom('conversations')
    .where('external_chat_id', '=', `${phone}@c.us`)
    .select(['id', 'connection_id', 'status', 'thread_id'])
    .execute()

async function theConversation(): Promise<Id<'conversations'>> {
  const [found, ...others] = await chats()
  if (!found || others.length > 0) throw new Error('There is not one conversation')
  return found.id
}

const messages = async (conversationId: Id<'conversations'>): Promise<Message[]> =>
  (await person.http.query(api.conversations.messages, { conversationId, ...PAGE })).page

const reply = (conversationId: Id<'conversations'>, text: string) =>
  person.http.mutation(api.conversations.reply, { conversationId, text })

describe('a number that is restricted for longer than the failover delay', () => {
  it('sends nothing; another one sends what has waited, in order, after a notice, and the conversation continues there', async () => {
    await choose(second)
    await says(first, 'Hello')
    expect(sentBy(first)).toHaveLength(1)
    await setState(first, 'yellowCard')
    await says(first, 'Are you there?')
    const _id = await theConversation()
    await reply(_id, 'A person says one')
    await reply(_id, 'A person says two')
    await frozenFor(14)
    await look(app)
    expect(sentBy(second)).toEqual([])

    await frozenFor(16)
    await look(app)
    expect(sentBy(second)).toEqual([NOTICE, 'A person says one', 'A person says two'])
    expect(sentBy(first)).toHaveLength(1)
    expect(first.instance.held).toEqual([])
    await look(app)
    expect(sentBy(second)).toHaveLength(3)

    await person.http.mutation(api.conversations.resume, { conversationId: _id })
    await app.settle()
    const before = sentBy(second).length
    await says(second, 'Good, I write here now')
    expect(await theConversation()).toBe(_id)
    expect(sentBy(second)).toHaveLength(before + 1)
    await reply(_id, 'And this goes there at once')
    await app.settle()
    expect(sentBy(second).at(-1)).toBe('And this goes there at once')

    await setState(first, 'authorized')
    await look(app)
    expect(sentBy(first)).toHaveLength(1)
  })

  it('leaves the conversation where the customer is, and answers when it has recovered and they write to it', async () => {
    await choose(second)
    await setState(first, 'yellowCard')
    await says(first, 'Are you there?')
    await frozenFor(60)
    await look(app)
    expect(sentBy(second)).toHaveLength(2)
    const _id = await theConversation()

    // It still receives, and cannot answer.
    await says(first, 'I write to the old number')
    expect(sentBy(second)).toHaveLength(3)
    expect(sentBy(second).filter((text) => text === NOTICE)).toHaveLength(1)

    await setState(first, 'authorized')
    expect(sentBy(first)).toEqual([])
    await says(second, 'To the new one')
    expect([sentBy(first).length, sentBy(second).length]).toEqual([0, 4])
    await says(first, 'To the old one')
    expect([sentBy(first).length, sentBy(second).length]).toEqual([1, 4])
    expect(await theConversation()).toBe(_id)
  })

  it('still applies the customer’s edits, and a person’s answer on its phone, in the same conversation', async () => {
    await choose(second)
    await setState(first, 'yellowCard')
    const message = await says(first, 'A table for two')
    await frozenFor(60)
    await look(app)
    const { idInstance } = first.instance
    greenApi.notify(idInstance, edits(greenApi, idInstance, { phone: String(phone) }, message, 'A table for three'))
    greenApi.phoneSays(idInstance, String(phone), 'This is the owner')
    await taken()
    await app.settle()
    const heard = await messages(await theConversation())
    expect(heard.filter(({ author }) => author === 'customer').map(({ text }) => text)).toEqual(['A table for three'])
    expect(heard.filter(({ author }) => author === 'operator').map(({ text }) => text)).toEqual(['This is the owner'])
    expect(await chats()).toMatchObject([{ status: 'paused', connection_id: second.id }])
  })

  it('keeps messages waiting without a replacement, or with one that is restricted too', async () => {
    await setState(first, 'notAuthorized')
    await says(first, 'Are you there?')
    await frozenFor(60)
    await look(app)
    await choose(second)
    await setState(second, 'blocked')
    await look(app)
    expect(greenApi.sentTo(String(phone))).toEqual([])
    expect(await chats()).toMatchObject([{ connection_id: first.id }])
    await setState(second, 'authorized')
    await look(app)
    expect(sentBy(second)).toHaveLength(2)
  })

  it('sends the default notice in the customer’s language if no text is configured', async () => {
    await choose(second, { notice: '' })
    await setState(first, 'yellowCard')
    await says(first, 'Здравствуйте, вы тут?')
    const russian = phone
    phone++
    await says(first, 'Hello, is there anybody at all?')
    await frozenFor(60)
    await look(app)
    expect(sentBy(second, russian)[0]).toMatch(/^Мы пишем с другого номера/)
    expect(sentBy(second)[0]).toMatch(/^We are writing from another number/)
  })

  it('reports how many conversations moved, which, and since when', async () => {
    await choose(second)
    await setState(first, 'yellowCard')
    await says(first, 'Are you there?')
    expect((await shown()).waiting).toEqual({ hidden: 0, uncertain: 0, next: 1 })
    await frozenFor(60)
    await look(app)
    const _id = await theConversation()
    expect(await shown()).toMatchObject({
      rerouted: 1,
      latest: [{ conversationId: _id, customerName: 'Customer' }],
      waiting: { hidden: 0, uncertain: 0, next: 0 },
    })
    const lines = (await messages(_id)).filter(({ author }) => author === 'system')
    expect(lines).toMatchObject([{ reason: 'rerouted', text: second.instance.phone }])
  })
})

describe('nothing is sent twice', () => {
  /** Crashes before its nth statement. */
  class Died extends Error {}
  function dying(db: Db, at: number): Db {
    let count = 0
    return db.withPlugin({
      transformQuery: ({ node }) => {
        count += 1
        if (count === at) throw new Died()
        return node
      },
      transformResult: async ({ result }) => result,
    })
  }

  it('by a server that crashes before any of its statements, or before it commits', async () => {
    await choose(second)
    await setState(first, 'yellowCard')
    await says(first, 'Are you there?')
    await frozenFor(60)
    const due = (await app.database.system('test: due', (db) => listDue({ db }))).find(
      ({ connectionId }) => connectionId === first.id,
    )
    if (!due) throw new Error('Nothing is due')
    const { organizationId } = due
    const die = (at: number, after: () => void = () => undefined) =>
      app.database.organization(
        organizationId,
        async (db) => {
          await reroute({ db: dying(db, at), organizationId }, due)
          after()
        },
        { isolation: 'read committed' },
      )
    let deaths = 0
    const finished = () => {
      throw new Error('died before the commit')
    }
    for (let at = 1; ; at++) {
      const error = await die(at, finished).catch((thrown: unknown) => thrown)
      await app.settle()
      expect(greenApi.sentTo(String(phone))).toEqual([])
      if (!(error instanceof Died)) break
      deaths += 1
    }
    expect(deaths).toBeGreaterThan(10)
    // Two concurrently, and once more.
    await Promise.all([die(0), die(0)])
    await look(app)
    expect(sentBy(second)).toHaveLength(2)
    expect(sentBy(second)[0]).toBe(NOTICE)
  })

  it('to a customer who writes to the old number just when the conversation leaves it', async () => {
    await choose(second)
    await setState(first, 'yellowCard')
    const customers = Array.from({ length: 8 }, () => ++phone)
    for (const each of customers) await says(first, 'Are you there?', each)
    await frozenFor(60)
    await Promise.all([look(app), ...customers.map((each) => says(first, 'Well?', each))])
    await look(app)
    for (const each of customers) {
      phone = each
      await theConversation()
      expect(sentBy(second).filter((text) => text === NOTICE)).toHaveLength(1)
      expect(sentBy(second)).toHaveLength(3)
      expect(sentBy(second)[0]).toBe(NOTICE)
    }
    expect(first.instance.held).toEqual([])
  })

  it('that the provider has queued, or that may have arrived, nor the parts behind it', async () => {
    await choose(second)
    await says(first, 'Hello')
    // It was restricted before we knew.
    first.instance.state = 'yellowCard'
    await says(first, 'And now?')
    expect(first.instance.held).toHaveLength(1)
    await setState(first, 'blocked')
    await says(first, 'Hello?')
    await frozenFor(60)
    await look(app)
    expect(sentBy(second)).toHaveLength(2) // the notice and the last answer: the queued one is sent by no other number
    const _id = await theConversation()
    const kept = first.instance.held.map(({ text }) => text)
    await person.http.action(api.channels.whatsapp.clearQueue, { connectionId: first.id })
    await setState(first, 'authorized')
    expect(sentBy(first)).toHaveLength(1)

    // The operator who resends it decides: it is sent by the number where the customer is.
    const dropped = (await messages(_id))
      .flatMap(({ deliveries }) => deliveries)
      .find(({ status }) => status === 'failed')
    if (!dropped) throw new Error('There is nothing to send again')
    await person.http.mutation(api.conversations.resend, { outboxId: dropped._id })
    await app.settle()
    expect(sentBy(second).at(-1)).toBe(kept[0])
    expect(sentBy(first)).toHaveLength(1)
  })

  it('whose send had an unknown outcome and was requested again: the conversation stays, and the page reports it', async () => {
    await choose(second)
    await says(first, 'Hello')
    const _id = await theConversation()
    await reply(_id, 'A person says this')
    await app.settle()
    await sql`update outbox set status = 'unknown', external_message_id = null
      where conversation_id = ${_id} and text = 'A person says this'`.execute(app.database.root)
    await setState(first, 'yellowCard')
    const part = (await messages(_id))
      .flatMap(({ deliveries }) => deliveries)
      .find(({ status }) => status === 'unknown')
    if (!part) throw new Error('There is no part')
    await person.http.mutation(api.conversations.resend, { outboxId: part._id })
    await reply(_id, 'Behind it')
    await app.settle()
    await frozenFor(60)
    await look(app)
    expect(sentBy(second)).toEqual([])
    expect((await shown()).waiting).toEqual({ hidden: 0, uncertain: 1, next: 0 })
  })

  it('and messages that have waited for more than a day are not sent at all', async () => {
    await setState(first, 'yellowCard')
    await says(first, 'Are you there?')
    const _id = await theConversation()
    await sql`update outbox set updated_at = now() - interval '25 hours' where conversation_id = ${_id}`.execute(
      app.database.root,
    )
    await choose(second)
    await frozenFor(2000)
    await look(app)
    expect(sentBy(second)).toEqual([])
    const [late] = (await messages(_id)).flatMap(({ deliveries }) => deliveries)
    expect(late).toMatchObject({ status: 'failed', error: 'too_late' })
    await reply(_id, 'This is news')
    await app.settle()
    await look(app)
    expect(sentBy(second)).toEqual([NOTICE, 'This is news'])
  })
})

describe('who cannot be reached by another number', () => {
  it('waits: a customer whose number is hidden', async () => {
    await choose(second)
    await setState(first, 'yellowCard')
    const lid = '112893567721673@lid'
    const body = greenApi.textMessage(first.instance.idInstance, String(phone), 'Who am I?')
    greenApi.notify(first.instance.idInstance, {
      ...body,
      senderData: { ...(body.senderData as object), chatId: lid, sender: lid },
    })
    await taken()
    await app.settle()
    await frozenFor(60)
    await look(app)
    expect(greenApi.sent.filter(({ chatId }) => chatId === lid)).toEqual([])
    expect((await shown()).waiting).toEqual({ hidden: 1, uncertain: 0, next: 0 })
  })
})

describe('the replacement number', () => {
  it('sends and takes over no more than its own caps allow', async () => {
    await choose(second)
    const caps = { perHour: null, perDay: 4, warmUp: 'off' as const }
    await person.http.mutation(api.channelConnections.setCaps, { connectionId: second.id, caps })
    await setState(first, 'yellowCard')
    const customers = [phone, ++phone, ++phone]
    for (const each of customers) await says(first, 'Are you there?', each)
    await frozenFor(60)
    await look(app)
    await look(app)
    const count = () => customers.map((each) => sentBy(second, each).length)
    expect(count()).toEqual([2, 2, 0])
    expect((await shown()).waiting.next).toBe(1)
    await person.http.mutation(api.channelConnections.setCaps, {
      connectionId: second.id,
      caps: { ...caps, perDay: 10 },
    })
    await look(app)
    expect(count()).toEqual([2, 2, 2])
  })

  it('that knows the customer already keeps both conversations, merged, and the assignee of one has both', async () => {
    await choose(second)
    await says(second, 'Hello')
    await says(first, 'Hello to you too')
    const both = await chats()
    const onFirst = both.find((chat) => chat.connection_id === first.id)?.id
    if (!onFirst || both.length !== 2) throw new Error('There are not two conversations')
    await setState(first, 'yellowCard')
    await reply(onFirst, 'A person takes it')
    await app.settle()
    await frozenFor(60)
    await look(app)
    expect(sentBy(second).slice(-2)).toEqual([NOTICE, 'A person takes it'])
    const before = sentBy(second).length
    await says(second, 'Who are you?')
    expect(sentBy(second)).toHaveLength(before)
    await reply(onFirst, 'Still that person')
    await app.settle()
    await look(app)
    expect(sentBy(second).slice(before)).toEqual(['Still that person'])
    const rows = await chats()
    expect(rows.map(({ status }) => status)).toEqual(['paused', 'paused'])
    expect(new Set(rows.map(({ thread_id }) => thread_id)).size).toBe(1)
    expect(rows[0]?.thread_id).not.toBeNull()
  })

  it('is neither the number itself, nor one that it replaces, nor of another organization or channel', async () => {
    const code = (of: Promise<unknown>) =>
      of.then(
        () => null,
        (error: { data?: { code?: string } }) => error.data?.code ?? error,
      )
    expect(await code(choose(first))).toBe('stand_in_circle')
    const third = await addLine()
    await choose(second)
    const save = (who: Line, standInId: string, as = person) =>
      as.http.mutation(api.channels.standIns.save, {
        connectionId: who.id,
        settings: { standInId: standInId as ChannelConnection['_id'], afterMinutes: 15, notice: '' },
      })
    await save(second, third.id)
    expect(await code(save(third, first.id))).toBe('stand_in_circle')
    const choices = (await shown()).choices.map(({ _id }) => _id)
    expect([first, second, third].map(({ id }) => choices.includes(id))).toEqual([false, true, true])
    const stranger = await app.signUp()
    expect(await code(save(first, second.id, stranger))).toBe('not_found')
    const { _id: theirAgent } = await stranger.http.mutation(api.agents.create, { name: 'Theirs' })
    const theirs = greenApi.addInstance()
    const { idInstance, apiToken } = theirs
    const their = await stranger.http.action(api.channels.whatsapp.provision, {
      agentId: theirAgent,
      idInstance,
      apiToken,
    })
    expect(await code(save(first, their._id))).toBe('not_found')
    expect(await code(save({ instance: theirs, id: their._id }, first.id, stranger))).toBe('not_found')
    await person.http.action(api.channels.whatsapp.disconnect, { connectionId: third.id })
    expect(await code(save(first, third.id))).toBe('connection_disconnected')
  })
})
