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

/** Sets which organization a session works in; null: the one that its person joined first. */
export async function setWorkplace(
  db: Db,
  sessionId: Id<'sessions'>,
  organizationId: Id<'organizations'> | null,
): Promise<void> {
  await db.updateTable('sessions').set({ organization_id: organizationId }).where('id', '=', sessionId).execute()
}

/** Has no session of a person work in an organization any more that they have left. */
export async function clearWorkplace(db: Db, userId: Id<'users'>, organizationId: Id<'organizations'>): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ organization_id: null })
    .where('user_id', '=', userId)
    .where('organization_id', '=', organizationId)
    .execute()
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

/** The address of a user; undefined: there is none with this id. */
export async function findEmail(db: Db, userId: Id<'users'>): Promise<string | undefined> {
  const row = await db.selectFrom('users').where('id', '=', userId).select('email').executeTakeFirst()
  return row?.email
}

/** The hash of a user's password; undefined: they sign in without one. */
export async function findPassword(db: Db, userId: Id<'users'>): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .where('password', 'is not', null)
    .select('password')
    .executeTakeFirst()
  return row?.password ?? undefined
}

/** Changes what a person is called and shown as. */
export async function changePerson(
  db: Db,
  id: Id<'users'>,
  values: Omit<
    Updateable<UsersTable>,
    'id' | 'email' | 'email_verified' | 'role' | 'role_decided_at' | 'locked_at' | 'locked_reason'
  >,
): Promise<void> {
  await db.updateTable('users').set(values).where('id', '=', id).execute()
}

/** Why an account is locked; undefined: it is not. */
export async function findLock(db: Db, id: Id<'users'>): Promise<{ reason: string } | undefined> {
  const row = await db
    .selectFrom('users')
    .where('id', '=', id)
    .where('locked_at', 'is not', null)
    .select('locked_reason')
    .executeTakeFirst()
  return row && { reason: row.locked_reason ?? '' }
}

/** Locks an account, or unlocks it by null. Its sessions are another matter. */
export async function setLock(db: Db, id: Id<'users'>, lock: { reason: string; now: Date } | null): Promise<void> {
  const values = { locked_at: lock?.now ?? null, locked_reason: lock?.reason ?? null }
  await db.updateTable('users').set(values).where('id', '=', id).execute()
}

/** Keeps for the members of an organization that its owner is deleting what has become of it. */
export async function noteRemovedOrganization(
  db: Db,
  { _id, name, ownerId }: { _id: Id<'organizations'>; name: string; ownerId: Id<'users'> },
): Promise<void> {
  const members = db.selectFrom('members').where('organization_id', '=', _id).where('user_id', '<>', ownerId)
  await db
    .updateTable('users')
    .set({ removed_organization: name })
    .where('id', 'in', members.select('user_id'))
    .execute()
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

/** The language of a person's profile, by their address; undefined: no such person. */
export async function findLanguage(db: Db, email: string): Promise<'' | 'ru' | 'en' | undefined> {
  const found = db.selectFrom('users').where('email', '=', email.toLowerCase()).select('language')
  return (await found.executeTakeFirst())?.language
}

/** The account with an address. */
export async function findIdByEmail(db: Db, email: string): Promise<Id<'users'> | undefined> {
  const found = db.selectFrom('users').where('email', '=', email.trim().toLowerCase()).select('id')
  return (await found.executeTakeFirst())?.id
}

/** Records that a person reads what is sent to their address. */
export async function proveEmail(db: Db, id: Id<'users'>): Promise<void> {
  const unproven = db.updateTable('users').set({ email_verified: true, updated_at: new Date() })
  await unproven.where('id', '=', id).where('email_verified', '=', false).execute()
}
