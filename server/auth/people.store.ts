// SQL around a leaving account.
import type { Db } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** The organization that a user owns. */
export async function findOwnedOrganization(db: Db, userId: Id<'users'>): Promise<Id<'organizations'> | undefined> {
  const row = await db.selectFrom('organizations').where('owner_id', '=', userId).select('id').executeTakeFirst()
  return row?.id
}

/** How many people besides one user are members. */
export async function countOtherMembers(
  db: Db,
  organizationId: Id<'organizations'>,
  userId: Id<'users'>,
): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '<>', userId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes an organization with everything in it. */
export async function removeOrganization(db: Db, organizationId: Id<'organizations'>): Promise<void> {
  await db.deleteFrom('organizations').where('id', '=', organizationId).execute()
}
