// Merging as many conversations as one batch allows: a result for each, all or none merged, and separated into exactly what they were.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { THREAD_PARTS_LISTED } from '#shared/limits.ts'
import type { Conversation, Merged, Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { countStatements } from '#tests/statements.ts'

const MANY = 120
const { threads } = api.conversations

let telegram: FakeTelegram
let test: TestDatabase
let app: TestApp
let olga: Person
let counts: number[]
let place: { agentId: Id<'agents'>; connectionId: Id<'channelConnections'> }

beforeAll(async () => {
  telegram = await startFakeTelegram()
  test = await openTestDatabase()
  const counting = countStatements(test.database)
  counts = counting.counts
  app = await startApp({ telegram, database: { ...test, database: counting.database } })
  olga = await app.signUp({ name: 'Olga' })
  const { _id: agentId } = await olga.http.mutation(api.agents.create, { name: 'Helper' })
  const { token: botToken } = telegram.addBot()
  const { _id: connectionId } = await olga.http.action(api.channels.telegram.provision, { agentId, botToken })
  place = { agentId, connectionId }
})
afterAll(async () => {
  await app.close()
  await test.close()
  await telegram.close()
})

/** This many conversations of one person, with interleaved messages, three in each. */
async function conversationsOf(name: string, count: number): Promise<Id<'conversations'>[]> {
  const { root } = test.database
  const organization = olga.organization._id
  await sql`insert into customers (id, organization_id, connection_id, external_id, name, person_id)
    select 'customer-' || ${name}::text || n, ${organization}, ${place.connectionId}, ${name}::text || n, ${name},
      case when n > 1 then 'customer-' || ${name}::text || 1 end from generate_series(1, ${count}::int) n`.execute(root)
  await sql`insert into conversations (id, organization_id, agent_id, channel, connection_id, customer_id, external_chat_id)
    select ${name}::text || n, ${organization}, ${place.agentId}, 'telegram', ${place.connectionId},
      'customer-' || ${name}::text || n, ${name}::text || n from generate_series(1, ${count}::int) n`.execute(root)
  await sql`insert into messages (id, organization_id, conversation_id, author, text)
    select ${name}::text || n || '-' || m, ${organization}, ${name}::text || n, 'customer', m || '/' || n
    from generate_series(1, 3) m, generate_series(1, ${count}::int) n order by m, n`.execute(root)
  return Array.from({ length: count }, (_, at) => `${name}${at + 1}` as Id<'conversations'>)
}

const merge = (conversationIds: Id<'conversations'>[]): Promise<Merged> =>
  olga.http.mutation(threads.merge, { conversationIds })
const get = (conversationId: Id<'conversations'>): Promise<Conversation> =>
  olga.http.query(api.conversations.get, { conversationId })

/** Everything stored of these conversations, except the lines about merges. */
async function stored(ids: Id<'conversations'>[]) {
  const { rows } = await sql`select to_jsonb(c) - 'last_message_at' as row from conversations c
    where id = any(${ids}::text[]) order by id`.execute(test.database.root)
  return rows
}

/** The messages shown in a conversation, oldest first, page by page. */
async function shownIn(conversationId: Id<'conversations'>): Promise<string[]> {
  const texts: string[] = []
  let cursor: string | null = null
  for (let isDone = false; !isDone; ) {
    const paginationOpts = { numItems: 100, cursor }
    const shown: { page: Message[]; isDone: boolean; continueCursor: string } = await olga.http.query(
      api.conversations.messages,
      { conversationId, paginationOpts },
    )
    texts.push(...shown.page.filter(({ author }) => author === 'customer').map(({ text }) => text))
    isDone = shown.isDone
    cursor = shown.continueCursor
  }
  return texts.reverse()
}

it('merges 120 conversations in time order, with a result for each, and separates them into exactly what they were', async () => {
  const anna = await conversationsOf('anna', MANY)
  const [stranger] = await conversationsOf('boris', 1)
  const [first, second, third, deleted] = anna
  if (!first || !second || !third || !deleted || !stranger) throw new Error('a conversation is missing')
  await olga.http.mutation(api.conversations.bulk.place, { conversationIds: [deleted], folder: 'deleted' })
  const { threadId: inner } = await merge([first, second])
  const before = await stored([...anna, stranger])

  const { threadId, count, refused } = await merge([...anna, stranger])
  expect(count).toBe(MANY - 1)
  expect(refused).toEqual([
    { conversationId: deleted, error: 'conversation_deleted' },
    { conversationId: stranger, error: 'several_contacts' },
  ])
  const inTime = [1, 2, 3].flatMap((m) => anna.map((_, at) => `${m}/${at + 1}`)).filter((text) => !text.endsWith('/4'))
  expect(await shownIn(third)).toEqual(inTime)
  const { thread } = await get(third)
  expect(thread).toMatchObject({ _id: threadId, count: MANY - 1 })
  expect(thread?.parts).toHaveLength(MANY - 1)
  const { page } = await olga.http.query(api.conversations.list, { paginationOpts: { numItems: 100, cursor: null } })
  const rows = page.filter((row: Conversation) => row.thread?._id === threadId)
  expect(rows.map((row: Conversation) => [row.thread?.count, row.thread?.parts.length])).toEqual(
    rows.map(() => [MANY - 1, THREAD_PARTS_LISTED]),
  )
  expect(rows.length).toBeGreaterThan(0)

  const { conversationIds } = await olga.http.mutation(threads.separate, { threadId })
  expect(new Set(conversationIds)).toEqual(new Set(anna.filter((id) => id !== deleted)))
  expect(await stored([...anna, stranger])).toEqual(before)
  expect((await get(first)).thread).toMatchObject({ _id: inner, count: 2 })
  expect((await get(third)).thread).toBeNull()
  // The result of a separation is what merges them again.
  expect(await merge(conversationIds)).toMatchObject({ count: MANY - 1, refused: [] })
})

it('merges none of 120 conversations when it fails at its end, and all of them when it is retried', async () => {
  const vera = await conversationsOf('vera', MANY)
  const before = await stored(vera)
  const { root } = test.database
  await sql`create function break_off() returns trigger language plpgsql as $$ begin
    raise exception 'broken off' using errcode = 'XX000'; end $$`.execute(root)
  await sql`create trigger break_off before insert on messages for each row when (new.reason = 'merged')
    execute function break_off()`.execute(root)
  await expect(merge(vera)).rejects.toThrow('Server Error')
  expect(await stored(vera)).toEqual(before)
  await sql`drop trigger break_off on messages`.execute(root)
  await sql`drop function break_off()`.execute(root)
  expect(await merge(vera)).toMatchObject({ count: MANY, refused: [] })
})

it('takes one transaction, and as many statements for 120 conversations as for two', async () => {
  const two = await conversationsOf('two', 2)
  const many = await conversationsOf('many', MANY)
  const cost = async (step: () => Promise<unknown>) => {
    await app.settle()
    counts.length = 0
    await step()
    return [...counts]
  }
  const separate = (threadId: Id<'threads'>) => () => olga.http.mutation(threads.separate, { threadId })
  const ofTwo = await cost(() => merge(two))
  expect(ofTwo).toEqual([expect.any(Number)])
  expect(await cost(() => merge(many))).toEqual(ofTwo)
  const threadOf = async ([id]: Id<'conversations'>[]) => (id ? (await get(id)).thread?._id : undefined)
  const [one, other] = [await threadOf(two), await threadOf(many)]
  if (!one || !other) throw new Error('nothing was merged')
  expect(await cost(separate(other))).toEqual(await cost(separate(one)))
})
