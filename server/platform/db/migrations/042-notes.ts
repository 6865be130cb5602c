// The team's notes on a conversation. A separate table, which nothing that sends messages or calls models reads.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table conversation_notes (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      conversation_id text not null, user_id text references users(id) on delete set null, text text not null,
      created_at timestamptz not null default now(), unique (organization_id, id),
      foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
    `create index conversation_notes_conversation on conversation_notes(organization_id, conversation_id, created_at desc)`,
    `create table note_mentions (
      organization_id text not null references organizations(id) on delete cascade, note_id text not null,
      conversation_id text not null, user_id text not null references users(id) on delete cascade, seen_at timestamptz,
      primary key (note_id, user_id),
      foreign key (organization_id, note_id) references conversation_notes(organization_id, id) on delete cascade,
      foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
    `create index note_mentions_unseen on note_mentions(organization_id, user_id) where seen_at is null`,
    `create index note_mentions_conversation on note_mentions(organization_id, conversation_id)`,
    `create index note_mentions_user on note_mentions(user_id)`,
    `create index conversation_notes_user on conversation_notes(user_id)`,
  ])
}
