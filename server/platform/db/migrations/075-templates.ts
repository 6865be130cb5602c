// Parts that are templates of the provider, with the words that fill them.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table outbox add column template jsonb`])
}
