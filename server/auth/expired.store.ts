// SQL that forgets what has run out.
import type { Db } from '#server/db/database.ts'

/** Deletes sessions and one-time values that expired before a moment. */
export async function deleteExpired(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', before).execute()
  await db.deleteFrom('verifications').where('expires_at', '<', before).execute()
}
