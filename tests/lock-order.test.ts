// The guard over the order of locks fails when the order is violated.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/platform/lib/ids.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const unknownOrganization = newId('organizations')
const CONVERSATIONS = ['conversations', 'turns', 'outbox'] as const

it('a transaction locks no conversation, and nothing that hangs on one, after counters', async () => {
  for (const table of CONVERSATIONS) {
    const backwards = test.database.system('test', async (db) => {
      await db.updateTable('quotas').set({ used: 1 }).where('organization_id', '=', unknownOrganization).execute()
      await db
        .updateTable(table)
        .set({ organization_id: unknownOrganization })
        .where('organization_id', '=', unknownOrganization)
        .execute()
    })
    await expect(backwards).rejects.toThrow('Locked out of order')
  }
})

it('a transaction may lock a conversation before counters, and again after', async () => {
  await test.database.system('test', async (db) => {
    for (const table of ['conversations', 'turns', 'quotas', 'turns', 'conversations'] as const)
      await db
        .updateTable(table)
        .set({ organization_id: unknownOrganization })
        .where('organization_id', '=', unknownOrganization)
        .execute()
  })
})
