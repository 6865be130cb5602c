// SQL of liveness.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'

/** Whether a named lock of `Database.withLock` is free. PostgreSQL only. */
export async function isLockFree(ctx: StoreContext, name: string): Promise<boolean> {
  const result = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}::text, 0)) as free`.execute(ctx.db)
  return result.rows[0]?.free ?? false
}
