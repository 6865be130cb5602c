// SQL for stored files: which of them are named by rows.
import type { StoreContext } from '#server/platform/db/database.ts'

/** Those of the keys that documents or tables of any organization name. */
export async function listNamed(ctx: StoreContext, keys: string[]): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('documents')
    .where('file_key', 'in', keys)
    .select('file_key')
    .unionAll(ctx.db.selectFrom('knowledge_tables').where('file_key', 'in', keys).select('file_key'))
    .execute()
  return new Set(rows.map((row) => row.file_key))
}
