// SQL around user accounts: names, password, sessions, and what is deleted with them.
import type { Updateable } from 'kysely'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { UsersTable } from '#server/platform/db/tables/accounts.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'

/** The organization that a user owns, locked so that nothing is added to it meanwhile. */
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

/** Whether a user signs in with a password. */
export async function hasPassword(db: Db, userId: Id<'users'>): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .where('user_id', '=', userId)
    .where('password', 'is not', null)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends all sessions of a user but the current one. */
export async function endOtherSessions(db: Db, session: { id: string; userId: string }): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', session.userId as Id<'users'>)
    .where('id', '<>', session.id as Id<'sessions'>)
    .execute()
}

/** Ends one session of a user, by its id or by the hash of its token. */
export async function endSession(db: Db, userId: string, of: { id: string } | { hash: string }): Promise<void> {
  const own = db.deleteFrom('sessions').where('user_id', '=', userId as Id<'users'>)
  await ('id' in of ? own.where('id', '=', of.id as Id<'sessions'>) : own.where('token', '=', of.hash)).execute()
}

/** Changes what a person is called and shown as. */
export async function changePerson(
  db: Db,
  id: Id<'users'>,
  values: Omit<Updateable<UsersTable>, 'id' | 'email' | 'email_verified' | 'role'>,
): Promise<void> {
  await db.updateTable('users').set(values).where('id', '=', id).execute()
}

/** Writes where a person's picture is served from now on. @returns whether it was still the one that is replaced */
export async function replacePicture(
  db: Db,
  id: Id<'users'>,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ image: to })
    .where('id', '=', id)
    .where('image', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

class Undone extends Error {}

/** Writes the rows of a new account and rolls them back: as much work as a sign-up. */
export async function rehearseSignUp(database: Database): Promise<void> {
  const now = new Date()
  const times = { created_at: now, updated_at: now }
  const [userId, sessionId, id] = [newId('users'), newId('sessions'), newId()]
  const rehearsal = database.system('sign-in: rehearse sign-up', async (db) => {
    const email = `${userId}@rehearsal.invalid`
    await db
      .insertInto('users')
      .values({ id: userId, name: '', email, email_verified: false, image: null, ...times })
      .execute()
    const account = { account_id: userId, provider_id: 'credential', user_id: userId, password: '', ...NO_TOKENS }
    await db
      .insertInto('accounts')
      .values({ id, ...account, ...times })
      .execute()
    const session = { user_id: userId, token: id, expires_at: now, ip_address: '', user_agent: '' }
    await db
      .insertInto('sessions')
      .values({ id: sessionId, ...session, ...times })
      .execute()
    throw new Undone()
  })
  await rehearsal.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
}

const NO_TOKENS = {
  access_token: null,
  refresh_token: null,
  id_token: null,
  access_token_expires_at: null,
  refresh_token_expires_at: null,
  scope: null,
}
