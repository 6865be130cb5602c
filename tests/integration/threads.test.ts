// Conversations of one customer that are merged: shown as one, taken over as one, answered where they were asked, and separated again.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Conversation, ConversationFilter } from '#shared/conversations.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const FIRST_PAGE = { paginationOpts: { numItems: 50, cursor: null } }

let telegram: FakeTelegram
let app: TestApp
let olga: Person
let token: string
let chat = 7500

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram, overrides: { llm: scriptedLlm(echo) } })
  olga = await app.signUp({ name: 'Olga' })
  const { _id: agentId } = await olga.http.mutation(api.agents.create, { name: 'Helper' })
  token = telegram.addBot().token
  await olga.http.action(api.channels.telegram.provision, { agentId, botToken: token })
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

async function writes(from: number, text: string, answers: number): Promise<void> {
  telegram.customerSays(token, { chatId: from, firstName: 'Customer' }, text)
  await telegram.waitForSent(from, answers)
  await app.settle()
}

it('conversations to be merged are of one contact, at least two, and there', async () => {
  const { one, two, survivorId, otherId } = await twoOf('Roman')
  const ids = [one.conversationId, two.conversationId] as const
  expect(await codeOf(merge(one.conversationId, one.conversationId))).toBe('too_few_to_merge')
  expect(await codeOf(merge(...ids))).toBe('several_contacts')
  await olga.http.mutation(api.conversations.contacts.merge, { survivorId, otherId })
  await olga.http.mutation(bulk.place, { conversationIds: [ids[0]], place: 'deleted' })
  expect(await codeOf(merge(...ids))).toBe('conversation_deleted')
  await olga.http.mutation(bulk.place, { conversationIds: [ids[0]], place: 'inbox' })
  await merge(...ids)
  expect(await codeOf(merge(...ids))).toBe('merged_already')
  const stranger = await app.signUp()
  expect(await codeOf(stranger.http.mutation(threads.merge, { conversationIds: [...ids] }))).toBe('not_found')
  const threadId = (await get(ids[0])).thread?._id
  if (!threadId) throw new Error('no thread')
  await stranger.http.mutation(threads.separate, { threadId })
  expect((await get(ids[0])).thread?._id).toBe(threadId)
})

it('merged conversations stand in the list once, in the order of their messages, and are answered where the customer wrote last', async () => {
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
  // What has not been read yet stands for itself.
  expect(await idsIn()).toEqual(expect.arrayContaining([one.conversationId, two.conversationId]))
  await olga.http.mutation(api.conversations.markRead, { conversationId: one.conversationId })
  expect(await idsIn()).toContain(one.conversationId)
  expect(await idsIn()).not.toContain(two.conversationId)
  // A person who answers is not talked over by the agent in any of them.
  const before = [one, two].map((each) => telegram.sentTo(each.chat).length)
  await olga.http.mutation(api.conversations.reply, { conversationId: one.conversationId, text: 'I am here' })
  await app.settle()
  telegram.customerSays(token, { chatId: two.chat, firstName: 'Customer' }, 'And here?')
  await telegram.waitFor(() => telegram.isTaken(token), 'the message to be taken')
  await app.settle()
  expect([one, two].map((each) => telegram.sentTo(each.chat).length)).toEqual([(before[0] ?? 0) + 1, before[1]])
  expect((await get(one.conversationId)).thread?.parts[0]?._id).toBe(two.conversationId)
  // The agent answers what is open, once, where it was asked.
  await olga.http.mutation(api.conversations.resume, { conversationId: one.conversationId })
  await app.settle()
  expect([one, two].map((each) => telegram.sentTo(each.chat).length)).toEqual([
    (before[0] ?? 0) + 1,
    (before[1] ?? 0) + 1,
  ])
  const archived = await olga.http.mutation(bulk.place, { conversationIds: [one.conversationId], place: 'archived' })
  expect(archived.map((each: { conversationId: string }) => each.conversationId).sort()).toEqual(
    [one.conversationId, two.conversationId].sort(),
  )
  await olga.http.mutation(threads.separate, { threadId })
  await olga.http.mutation(threads.separate, { threadId })
  expect(await textsOf(two.conversationId)).toEqual(
    ['Hello', 'You said: Hello', 'And here?', 'You said: And here?'].reverse(),
  )
  expect(await idsIn({ place: 'archived' })).toEqual(expect.arrayContaining([one.conversationId, two.conversationId]))
})

it('merged conversations are again what they were when a merge is taken back', async () => {
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
  await olga.http.mutation(threads.separate, { threadId: inner.threadId }) // nothing: it was merged further
  expect((await get(two.conversationId)).thread?.parts).toHaveLength(3)
  await olga.http.mutation(threads.separate, { threadId: outer.threadId })
  expect((await get(third)).thread).toBeNull()
  expect((await get(two.conversationId)).thread?._id).toBe(inner.threadId)
  const { page } = await olga.http.query(api.conversations.messages, { conversationId: third, ...FIRST_PAGE })
  expect(page[0]).toMatchObject({ author: 'system', reason: 'separated', text: '3', authorName: 'Olga' })
})
