// Conversations of one customer that are shown as one. Each stays what it is to its channel; a merge is undone by going back to the thread
// before. Rows without a thread, which is nearly all, are in no index of it.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table conversations add column thread_id text, add column earlier_threads jsonb not null default '[]'`,
    `create index conversations_thread on conversations(thread_id, organization_id) where thread_id is not null`,
  ])
}
