// An open conversation follows the rows of its parts; the list of conversations does not read them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFollowUpDue } from '#server/domain/messaging/conversations/writes/follow-ups.store.ts'
import { getConversation } from '#server/domain/messaging/inbox/conversations.store.ts'
import { listConversations } from '#server/domain/messaging/inbox/inbox.store.ts'
import type { Db, Dependency } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { type Ids, seedOrganization } from '#tests/integration/access/seed.ts'

let app: TestApp
let ids: Ids

beforeAll(async () => {
  app = await startApp()
  const { user, organization } = await app.signUp()
  ids = await seedOrganization(
    app.database,
    app.services.secrets,
    { organizationId: organization._id, userId: user._id },
    'part',
  )
})
afterAll(() => app.close())

/** What a live query depends on of the tables of parts. */
async function partsRead(run: (ctx: { db: Db; organizationId: Id<'organizations'> }) => Promise<unknown>) {
  const { organizationId } = ids
  const read = await app.database.snapshot((snapshot) =>
    snapshot.read({ kind: 'organization', organizationId }, (db) => run({ db, organizationId })),
  )
  const isPart = ({ table }: Dependency) => /^conversation_(ratings|summaries|follow_ups|typing)$/.test(table)
  return read.dependencies.filter(isPart).map(({ table, equals }) => [table, equals?.conversation_id])
}

it('follows its own rating and typing marks, and no others', async () => {
  const read = await partsRead((ctx) => getConversation(ctx, ids.conversationId))
  expect(read.sort()).toEqual([
    ['conversation_ratings', [ids.conversationId]],
    ['conversation_typing', [ids.conversationId]],
  ])
})

it('follows its own follow-up where a message is explained', async () => {
  const read = await partsRead((ctx) => findFollowUpDue(ctx, ids.conversationId))
  expect(read).toEqual([['conversation_follow_ups', [ids.conversationId]]])
})

it('shows them once they are there', async () => {
  const { organizationId } = ids
  const shown = await app.database.organization(organizationId, (db) =>
    getConversation({ db, organizationId }, ids.conversationId),
  )
  expect(shown).toMatchObject({ rating: { score: 4 }, customerTypingAt: expect.any(Number) })
})

it('is listed without them', async () => {
  const page = { numItems: 10, cursor: null }
  expect(await partsRead((ctx) => listConversations(ctx, {}, page))).toEqual([])
})
