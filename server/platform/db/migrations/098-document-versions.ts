// When a document got another content; null: it has the one that it came with.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, ['alter table documents add column replaced_at timestamptz'])
}
