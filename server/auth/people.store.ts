// SQL around the accounts of people: their password and sessions, and what leaves with them.
import type { Db } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** The organization that a user owns, held so that nothing is added to it meanwhile. */
export async function findOwnedOrganization(db: Db, userId: Id<'users'>): Promise<Id<'organizations'> | undefined> {
  const owned = db.selectFrom('organizations').where('owner_id', '=', userId).select('id')
  const row = await owned.forUpdate().executeTakeFirst()
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

/** Whether somebody signs in with a password. */
export async function hasPassword(db: Db, userId: Id<'users'>): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .where('user_id', '=', userId)
    .where('password', 'is not', null)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Signs somebody out everywhere but here. */
export async function endOtherSessions(db: Db, session: { id: string; userId: string }): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', session.userId as Id<'users'>)
    .where('id', '<>', session.id as Id<'sessions'>)
    .execute()
}
