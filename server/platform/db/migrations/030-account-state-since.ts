// When the account of a phone entered its current state.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table channel_connections add column account_state_since timestamptz`,
    `update channel_connections set account_state_since = account_state_at`,
  ])
}
