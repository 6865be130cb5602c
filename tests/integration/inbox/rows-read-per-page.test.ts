// The cost of an inbox page does not depend on the size of the organization: counted in rows read per filter.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listChosen } from '#server/domain/messaging/compliance/exports.store.ts'
import { countUnread, listConversations, listNeighbours } from '#server/domain/messaging/inbox/inbox.store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationFilter } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { seedInbox } from '#tests/seeds/inbox.ts'

const CONVERSATIONS = 6000
const PAGE = 10
/** With everything that a page shows of each conversation; a filter may leave out some that its index holds. */
const ROWS_AT_MOST = 900

let app: TestApp
let person: Person
let agentId: Id<'agents'>

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  const add = async (name: string) => (await person.http.mutation(api.agents.create, { name }))._id
  agentId = await add('First')
  const url = 'https://rows.example'
  const { connection } = await person.http.action(api.channels.http.provision, { agentId, name: 'Rows', url })
  const owner = { organizationId: person.organization._id, connectionId: connection._id, userId: person.user._id }
  const agentIds = [agentId, await add('Second'), await add('Third')]
  await seedInbox(app.database.root, { ...owner, agentIds }, { conversations: CONVERSATIONS, messagesEach: 1 })
})
afterAll(() => app.close())

/** Of all tables, in one transaction. */
async function rowsRead(run: (ctx: { db: Db; organizationId: Id<'organizations'> }) => Promise<unknown>) {
  const organizationId = person.organization._id
  return app.database.organization(organizationId, async (db) => {
    const before = await soFar(db)
    await run({ db, organizationId })
    return (await soFar(db)) - before
  })
}

async function soFar(db: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables`.execute(
    db,
  )
  return rows[0]?.read ?? 0
}

const FILTERS: [string, () => ConversationFilter][] = [
  ['no filter', () => ({})],
  ['status', () => ({ status: 'paused' })],
  ['agent', () => ({ agentId })],
  ['channel', () => ({ channel: 'webchat' })],
  ['usual tag', () => ({ tag: 'usual' })],
  ['rare tag', () => ({ tag: 'rare' })],
  ['tag that nothing has', () => ({ tag: 'none' })],
  ['one member', () => ({ assigneeId: person.user._id })],
  ['unassigned', () => ({ assigneeId: null })],
  ['hours', () => ({ since: Date.now() - 50 * 3_600_000, until: Date.now() - 48 * 3_600_000 })],
  ['what is unread', () => ({ isUnread: true })],
  ['what was not delivered', () => ({ hasProblem: true })],
  ['who is called a person', () => ({ needsPerson: true })],
  ['archive', () => ({ folder: 'archived' })],
  ['deleted', () => ({ folder: 'deleted' })],
]

describe('few rows are read of many for a page', () => {
  it.each(FILTERS)('by %s', async (_, filter) => {
    for (const sort of ['newest', 'oldest', 'waiting'] as const) {
      const page = { numItems: PAGE, cursor: null }
      const read = await rowsRead((ctx) => listConversations(ctx, { ...filter(), sort }, page))
      expect(read, sort).toBeLessThan(ROWS_AT_MOST)
    }
  })

  it.each(['usual', 'rare', 'none'])(
    'of an exported set by a tag, also with one generic plan for all tags: %s',
    async (tag) => {
      const read = await rowsRead(async (ctx) => {
        await sql`set local plan_cache_mode = force_generic_plan`.execute(ctx.db)
        await listChosen(ctx, { filter: { tag } }, null, PAGE)
      })
      expect(read).toBeLessThan(ROWS_AT_MOST)
    },
  )

  it('to count unread messages, despite archived unread ones, and to find the neighbours of a conversation', async () => {
    expect(await rowsRead(countUnread)).toBeLessThan(ROWS_AT_MOST)
    const id = 'conversation-000003000' as Id<'conversations'>
    expect(await rowsRead((ctx) => listNeighbours(ctx, id, {}))).toBeLessThan(ROWS_AT_MOST)
  })
})
