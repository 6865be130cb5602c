// The locks on periods, where transactions run at the same time.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { someoneWaits } from '#tests/locks.ts'
import { addAgent, addOrganization } from '#tests/rows.ts'
import { recordUsage } from './billing.store.ts'
import { lockQuotas, openQuotas, reserve } from './quotas.store.ts'

const NOW = new Date()
const MONTH = NOW.toISOString().slice(0, 7)

describe('an answer that is counted while another turn reserves', () => {
  let test: TestDatabase
  let organizationId: Id<'organizations'>
  let agentId: Id<'agents'>
  let day: string
  beforeAll(async () => {
    test = await openTestDatabase()
    organizationId = await addOrganization(test.database)
    agentId = await addAgent(test.database, organizationId)
    day = `${NOW.toISOString().slice(0, 10)} ${agentId}`
    await transact((ctx) => openQuotas(ctx, [MONTH, day]))
  })
  afterAll(() => test.close())

  it('never stands in a circle with it: all take the month before the day', async () => {
    const [ending, reserving] = [await addTurn(), await addTurn()]
    await transact((ctx) => reserve(ctx, ending, { month: null, day }))
    let attempts = 0
    const [ended, mayCount] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answer = transact(async (ctx) => {
      attempts++
      await sql`update turns set status = 'done' where id = ${ending.turnId}`.execute(ctx.db)
      ended.resolve()
      await mayCount.promise
      await recordUsage(ctx, answerOf(ending.turnId))
    })
    await ended.promise
    const reservation = transact(async (ctx) => {
      attempts++
      await lockQuotas(ctx, reserving, [MONTH, day])
      await reserve(ctx, reserving, { month: MONTH, day })
    })
    await Promise.race([reservation, someoneWaits(test.database.root)])
    mayCount.resolve()
    await Promise.all([answer, reservation])
    expect(attempts).toBe(2) // a circle is broken by repeating one of the two
    const quotas = await test.database.root.selectFrom('quotas').select(['used', 'reserved']).execute()
    expect(quotas.map(({ used, reserved }) => [Number(used), reserved])).toEqual([
      [1, 1],
      [1, 1],
    ])
  })

  function transact<T>(run: (ctx: OrgStoreContext) => Promise<T>): Promise<T> {
    return test.database.organization(organizationId, (db) => run({ db, organizationId }), {
      isolation: 'read committed',
    })
  }

  async function addTurn(): Promise<{ turnId: Id<'turns'>; epoch: number }> {
    const [turnId, conversationId] = [newId('turns'), newId('conversations')]
    await transact(async ({ db }) => {
      await sql`insert into conversations (id, organization_id, agent_id, channel)
        values (${conversationId}, ${organizationId}, ${agentId}, 'test')`.execute(db)
      await sql`insert into turns (id, organization_id, conversation_id, status, epoch)
        values (${turnId}, ${organizationId}, ${conversationId}, 'running', 1)`.execute(db)
    })
    return { turnId, epoch: 1 }
  }

  function answerOf(turnId: Id<'turns'>) {
    const category = 'agent_response' as const
    return {
      sourceId: turnId,
      agentId,
      category,
      channel: 'telegram' as const,
      messages: 1,
      call: null,
      occurredAt: NOW,
    }
  }
})
