// What a provider last said of its delivery to a connection: what waits, and what went wrong.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table channel_connections add column delivery_check jsonb`])
}
