// SQL of the second step: its key, which codes are spent, and whether an account has it.
import { sql } from 'kysely'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type UserId = Id<'users'>

/** Whether signing in asks for a second step. */
export async function hasTwoStep(db: Db, userId: UserId): Promise<boolean> {
  const row = await db.selectFrom('users').where('id', '=', userId).select('two_factor_enabled').executeTakeFirst()
  return row?.two_factor_enabled ?? false
}

/** The encrypted key of an account, and how many recovery codes are left. */
export async function findTwoFactor(db: Db, userId: UserId) {
  return db
    .selectFrom('two_factors')
    .where('user_id', '=', userId)
    .select(['secret', 'is_confirmed', sql<number>`jsonb_array_length(recovery_codes)`.as('codes_left')])
    .executeTakeFirst()
}

/** Keeps a key that no code has confirmed yet. @returns false: the account has a confirmed one, which stays */
export async function proposeKey(db: Db, userId: UserId, secret: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('two_factors')
    .values({ user_id: userId, secret })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ secret, last_step: 0 }).where('two_factors.is_confirmed', '=', false),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** From now on signing in asks for the second step. @returns false when it did already */
export async function confirmKey(
  database: Database,
  userId: UserId,
  { step, codes }: { step: number; codes: string[] },
): Promise<boolean> {
  return database.system('sign-in: two-step on', async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('two_factors')
      .set({ is_confirmed: true, last_step: step, recovery_codes: JSON.stringify(codes) })
      .where('user_id', '=', userId)
      .where('is_confirmed', '=', false)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await db.updateTable('users').set({ two_factor_enabled: true }).where('id', '=', userId).execute()
    return true
  })
}

/** Spends the code of a step of time, and with it all before. @returns false: it was spent */
export async function spendStep(db: Db, userId: UserId, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('two_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('is_confirmed', '=', true)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Spends a recovery code by its hash. @returns false: it is none, or was spent */
export async function spendRecoveryCode(db: Db, userId: UserId, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('two_factors')
    .set({ recovery_codes: sql`recovery_codes - ${hash}::text` })
    .where('user_id', '=', userId)
    .where('is_confirmed', '=', true)
    .where(sql<boolean>`recovery_codes @> ${JSON.stringify([hash])}::jsonb`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Puts other recovery codes in the place of all. @returns false without two-step sign-in */
export async function replaceRecoveryCodes(db: Db, userId: UserId, hashes: string[]): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('two_factors')
    .set({ recovery_codes: JSON.stringify(hashes) })
    .where('user_id', '=', userId)
    .where('is_confirmed', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** From now on a password is enough. @returns false when it was already */
export async function removeTwoFactor(database: Database, userId: UserId): Promise<boolean> {
  return database.system('sign-in: two-step off', (db) => clearTwoFactor(db, userId))
}

/** As `removeTwoFactor`, in the caller's transaction. */
export async function clearTwoFactor(db: Db, userId: UserId): Promise<boolean> {
  await db.deleteFrom('two_factors').where('user_id', '=', userId).execute()
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ two_factor_enabled: false })
    .where('id', '=', userId)
    .where('two_factor_enabled', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
