// What comes with messages besides text, answers that are spoken, and whether a customer would rather listen than read.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table attachments (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      conversation_id text not null, message_id text not null, position integer not null, kind text not null,
      external_file_id text, mime_type text, name text, size_bytes bigint, duration_seconds integer, file_key text,
      status text not null check (status in ('waiting', 'ready', 'failed')), text text, reason text,
      created_at timestamptz not null default now(),
      foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade,
      foreign key (organization_id, message_id) references messages(organization_id, id) on delete cascade)`,
    `create index attachments_message on attachments(organization_id, message_id)`,
    `create index attachments_conversation on attachments(organization_id, conversation_id)`,
    `alter table messages add column attachment_count integer not null default 0`,
    `alter table outbox add column attachment_id text`,
    `alter table customers add column answers_by text check (answers_by in ('text', 'voice'))`,
  ])
}
