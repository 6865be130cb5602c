// Search in an inbox with a long history: combined with a filter it finds what the filter matches, however old,
// and reports when there is more than it shows.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '#server/platform/functions/paginate.ts'
import type { Id } from '#shared/ids.ts'
import type { Conversation, ConversationFilter, ConversationHits } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { seedInbox, USUAL_WORD } from '#tests/seeds/inbox.ts'

const SIZE = { conversations: 3000, messagesEach: 3 }
const DAY_MS = 86_400_000

let app: TestApp
let person: Person
let agentId: Id<'agents'>

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  agentId = (await person.http.mutation(api.agents.create, { name: 'First' }))._id
  const second = (await person.http.mutation(api.agents.create, { name: 'Second' }))._id
  const organizationId = person.organization._id
  const target = { agentId, name: 'Shop', url: 'https://shop.example/hook' }
  const { connection } = await person.http.action(api.channels.http.provision, target)
  const owner = { organizationId, connectionId: connection._id, userId: person.user._id }
  await seedInbox(app.database.root, { ...owner, agentIds: [agentId, second] }, SIZE)
  // Inactive for so long that it is not among the newest messages.
  await say('conversation-000002990', 'a periwinkle for my aunt') // archived, by its number
  await say('conversation-000002970', 'a periwinkle for my niece')
})
afterAll(() => app.close())

function say(conversationId: string, text: string) {
  return app.database.root.transaction().execute(async (db) => {
    await sql`set local session_replication_role = replica`.execute(db)
    await sql`insert into messages (id, organization_id, conversation_id, author, text)
      values (${`said-${conversationId}`}, ${person.organization._id}, ${conversationId}, 'customer', ${text})`.execute(
      db,
    )
  })
}

function search(
  query: string,
  filter: ConversationFilter = {},
  cursor: string | null = null,
): Promise<ConversationHits> {
  return person.http.action(api.conversations.search, { query, ...filter, cursor })
}

/** Page after page, to the last. */
async function searchAll(query: string, filter: ConversationFilter = {}): Promise<ConversationHits[]> {
  const pages = [await search(query, filter)]
  for (let next = pages[0]?.continueCursor; next; next = pages.at(-1)?.continueCursor) {
    pages.push(await search(query, filter, next))
  }
  return pages
}

/** Conversations of the filter that contain the words, by plain text comparison. */
async function conversationsWith(word: string, filter: ConversationFilter): Promise<Set<string>> {
  const passing: string[] = []
  let next: { cursor: string | null; isDone: boolean } = { cursor: null, isDone: false }
  while (!next.isDone) {
    const paginationOpts = { numItems: 200, cursor: next.cursor }
    const found: Page<Conversation> = await person.http.query(api.conversations.list, { paginationOpts, ...filter })
    passing.push(...found.page.map(({ _id }) => _id))
    next = { cursor: found.continueCursor, isDone: found.isDone }
  }
  const { rows } = await sql<{ id: string }>`select distinct conversation_id as id from messages
    where conversation_id = any(${passing}::text[]) and text like ${`%${word}%`}`.execute(app.database.root)
  return new Set(rows.map(({ id }) => id))
}

const filters: Record<string, () => ConversationFilter> = {
  'no filter': () => ({}),
  status: () => ({ status: 'paused' }),
  agent: () => ({ agentId }),
  channel: () => ({ channel: 'http' }),
  'status, tag': () => ({ status: 'paused', tag: 'usual' }),
  'usual tag': () => ({ tag: 'some' }),
  assignee: () => ({ assigneeId: person.user._id }),
  'the oldest day': () => ({ until: Date.now() - 2 * DAY_MS }),
  unread: () => ({ isUnread: true }),
  'delivery problem': () => ({ hasProblem: true }),
  'called person': () => ({ needsPerson: true }),
  archived: () => ({ folder: 'archived' }),
  deleted: () => ({ folder: 'deleted' }),
  'archived, tag': () => ({ folder: 'archived', tag: 'some' }),
  'longest wait': () => ({ sort: 'waiting' }),
}

it.each(Object.keys(filters))('finds all matches, or reports that there are more: %s', async (name) => {
  const filter = filters[name]?.() ?? {}
  const all = await conversationsWith(USUAL_WORD, filter)
  const { hits, isPartial, continueCursor } = await search(USUAL_WORD, filter)
  expect(all.size).toBeGreaterThan(0)
  for (const { conversationId } of hits) expect(all).toContain(conversationId)
  expect(hits.every(({ messageId }) => messageId !== null)).toBe(true)
  if (isPartial || continueCursor) expect(hits.length).toBeGreaterThanOrEqual(50)
  else expect(hits).toHaveLength(all.size)
})

it.each(Object.keys(filters))('pages through all matches, each once and in a stable order: %s', async (name) => {
  const filter = filters[name]?.() ?? {}
  const all = await conversationsWith(USUAL_WORD, filter)
  const pages = await searchAll(USUAL_WORD, filter)
  const found = pages.flatMap(({ hits }) => hits.map(({ conversationId }) => conversationId))
  expect(found.toSorted()).toEqual([...all].sort())
  for (const { hits } of pages) expect(hits.length).toBeLessThanOrEqual(100)
  const { rows } = await sql<{ id: string }>`select id from conversations where id = any(${found}::text[])
    order by last_message_at desc, id desc`.execute(app.database.root)
  expect(found).toEqual(rows.map(({ id }) => id))
})

it('pages past names, and past rare words', async () => {
  const { rows } = await sql<{ id: string }>`select c.id from conversations c join customers p on p.id = c.customer_id
    where p.name like 'Wilhelm%' and c.folder = 'inbox' order by c.last_message_at desc`.execute(app.database.root)
  const names = await searchAll('Wilh')
  expect(rows.length).toBeGreaterThan(200)
  expect(names.flatMap(({ hits }) => hits.map(({ conversationId }) => conversationId))).toEqual(
    rows.map(({ id }) => id),
  )
  // Rare recently, and frequent long ago: the index is read page by page.
  const old = rows.slice(-240).map(({ id }) => id)
  for (const id of old) await say(id, 'a snowdrop for my aunt')
  const rare = await searchAll('snowdrop')
  expect(rare.length).toBeGreaterThan(2)
  expect(rare.flatMap(({ hits }) => hits.map(({ conversationId }) => conversationId))).toEqual(old)
})

it('rejects foreign cursors', async () => {
  for (const cursor of ['', 'a cursor', '["desc:conversations.id","x"]'])
    await expect(search(USUAL_WORD, {}, cursor)).rejects.toMatchObject({ data: { paginationError: 'InvalidCursor' } })
})

it('finds old archived messages in the archive, and only there', async () => {
  const found = async (filter: ConversationFilter) =>
    (await search('periwinkle', filter)).hits.map((hit) => hit.conversationId)
  expect(await found({})).toEqual(['conversation-000002970'])
  expect(await found({ folder: 'archived' })).toEqual(['conversation-000002990'])
  expect(await found({ folder: 'archived', channel: 'telegram', status: 'paused' })).toEqual([])
})

it.each(['Wilh', 'Wilhelm 7'])('finds names together with a filter: %s', async (name) => {
  const { rows } = await sql<{ id: string }>`select c.id from conversations c join customers p on p.id = c.customer_id
    where p.name like ${`${name}%`} and c.folder = 'archived'`.execute(app.database.root)
  const { hits, isPartial, continueCursor } = await search(name, { folder: 'archived' })
  const isCut = isPartial || continueCursor !== null
  expect(rows.length).toBeGreaterThan(0)
  for (const { conversationId } of hits) expect(rows).toContainEqual({ id: conversationId })
  if (hits.length < rows.length) expect(isCut).toBe(true)
  if (isCut) expect(hits.length).toBeGreaterThanOrEqual(50)
})
