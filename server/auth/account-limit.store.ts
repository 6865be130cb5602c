// SQL that counts failed sign-ins of one account, whatever addresses they come from.
import type { Db } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'

/** Adds one attempt, beginning anew when the last one is older than the window. @returns attempts in the window */
export async function countAttempt(db: Db, key: string, windowMs: number, now: number): Promise<number> {
  const row = await db
    .insertInto('auth_rate_limits')
    .values({ id: newId(), key, count: 1, last_request: now })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        count: eb
          .case()
          .when('auth_rate_limits.last_request', '<', now - windowMs)
          .then(1)
          .else(eb('auth_rate_limits.count', '+', 1))
          .end(),
        last_request: now,
      })),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return row.count
}

/** Forgets the attempts of an account that has signed in. */
export async function clearAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('auth_rate_limits').where('key', '=', key).execute()
}
