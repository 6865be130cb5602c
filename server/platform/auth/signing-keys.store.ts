// SQL of the keys that sign realtime tokens.
import type { Db } from '#server/platform/db/database.ts'

export type StoredKey = { id: string; publicKey: string; privateKey: string }

/** All keys, oldest first: every server process signs with the first. */
export async function listKeys(db: Db): Promise<StoredKey[]> {
  const rows = await db.selectFrom('jwks').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map((row) => ({ id: row.id, publicKey: row.public_key, privateKey: row.private_key }))
}

/** Adds a key. */
export async function insertKey(db: Db, key: StoredKey): Promise<void> {
  await db
    .insertInto('jwks')
    .values({
      id: key.id,
      public_key: key.publicKey,
      private_key: key.privateKey,
      created_at: new Date(),
      expires_at: null,
    })
    .execute()
}
