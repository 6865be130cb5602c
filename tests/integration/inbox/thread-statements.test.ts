// Operations on merged conversations use as many statements, no matter how many conversations there are.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'
import { countStatements } from '#tests/statements.ts'

const FIRST_PAGE = { paginationOpts: { numItems: 50, cursor: null } }

type Part = { conversationId: Id<'conversations'>; customerId: Id<'customers'> }

let telegram: FakeTelegram
let test: TestDatabase
let app: TestApp
let olga: Person
let token: string
let counts: number[]
let chat = 9100

beforeAll(async () => {
  telegram = await startFakeTelegram()
  test = await openTestDatabase()
  const counting = countStatements(test.database)
  counts = counting.counts
  const database = { ...test, database: counting.database }
  app = await startApp({ telegram, database, overrides: { llm: scriptedLlm(echo) } })
  olga = await app.signUp({ name: 'Olga' })
  const { _id: agentId } = await olga.http.mutation(api.agents.create, { name: 'Helper' })
  token = telegram.addBot().token
  await olga.http.action(api.channels.telegram.provision, { agentId, botToken: token })
})
afterAll(async () => {
  await app.close()
  await test.close()
  await telegram.close()
})

/** Customers who have written once and were answered. */
async function customers(name: string, count: number): Promise<Part[]> {
  const names = Array.from({ length: count }, (_, i) => `${name}${i}`)
  for (const firstName of names) {
    chat++
    telegram.customerSays(token, { chatId: chat, firstName }, 'Hello')
    await telegram.waitForSent(chat)
  }
  await app.settle()
  const { page } = await olga.http.query(api.conversations.list, FIRST_PAGE)
  return names.map((each) => {
    const found = page.find(({ customer }) => customer?.name === each)
    if (!found?.customer) throw new Error(`no conversation with ${each}`)
    return { conversationId: found._id, customerId: found.customer._id }
  })
}

/** One person's conversations, each merged with all before it: as deep as merges can be. */
async function merged(name: string, count: number): Promise<Part[]> {
  const [first, ...others] = await customers(name, count)
  if (!first) throw new Error('no customer')
  for (const { customerId, conversationId } of others) {
    await olga.http.mutation(api.conversations.contacts.merge, { survivorId: first.customerId, otherId: customerId })
    const conversationIds = [first.conversationId, conversationId]
    await olga.http.mutation(api.conversations.threads.merge, { conversationIds })
  }
  return [first, ...others]
}

/** Withholds the answers, as if a pause had come in time. */
async function withhold(parts: Part[]): Promise<void> {
  await test.database.root
    .updateTable('outbox')
    .set({ status: 'failed', error: 'paused' })
    .where(
      'conversation_id',
      'in',
      parts.map((part) => part.conversationId),
    )
    .execute()
}

/** Statements of each operation on a thread. */
async function costs(parts: Part[]): Promise<Record<string, number[]>> {
  const [first, second] = parts
  if (!first || !second) throw new Error('a customer is missing')
  const { conversationId } = first
  const one = { conversationIds: [conversationId] }
  const { conversations } = api
  await withhold(parts)
  const steps = {
    pause: () => olga.http.mutation(conversations.pause, { conversationId }),
    resume: () => olga.http.mutation(conversations.resume, { conversationId }),
    reply: () => olga.http.mutation(conversations.reply, { conversationId, text: 'I am here' }),
    end: () => olga.http.mutation(conversations.end, { conversationId }),
    activate: () => olga.http.mutation(conversations.bulk.status, { ...one, status: 'active' }),
    delete: () => olga.http.mutation(conversations.bulk.place, { ...one, folder: 'deleted' }),
    restore: () => olga.http.mutation(conversations.bulk.place, { ...one, folder: 'inbox' }),
    assign: () => olga.http.mutation(conversations.bulk.assign, { ...one, assigneeId: olga.user._id }),
    read: () => olga.http.mutation(conversations.markRead, { conversationId }),
    part: () => olga.http.mutation(conversations.contacts.separate, { customerId: second.customerId }),
  }
  const found: Record<string, number[]> = {}
  for (const [name, step] of Object.entries(steps)) {
    counts.length = 0
    await step()
    found[name] = [...counts]
    await app.settle()
  }
  return found
}

it('each step costs as many statements for five conversations as for two', async () => {
  const two = await merged('Ada', 2)
  const five = await merged('Eve', 5)
  const cost = await costs(two)
  for (const counted of Object.values(cost)) expect(counted).toEqual([expect.any(Number)]) // one transaction each
  expect(await costs(five)).toEqual(cost)
})

it('answers that a pause has withheld from several conversations are open again, and consume no allowance', async () => {
  const parts = await merged('Ida', 3)
  const ids = parts.map(({ conversationId }) => conversationId)
  await withhold(parts)
  const [first] = ids
  if (!first) throw new Error('no conversation')
  await olga.http.mutation(api.conversations.pause, { conversationId: first })
  await olga.http.mutation(api.conversations.resume, { conversationId: first })
  await app.settle()
  const turns = await test.database.root
    .selectFrom('turns')
    .where('conversation_id', 'in', ids)
    .orderBy('conversation_id')
    .orderBy('created_at')
    .select(['id', 'conversation_id', 'outcome'])
    .execute()
  expect(turns.map((turn) => [turn.conversation_id, turn.outcome])).toEqual(
    ids.sort().flatMap((id) => [
      [id, 'withheld'],
      [id, 'replied'],
    ]),
  )
  const withheld = turns.filter(({ outcome }) => outcome === 'withheld').map(({ id }) => `${id}/withheld`)
  const { root } = test.database
  const events = root.selectFrom('usage_events').where('organization_id', '=', olga.organization._id)
  expect(await events.where('source_id', 'in', withheld).select('messages').execute()).toEqual(
    ids.map(() => ({ messages: -1 })),
  )
  const sum = (table: 'usage_events' | 'usage_hours' | 'usage_months') =>
    root
      .selectFrom(table)
      .where('organization_id', '=', olga.organization._id)
      .select(({ fn }) => fn.sum<number>('messages').as('messages'))
      .executeTakeFirst()
  const counted = Number((await sum('usage_events'))?.messages)
  expect(Number((await sum('usage_hours'))?.messages)).toBe(counted)
  expect(Number((await sum('usage_months'))?.messages)).toBe(counted)
})

it('separating a contact leaves the other conversations of one person merged', async () => {
  const [a, b, c] = await customers('Una', 3)
  if (!a || !b || !c) throw new Error('a customer is missing')
  const { contacts, threads } = api.conversations
  for (const { customerId } of [b, c]) {
    await olga.http.mutation(contacts.merge, { survivorId: a.customerId, otherId: customerId })
  }
  const mergeThem = (...parts: Part[]) =>
    olga.http.mutation(threads.merge, { conversationIds: parts.map(({ conversationId }) => conversationId) })
  const { threadId: inner } = await mergeThem(a, b)
  await mergeThem(a, c)
  await olga.http.mutation(contacts.separate, { customerId: c.customerId })
  const threadOf = async ({ conversationId }: Part) =>
    (await olga.http.query(api.conversations.get, { conversationId })).thread
  expect(await threadOf(c)).toBeNull()
  expect(await threadOf(a)).toMatchObject({ _id: inner })
  await olga.http.mutation(contacts.separate, { customerId: b.customerId })
  expect(await threadOf(a)).toBeNull()
  expect(await threadOf(b)).toBeNull()
})
