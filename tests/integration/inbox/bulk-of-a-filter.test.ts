// Bulk changes of everything that matches a filter, loaded or not: selected in the list's order and within one organization, limited
// to one batch; archived, restored exactly, and merged.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '#server/platform/functions/paginate.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { BULK_MAX } from '#shared/limits.ts'
import type {
  Bulk,
  Conversation,
  ConversationFilter,
  FolderBefore,
  Matching,
  TakenBack,
} from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type InboxOwner, seedInbox } from '#tests/seeds/inbox.ts'

/** Four of five are in the inbox, a thousand of them. */
const SIZE = { conversations: 1240, messagesEach: 1 }

let app: TestApp
let person: Person
let owner: InboxOwner

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp({ name: 'Olga' })
  owner = await ownerOf(person)
  await seedInbox(app.database.root, owner, SIZE)
})
afterAll(() => app.close())

async function ownerOf({ http, organization, user }: Person): Promise<InboxOwner> {
  const { _id: agentId } = await http.mutation(api.agents.create, { name: 'Helper' })
  const target = { agentId, name: 'Shop', url: 'https://shop.example/hook' }
  const { connection } = await http.action(api.channels.http.provision, target)
  return { organizationId: organization._id, agentIds: [agentId], connectionId: connection._id, userId: user._id }
}

const matching = (filter: ConversationFilter = {}, whose = person): Promise<Matching> =>
  whose.http.query(api.conversations.matching, filter)

/** The list, page after page, to its end. */
async function listed(filter: ConversationFilter = {}): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = null, isDone = false; !isDone; ) {
    const found: Page<Conversation> = await person.http.query(api.conversations.list, {
      paginationOpts: { numItems: 200, cursor },
      ...filter,
    })
    ids.push(...found.page.map(({ _id }) => _id))
    cursor = found.continueCursor
    isDone = found.isDone
  }
  return ids
}

async function foldersOf(ids: Id<'conversations'>[]): Promise<{ id: string; folder: string }[]> {
  const { rows } = await sql<{ id: string; folder: string }>`select id, folder from conversations
    where id = any(${ids}::text[]) order by id`.execute(app.database.root)
  return rows
}

async function inPortions<Item, Result>(ids: Item[], step: (ids: Item[]) => Promise<Result[]>) {
  const results: Result[] = []
  for (let at = 0; at < ids.length; at += 100) results.push(...(await step(ids.slice(at, at + 100))))
  return results
}

const filters: Record<string, () => ConversationFilter> = {
  'no filter': () => ({}),
  'a status': () => ({ status: 'ended' }),
  'a tag': () => ({ tag: 'some' }),
  'a member’s, archived': () => ({ assigneeId: person.user._id, folder: 'archived' }),
  'the oldest first': () => ({ sort: 'oldest' }),
  'the longest wait': () => ({ sort: 'waiting' }),
  'what nothing passes': () => ({ tag: 'none' }),
}

it.each(Object.keys(filters))('are those of the list, from its first page to its last: %s', async (name) => {
  const filter = filters[name]?.() ?? {}
  expect(await matching(filter)).toEqual({ conversationIds: await listed(filter), isMore: false })
})

it('are the first thousand in list order if there are more, which is reported; and never those of other organizations', async () => {
  await sql`update conversations set folder = 'inbox' where id = 'conversation-000001190'`.execute(app.database.root)
  const all = await listed()
  expect(all).toHaveLength(BULK_MAX + 1)
  expect(await matching()).toEqual({ conversationIds: all.slice(0, BULK_MAX), isMore: true })
  const first = await matching({ sort: 'oldest' })
  expect(first).toEqual({ conversationIds: all.toReversed().slice(0, BULK_MAX), isMore: true })
  await sql`update conversations set folder = 'archived' where id = 'conversation-000001190'`.execute(app.database.root)
  const stranger = await app.signUp({ name: 'Boris' })
  expect(await matching({}, stranger)).toEqual({ conversationIds: [], isMore: false })
})

it('are changed together: a thousand are archived, each with its result, and restored to exactly what they were', async () => {
  const { conversationIds } = await matching()
  expect(conversationIds).toHaveLength(BULK_MAX)
  const folders = await foldersOf(conversationIds)
  const archived = await inPortions<Id<'conversations'>, Bulk<FolderBefore>[number]>(conversationIds, (portion) =>
    person.http.mutation(api.conversations.bulk.place, { conversationIds: portion, folder: 'archived' }),
  )
  const before = { folder: 'inbox', ticket: expect.any(String) }
  expect(archived).toEqual(conversationIds.map((conversationId) => ({ conversationId, error: null, before })))
  expect(await matching()).toEqual({ conversationIds: [], isMore: false })
  expect((await matching({ folder: 'archived' })).isMore).toBe(true)
  const tickets = archived.flatMap((each) => each.before?.ticket ?? [])
  const back = await inPortions<string, Bulk<TakenBack>[number]>(tickets, (portion) =>
    person.http.mutation(api.conversations.bulk.undo, { tickets: portion }),
  )
  expect(back.filter(({ error }) => error !== null)).toEqual([])
  expect(await foldersOf(conversationIds)).toEqual(folders)
  expect(await matching()).toEqual({ conversationIds, isMore: false })
})

const merge = (conversationIds: Id<'conversations'>[]) =>
  person.http.mutation(api.conversations.threads.merge, { conversationIds })
const codeOf = (call: Promise<unknown>) => call.catch((error: unknown) => appErrorData(error)?.code ?? error)

it('are refused a merge when all have different contacts, and merged per contact when some share one', async () => {
  const { conversationIds } = await matching()
  expect(await codeOf(merge(conversationIds))).toBe('several_contacts')
  await sql`update customers set person_id = 'customer-1' where id = any(
    select customer_id from conversations where folder = 'inbox' and substr(id, 14)::int between 2 and 400)`.execute(
    app.database.root,
  )
  const { count, refused, threadId } = await merge(conversationIds)
  expect(count).toBeGreaterThan(300)
  expect(count + refused.length).toBe(BULK_MAX)
  expect(new Set(refused.map(({ error }: { error: string }) => error))).toEqual(new Set(['several_contacts']))
  await person.http.mutation(api.conversations.threads.separate, { threadId })
  expect(await matching()).toEqual({ conversationIds, isMore: false })
})

it('are at most a thousand per call, from any client', async () => {
  const tooMany = Array.from({ length: BULK_MAX + 1 }, (_, at) => `conversation-${at}` as Id<'conversations'>)
  expect(await codeOf(merge(tooMany))).toBe('invalid_arguments')
})
