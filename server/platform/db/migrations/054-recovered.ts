// Counts notifications that had to be fetched, because their provider could not deliver them or polling had stopped.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table channel_connections add column recovered integer not null default 0`])
}
