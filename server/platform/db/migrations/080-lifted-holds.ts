// Lifted legal holds stay on record: who had ordered them and why, and who lifted them when.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table customers add column lifted_holds jsonb not null default '[]'`])
}
