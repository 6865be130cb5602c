// What a screen needs to say of any message why the agent did or did not answer it: what a turn knew, and who had silenced the agent.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table turns add column read_through bigint`,
    `alter table conversations add column paused_by text`,
    `alter table messages add column held jsonb`,
    `create index turns_ended on turns(conversation_id, finished_at) where finished_at is not null`,
  ])
}
