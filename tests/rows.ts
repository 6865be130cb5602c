// Rows that many database tests need before they can say what they are about.
import type { Database } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'

/** A new organization with its owner. */
export async function addOrganization(database: Database): Promise<Id<'organizations'>> {
  const owner = newId<'users'>()
  const id = newId<'organizations'>()
  await database.system('test: add organization', async (db) => {
    const user = { id: owner, name: 'Owner', email: `${owner}@example.com`, email_verified: true }
    await db.insertInto('users').values(user).execute()
    await db.insertInto('organizations').values({ id, name: 'Organization', owner_id: owner }).execute()
    await db.insertInto('members').values({ user_id: owner, organization_id: id, role: 'admin' }).execute()
  })
  return id
}

/** A row of `agents`, complete. It has no version: enough for the database, not for answering. */
export function agentRow(organizationId: Id<'organizations'>, name = 'Agent') {
  const id = newId<'agents'>()
  return { id, organization_id: organizationId, slug: id, name }
}

/** A new agent in an organization, without a version. */
export async function addAgent(database: Database, organizationId: Id<'organizations'>): Promise<Id<'agents'>> {
  const row = agentRow(organizationId)
  await database.organization(organizationId, (db) => db.insertInto('agents').values(row).execute())
  return row.id
}
