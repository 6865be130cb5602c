// SQL that reads the chains of the audit trail.
import type { Selectable } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { AuditEntriesTable } from '#server/platform/db/tables/audit.ts'

/** A chain, with its length and its last hash. */
export type Chain = { chain: string; length: number; hash: string }
export type ChainedEntry = Selectable<AuditEntriesTable>

/** Every chain that has begun, and every one of which entries exist. */
export async function listChains({ db }: StoreContext): Promise<Chain[]> {
  return db
    .selectFrom('audit_chains')
    .fullJoin(
      db.selectFrom('audit_entries').select('audit_entries.chain').distinct().as('used'),
      'used.chain',
      'audit_chains.chain',
    )
    .select(({ fn, val }) => [
      fn.coalesce('audit_chains.chain', 'used.chain').$notNull().as('chain'),
      fn.coalesce('audit_chains.length', val(0)).$notNull().as('length'),
      fn.coalesce('audit_chains.hash', val('')).$notNull().as('hash'),
    ])
    .orderBy('chain')
    .execute()
}

/** The next entries of a chain after a position, in order. */
export async function listEntries(
  { db }: StoreContext,
  chain: string,
  after: number,
  count: number,
): Promise<ChainedEntry[]> {
  return db
    .selectFrom('audit_entries')
    .selectAll()
    .where('chain', '=', chain)
    .where('position', '>', after)
    .orderBy('position')
    .limit(count)
    .execute()
}
