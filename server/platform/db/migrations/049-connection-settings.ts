// Settings of a connection: texts, commands and when a new conversation begins.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table channel_connections add column settings jsonb`])
}
