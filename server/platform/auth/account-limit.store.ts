// SQL that counts failed sign-ins of one account and remembers the addresses that it signed in from.
import type { Db } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'

/** Adds one attempt; starts from 1 when the last one is older than the window. @returns attempts in the window */
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

/** Adds one to a window that begins with the first and does not move: those who go on asking lock out no one. @returns how many it has */
export async function countInWindow(db: Db, key: string, windowMs: number, now: number): Promise<number> {
  const row = await db
    .insertInto('auth_rate_limits')
    .values({ id: newId(), key, count: 1, last_request: now })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => {
        const isOver = eb('auth_rate_limits.last_request', '<', now - windowMs)
        const count = eb
          .case()
          .when(isOver)
          .then(1)
          .else(eb('auth_rate_limits.count', '+', 1))
          .end()
        const begun = eb.case().when(isOver).then(now).else(eb.ref('auth_rate_limits.last_request')).end()
        return { count, last_request: begun }
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return row.count
}

/** Forgets the attempts of an account that has signed in. */
export async function clearAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('auth_rate_limits').where('key', '=', key).execute()
}

/** Records a sign-in from an address. */
export async function rememberAddress(db: Db, key: string, now: number): Promise<void> {
  await db
    .insertInto('auth_rate_limits')
    .values({ id: newId(), key, count: 0, last_request: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ last_request: now }))
    .execute()
}

/** Whether an address was recorded after a moment. */
export async function isRemembered(db: Db, key: string, after: number): Promise<boolean> {
  const found = db.selectFrom('auth_rate_limits').where('key', '=', key).where('last_request', '>', after)
  return (await found.select('key').executeTakeFirst()) !== undefined
}
