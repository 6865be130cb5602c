// SQL for links that reset a password: one-time values of the sign-in library whose value is the id of the account.
import type { Db } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'

type NewReset = { identifier: string; userId: Id<'users'>; expiresAt: Date }

/** Keeps a link. */
export async function insertReset(db: Db, { identifier, userId, expiresAt }: NewReset): Promise<void> {
  const now = new Date()
  await db
    .insertInto('verifications')
    .values({ id: newId(), identifier, value: userId, expires_at: expiresAt, created_at: now, updated_at: now })
    .execute()
}

/** Forgets every link of an account. */
export async function forgetResets(db: Db, userId: Id<'users'>): Promise<void> {
  await db.deleteFrom('verifications').where('value', '=', userId).execute()
}

/** The address of the account whose password a link resets. */
export async function findResetEmail(db: Db, identifier: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('verifications as v')
    .innerJoin('users as u', 'u.id', 'v.value')
    .where('v.identifier', '=', identifier)
    .select('u.email')
    .executeTakeFirst()
  return row?.email
}
