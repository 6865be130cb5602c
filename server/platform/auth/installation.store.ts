// Facts of one installation that are decided once: its application secret, the proof of its key, who became the first admin.
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { UserRole } from '#shared/organizations/organizations.ts'

/** Stores a value under a name unless there is one. @returns the value that stands, and whether it is the given one */
export async function decideOnce(db: Db, name: string, value: string): Promise<{ value: string; isNew: boolean }> {
  const inserted = await db
    .insertInto('installation_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('value')
    .executeTakeFirst()
  if (inserted) return { value: inserted.value, isNew: true }
  const stored = await db
    .selectFrom('installation_secrets')
    .where('name', '=', name)
    .select('value')
    .executeTakeFirstOrThrow()
  return { value: stored.value, isNew: false }
}

/** The value that stands under a name; undefined: none was decided. */
export async function findDecided(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('installation_secrets').where('name', '=', name).select('value').executeTakeFirst()
  return row?.value
}

/** Puts another value in the place of the one that stands under a name. @returns the one before; undefined: none was decided */
export async function replaceDecided(db: Db, name: string, value: string): Promise<string | undefined> {
  const before = await db
    .selectFrom('installation_secrets')
    .where('name', '=', name)
    .select('value')
    .forUpdate()
    .executeTakeFirst()
  if (before?.value === value) return value
  await db
    .insertInto('installation_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  return before?.value
}

/** Whether there is a platform admin. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').where('role', '=', 'admin').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Whether there is a platform admin besides a person who can sign in. */
export async function hasOtherAdmin(db: Db, userId: Id<'users'>): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .where('role', '=', 'admin')
    .where('locked_at', 'is', null)
    .where('id', '<>', userId)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether there is any account. */
export async function hasAccounts(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** `emails` in lower case. `needsProof`: a letter must have reached the address. `userId`: this account only. */
export type ListedAdmins = { emails: string[]; needsProof: boolean; userId: Id<'users'> | undefined }

/**
 * Makes admins of accounts by their addresses. What an administrator has decided about one stands, as long as there is an administrator.
 *
 * @returns the addresses of those that were none
 */
export async function makeAdmins(db: Db, { emails, needsProof, userId }: ListedAdmins): Promise<string[]> {
  let update = db
    .updateTable('users')
    .set({ role: 'admin', updated_at: new Date() })
    .where('role', '<>', 'admin')
    .where(sql`lower(email)`, 'in', emails)
    .where(({ eb, exists, not, or, selectFrom }) => {
      const admins = selectFrom('users as other').where('other.role', '=', 'admin').where('other.locked_at', 'is', null)
      return or([eb('role_decided_at', 'is', null), not(exists(admins.select('other.id')))])
    })
  if (needsProof) update = update.where('email_verified', '=', true)
  if (userId !== undefined) update = update.where('id', '=', userId)
  const rows = await update.returning('email').execute()
  return rows.map(({ email }) => email)
}

/** Sets the platform role of a user as an administrator of the installation has decided: ADMIN_EMAILS does not change it afterwards. */
export async function decideRole(db: Db, userId: Id<'users'>, role: UserRole, now: Date): Promise<void> {
  const values = { role, role_decided_at: now, updated_at: now }
  await db.updateTable('users').set(values).where('id', '=', userId).execute()
}

/** Sets the platform role of a user. */
export async function setRole(db: Db, userId: Id<'users'>, role: UserRole): Promise<void> {
  await db.updateTable('users').set({ role, updated_at: new Date() }).where('id', '=', userId).execute()
}
