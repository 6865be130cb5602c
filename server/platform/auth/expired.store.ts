// SQL that deletes expired rows.
import type { Db } from '#server/platform/db/database.ts'
import { endExpired, forgetEnds } from './sessions.store.ts'

/** How long rate-limit counters and known sign-in addresses are kept. */
const LIMITS_KEPT_MS = 90 * 24 * 60 * 60 * 1000
/** How long it is kept why a session ended. */
const ENDS_KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Deletes sessions and one-time values that expired before a moment, and counters unused for LIMITS_KEPT_MS. */
export async function deleteExpired(db: Db, before: Date): Promise<void> {
  await endExpired(db, before)
  await forgetEnds(db, new Date(before.getTime() - ENDS_KEPT_MS))
  await db.deleteFrom('verifications').where('expires_at', '<', before).execute()
  const untouchedSince = before.getTime() - LIMITS_KEPT_MS
  await db.deleteFrom('auth_rate_limits').where('last_request', '<', untouchedSince).execute()
}
