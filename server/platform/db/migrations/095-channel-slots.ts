// How many paid connections a plan allows.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, ['alter table plans add column channel_slots integer check (channel_slots >= 0)'])
}
