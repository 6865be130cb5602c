// In whose names a bot of Telegram answers: owners of business accounts, who may take it off and connect it again by another id.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table channel_connections add column businesses jsonb not null default '[]'`])
}
