// Handoffs of a conversation: who is needed, why a person was called, and a summary of what operators wrote meanwhile.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table conversations add column needs_person boolean not null default false,
      add column handoff_reason text, add column handoff_note text, add column phrases_through bigint not null default 0,
      add column stretch_summary text, add column stretch_through bigint not null default 0`,
    `create index conversations_needs_person on conversations(organization_id, last_message_at desc, id desc) where needs_person`,
  ])
}
