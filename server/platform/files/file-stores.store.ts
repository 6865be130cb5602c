// SQL for the stores in which the servers of this installation keep files.
import type { StoreContext } from '#server/platform/db/database.ts'

export type SeenStore = { id: string; host: string }

/** Says that a server uses this store now. */
export async function recordStore({ db }: StoreContext, { id, host }: SeenStore, now: Date): Promise<void> {
  await db
    .insertInto('file_stores')
    .values({ id, host, seen_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ host, seen_at: now }))
    .execute()
}

/** Other stores that a server has used since then. */
export async function listOtherStores({ db }: StoreContext, id: string, since: Date): Promise<SeenStore[]> {
  return db
    .selectFrom('file_stores')
    .where('id', '<>', id)
    .where('seen_at', '>=', since)
    .select(['id', 'host'])
    .orderBy('id')
    .execute()
}
