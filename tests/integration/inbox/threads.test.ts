// Merged conversations of one customer: shown as one, taken over as one, answered where the question was asked, and separated again.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { beginThread } from '#server/domain/messaging/conversations/threads.store.ts'
import { storeHumanReply } from '#server/domain/messaging/inbound/receive.external-events.store.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Conversation, ConversationFilter } from '#shared/messaging/conversations.ts'
import type { Presence } from '#shared/messaging/operator-tools.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { someoneWaits } from '#tests/locks.ts'
import { echo, type Model, scriptedLlm } from '#tests/pipeline-world.ts'

const FIRST_PAGE = { paginationOpts: { numItems: 50, cursor: null } }

/** Summarizes by repeating the conversation that it was given. */
const model: Model = (request) => request.data?.find(({ title }) => title === 'The conversation')?.text ?? echo(request)

let telegram: FakeTelegram
let app: TestApp
let olga: Person
let token: string
let connectionId: Id<'channelConnections'>
let chat = 7500

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram, overrides: { llm: scriptedLlm(model) } })
  olga = await app.signUp({ name: 'Olga' })
  const { _id: agentId } = await olga.http.mutation(api.agents.create, { name: 'Helper' })
  token = telegram.addBot().token
  const connection = await olga.http.action(api.channels.telegram.provision, { agentId, botToken: token })
  connectionId = connection._id
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})
beforeEach(() => {
  chat++
})

/** A customer writes and is answered. */
async function conversationWith(name: string): Promise<Id<'conversations'>> {
  telegram.customerSays(token, { chatId: chat, firstName: name }, 'Hello')
  await telegram.waitForSent(chat)
  await app.settle()
  const { page } = await olga.http.query(api.conversations.list, FIRST_PAGE)
  const found = page.find((conversation: Conversation) => conversation.customer?.name === name)
  if (!found) throw new Error(`no conversation with ${name}`)
  return found._id
}

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
}

const { threads, bulk } = api.conversations
const merge = (...conversationIds: Id<'conversations'>[]): Promise<{ threadId: Id<'threads'>; count: number }> =>
  olga.http.mutation(threads.merge, { conversationIds })
const get = (conversationId: Id<'conversations'>): Promise<Conversation> =>
  olga.http.query(api.conversations.get, { conversationId })
const idsIn = async (filter: ConversationFilter = {}) =>
  (await olga.http.query(api.conversations.list, { ...FIRST_PAGE, ...filter })).page.map(({ _id }) => _id)
const textsOf = async (conversationId: Id<'conversations'>) => {
  const { page } = await olga.http.query(api.conversations.messages, { conversationId, ...FIRST_PAGE })
  return page.filter(({ author }) => author !== 'system').map(({ text }) => text)
}

/** The state of one conversation, without those merged with it. */
async function setAlone(id: Id<'conversations'>, columns: string): Promise<void> {
  await sql`update conversations set ${sql.raw(columns)} where id = ${id}`.execute(app.database.root)
}

/** Two contacts of one person, each with a conversation. */
async function twoOf(name: string) {
  const one = { conversationId: await conversationWith(name), chat }
  chat++
  const two = { conversationId: await conversationWith(`${name}two`), chat }
  const ids = await Promise.all([one, two].map(async ({ conversationId }) => (await get(conversationId)).customer?._id))
  const [survivorId, otherId] = ids
  if (!survivorId || !otherId) throw new Error('no customer')
  return { one, two, survivorId, otherId }
}

/** The same, merged. */
async function mergedOf(name: string) {
  const { one, two, survivorId, otherId } = await twoOf(name)
  await olga.http.mutation(api.conversations.contacts.merge, { survivorId, otherId })
  const { threadId } = await merge(one.conversationId, two.conversationId)
  return { one, two, otherId, threadId, ids: [one.conversationId, two.conversationId] }
}

/** A message that is not answered. */
async function says(from: number, text: string): Promise<void> {
  const update = telegram.customerSays(token, { chatId: from, firstName: 'Customer' }, text)
  await telegram.waitFor(() => telegram.acknowledged.has(update), 'the message to be taken')
  await app.settle()
}

async function writes(from: number, text: string, answers: number): Promise<void> {
  telegram.customerSays(token, { chatId: from, firstName: 'Customer' }, text)
  await telegram.waitForSent(from, answers)
  await app.settle()
}

it('conversations to be merged must exist, be at least two, and have one contact', async () => {
  const { one, two, survivorId, otherId } = await twoOf('Roman')
  const ids = [one.conversationId, two.conversationId] as const
  expect(await codeOf(merge(one.conversationId, one.conversationId))).toBe('too_few_to_merge')
  expect(await codeOf(merge(...ids))).toBe('several_contacts')
  const contactsOf = async () => (await Promise.all(ids.map(get))).map(({ customer }) => customer?.contactId)
  expect(await contactsOf()).toEqual([survivorId, otherId])
  await olga.http.mutation(api.conversations.contacts.merge, { survivorId, otherId })
  expect(await contactsOf()).toEqual([survivorId, survivorId])
  await olga.http.mutation(bulk.place, { conversationIds: [ids[0]], folder: 'deleted' })
  expect(await codeOf(merge(...ids))).toBe('conversation_deleted')
  await olga.http.mutation(bulk.place, { conversationIds: [ids[0]], folder: 'inbox' })
  await merge(...ids)
  expect(await codeOf(merge(...ids))).toBe('merged_already')
  const stranger = await app.signUp()
  expect(await codeOf(stranger.http.mutation(threads.merge, { conversationIds: [...ids] }))).toBe('not_found')
  const threadId = (await get(ids[0])).thread?._id
  if (!threadId) throw new Error('no thread')
  await stranger.http.mutation(threads.separate, { threadId })
  expect((await get(ids[0])).thread?._id).toBe(threadId)
})

it('of several chosen conversations those of one contact are merged, and each other one gets a reason', async () => {
  const { one, two, survivorId, otherId } = await twoOf('Rita')
  chat++
  const stranger = await conversationWith('Ritastranger')
  await olga.http.mutation(api.conversations.contacts.merge, { survivorId, otherId })
  const { threadId, refused } = await olga.http.mutation(threads.merge, {
    conversationIds: [stranger, one.conversationId, two.conversationId],
  })
  expect(refused).toEqual([{ conversationId: stranger, error: 'several_contacts' }])
  expect((await get(one.conversationId)).thread?._id).toBe(threadId)
  expect((await get(two.conversationId)).thread?.parts).toHaveLength(2)
  expect((await get(stranger)).thread).toBeNull()
})

it('merged conversations are listed once, with their messages in order, and are answered where the customer wrote last', async () => {
  const { one, two, survivorId, otherId } = await twoOf('Stas')
  await olga.http.mutation(api.conversations.contacts.merge, { survivorId, otherId })
  const { threadId } = await merge(one.conversationId, two.conversationId)
  await writes(one.chat, 'From the first again', 2)
  for (const { conversationId } of [one, two]) {
    expect((await get(conversationId)).thread?.parts.map(({ _id }) => _id)).toEqual([
      one.conversationId,
      two.conversationId,
    ])
    expect(await textsOf(conversationId)).toEqual(
      [
        'Hello',
        'You said: Hello',
        'Hello',
        'You said: Hello',
        'From the first again',
        'You said: From the first again',
      ].reverse(),
    )
  }
  // Unread counts stay per conversation.
  expect(await idsIn()).toEqual(expect.arrayContaining([one.conversationId, two.conversationId]))
  await olga.http.mutation(api.conversations.markRead, { conversationId: one.conversationId })
  expect(await idsIn()).toContain(one.conversationId)
  expect(await idsIn()).not.toContain(two.conversationId)
  // The agent does not interrupt an answering operator in any of them.
  const before = [one, two].map((each) => telegram.sentTo(each.chat).length)
  await olga.http.mutation(api.conversations.reply, { conversationId: one.conversationId, text: 'I am here' })
  await app.settle()
  telegram.customerSays(token, { chatId: two.chat, firstName: 'Customer' }, 'And here?')
  await telegram.waitFor(() => telegram.isTaken(token), 'the message to be taken')
  await app.settle()
  expect([one, two].map((each) => telegram.sentTo(each.chat).length)).toEqual([(before[0] ?? 0) + 1, before[1]])
  expect((await get(one.conversationId)).thread?.parts[0]?._id).toBe(two.conversationId)
  // The agent answers open questions, once, in the chat in which they were asked.
  await olga.http.mutation(api.conversations.resume, { conversationId: one.conversationId })
  await app.settle()
  expect([one, two].map((each) => telegram.sentTo(each.chat).length)).toEqual([
    (before[0] ?? 0) + 1,
    (before[1] ?? 0) + 1,
  ])
  const archived = await olga.http.mutation(bulk.place, { conversationIds: [one.conversationId], folder: 'archived' })
  expect(archived.map((each: { conversationId: string }) => each.conversationId).sort()).toEqual(
    [one.conversationId, two.conversationId].sort(),
  )
  await olga.http.mutation(threads.separate, { threadId })
  await olga.http.mutation(threads.separate, { threadId })
  expect(await textsOf(two.conversationId)).toEqual(
    ['Hello', 'You said: Hello', 'And here?', 'You said: And here?'].reverse(),
  )
  expect(await idsIn({ folder: 'archived' })).toEqual(expect.arrayContaining([one.conversationId, two.conversationId]))
})

it('merged conversations are restored when a merge is undone', async () => {
  const { one, two, survivorId, otherId } = await twoOf('Tim')
  chat++
  const third = await conversationWith('Timthree')
  const thirdId = (await get(third)).customer?._id
  if (!thirdId) throw new Error('no customer')
  await olga.http.mutation(api.conversations.contacts.merge, { survivorId, otherId })
  await olga.http.mutation(api.conversations.contacts.merge, { survivorId, otherId: thirdId })
  const inner = await merge(one.conversationId, two.conversationId)
  const outer = await merge(one.conversationId, third)
  expect(outer.count).toBe(3)
  await olga.http.mutation(threads.separate, { threadId: inner.threadId }) // no effect: it was merged further
  expect((await get(two.conversationId)).thread?.parts).toHaveLength(3)
  await olga.http.mutation(threads.separate, { threadId: outer.threadId })
  expect((await get(third)).thread).toBeNull()
  expect((await get(two.conversationId)).thread?._id).toBe(inner.threadId)
  const { page } = await olga.http.query(api.conversations.messages, { conversationId: third, ...FIRST_PAGE })
  expect(page[0]).toMatchObject({ author: 'system', reason: 'separated', text: '3', authorName: 'Olga' })
})

it('a person who answers in the messenger itself during a merge silences both', async () => {
  const { one, two } = await twoOf('Ulf')
  const organizationId = olga.organization._id
  const inbound = { externalKey: 'phone/2', chatId: String(one.chat), externalMessageId: 'phone/2', text: 'It is me' }
  const begun = Promise.withResolvers<void>()
  const merging = app.database.organization(organizationId, async (db) => {
    await beginThread({ db, organizationId }, [one.conversationId, two.conversationId])
    begun.resolve()
    await someoneWaits(db)
  })
  await begun.promise
  const reply = app.database.organization(
    organizationId,
    (db) =>
      storeHumanReply(
        { db, organizationId },
        { connectionId, inbound: { kind: 'humanReply', ...inbound }, payload: {} },
      ),
    { isolation: 'read committed' },
  )
  await Promise.all([merging, reply])
  expect((await get(one.conversationId)).thread?.parts.map(({ status }) => status)).toEqual(['paused', 'paused'])
})

it('merged conversations fall silent together when a person answers in the messenger itself, and pause and resume together', async () => {
  const { one, two, ids } = await mergedOf('Uma')
  const statuses = async () => (await get(one.conversationId)).thread?.parts.map(({ status }) => status)
  const inbound = { externalKey: 'phone/1', chatId: String(one.chat), externalMessageId: 'phone/1', text: 'It is me' }
  await app.database.organization(olga.organization._id, (db) =>
    storeHumanReply(
      { db, organizationId: olga.organization._id },
      { connectionId, inbound: { kind: 'humanReply', ...inbound }, payload: {} },
    ),
  )
  expect(await statuses()).toEqual(['paused', 'paused'])
  await olga.http.mutation(api.conversations.resume, { conversationId: two.conversationId })
  expect(await statuses()).toEqual(['active', 'active'])
  await setAlone(one.conversationId, `status = 'paused', pause_reason = 'operator', pause_epoch = pause_epoch + 1`)
  await olga.http.mutation(api.conversations.pause, { conversationId: two.conversationId, resumeAfterMs: 60_000 })
  const ends = await Promise.all(ids.map(async (id) => (await get(id)).resumeAt))
  expect(new Set(ends).size).toBe(1)
  expect(ends[0]).not.toBeNull()
})

it('“Why?” of an unanswered message names the person who answered in the other conversation', async () => {
  const { one, two, threadId } = await mergedOf('Yana')
  await olga.http.mutation(api.conversations.pause, { conversationId: one.conversationId })
  await says(two.chat, 'Anybody there?')
  const { page } = await olga.http.query(api.conversations.messages, {
    conversationId: two.conversationId,
    ...FIRST_PAGE,
  })
  const asked = page.find(({ text }) => text === 'Anybody there?')
  if (!asked) throw new Error('the question is not shown')
  const why = () => olga.http.query(api.conversations.explainMessage, { messageId: asked._id })
  expect(await why()).toMatchObject({ standing: { kind: 'paused' } })
  await olga.http.mutation(api.conversations.reply, { conversationId: one.conversationId, text: 'I am' })
  const answered = { standing: { kind: 'answered', by: 'operator', name: 'Olga' } }
  expect(await why()).toMatchObject(answered)
  await olga.http.mutation(threads.separate, { threadId })
  expect(await why()).toMatchObject(answered)
})

it('operations on merged conversations are undone for each', async () => {
  const { one, ids } = await mergedOf('Vera')
  const first = one.conversationId
  const folders = () => Promise.all(ids.map(async (id) => (await get(id)).folder))
  await setAlone(first, `folder = 'archived'`)
  expect(await folders()).toEqual(['archived', 'inbox'])
  const before = await olga.http.mutation(bulk.place, { conversationIds: [first], folder: 'deleted' })
  expect(await folders()).toEqual(['deleted', 'deleted'])
  await olga.http.mutation(bulk.undo, { tickets: before.flatMap((each) => each.before?.ticket ?? []) })
  expect(await folders()).toEqual(['archived', 'inbox'])
})

it('merged conversations wait for a person as one, and are assigned to one person together, even beyond their capacity', async () => {
  const { one, two, ids, threadId } = await mergedOf('Wanda')
  const queue = () => olga.http.query(api.conversations.queue, {})
  for (const { chat: from } of [two, one]) await says(from, 'I want an operator')
  expect(await queue()).toMatchObject({ count: 1, first: [{ conversationId: two.conversationId }] })
  const calls = await olga.http.query(api.alerts.list, {})
  expect(calls.filter(({ conversationId }) => conversationId && ids.includes(conversationId))).toMatchObject([
    { kind: 'handoff', conversationId: one.conversationId },
  ])
  await olga.http.mutation(api.alerts.markSeen, { alertIds: calls.map(({ _id }) => _id) })
  expect(await olga.http.query(api.alerts.list, {})).toEqual([])

  const capacity = { userId: olga.user._id, patch: { acceptsAssignments: true, capacity: 1 } }
  await olga.http.mutation(api.organizations.operators.update, capacity)
  await app.settle()
  const assignees = () => Promise.all(ids.map(async (id) => (await get(id)).assignee?._id))
  expect(await assignees()).toEqual([olga.user._id, olga.user._id])
  expect(await queue()).toMatchObject({ count: 0 })
  const held = async () => (await olga.http.query(api.organizations.operators.list, {}))[0]?.held
  expect(await held()).toBe(1)

  // One that calls later joins the other, even while no member takes assignments.
  await setAlone(one.conversationId, `status = 'active', needs_person = false, pause_reason = null, assignee_id = null`)
  await olga.http.mutation(api.organizations.operators.update, { ...capacity, patch: { acceptsAssignments: false } })
  await says(one.chat, 'Give me an operator')
  expect(await assignees()).toEqual([olga.user._id, olga.user._id])
  expect(await held()).toBe(1)
  await olga.http.mutation(threads.separate, { threadId })
  expect(await held()).toBe(2)
})

it('conversations of contacts that are separated again are separated with them', async () => {
  const { one, two, otherId } = await mergedOf('Xenia')
  await olga.http.mutation(api.conversations.contacts.separate, { customerId: otherId })
  expect((await get(one.conversationId)).thread).toBeNull()
  expect(await textsOf(two.conversationId)).toEqual(['You said: Hello', 'Hello'])
})

it('an operator who types in one of them is seen in the others, until they vanish', async () => {
  const { one, two, threadId } = await mergedOf('Rita')
  const pavel = await app.signUp({ name: 'Pavel', organization: null })
  const row = { user_id: pavel.user._id, organization_id: olga.organization._id, role: 'admin' } as const
  await app.database.root.insertInto('members').values(row).execute()
  const { presence } = api.conversations
  const seenFrom = async ({ conversationId }: { conversationId: Id<'conversations'> }) => {
    const there: Presence[] = await olga.http.query(presence.list, { conversationId })
    return there.map(({ user, state }) => `${user.name} ${state}`)
  }
  await pavel.http.mutation(presence.announce, { conversationId: two.conversationId, state: 'typing' })
  expect(await seenFrom(one)).toEqual(['Pavel typing'])
  await pavel.http.mutation(presence.announce, { conversationId: one.conversationId, state: 'typing' })
  expect(await seenFrom(one)).toEqual(['Pavel typing'])
  await pavel.http.mutation(presence.announce, { conversationId: one.conversationId, state: 'gone' })
  expect(await seenFrom(one)).toEqual(['Pavel typing'])
  await app.database.root
    .updateTable('conversation_presence')
    .set({ at: new Date(Date.now() - 60_000) })
    .where('conversation_id', '=', two.conversationId)
    .execute()
  await olga.http.mutation(presence.announce, { conversationId: one.conversationId, state: 'looking' })
  expect(await seenFrom(one)).toEqual(['Olga looking'])
  await olga.http.mutation(threads.separate, { threadId })
  expect(await seenFrom(two)).toEqual([])
})

it('merged conversations are measured, summarized and exported as one', async () => {
  const { one, two, ids } = await mergedOf('Ulyana')
  await writes(one.chat, 'In the first', 2)
  await writes(two.chat, 'In the second', 2)
  const customerTexts = ['Hello', 'Hello', 'In the first', 'In the second']
  for (const conversationId of ids) {
    const { messages } = await olga.http.query(api.conversations.contacts.metrics, { conversationId })
    expect(messages).toMatchObject({ customer: 4, agent: 4 })
    const { text } = await olga.http.action(api.conversations.helper.summarize, { conversationId })
    expect([...text.matchAll(/^customer: (.*)$/gm)].map(([, words]) => words)).toEqual(customerTexts)
    const path = `/api/files/conversations/${conversationId}?format=json&language=en&timeZone=UTC`
    const file = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${await olga.token()}` } })
    const written = [...(await file.text()).matchAll(/"text": ?"(Hello|In the [a-z]+)"/g)].map(([, words]) => words)
    expect(written).toEqual(customerTexts)
  }
})
