// What helps the people who answer: replies kept ready, and who else is in a conversation just now.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table canned_replies (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      name text not null, text_ru text not null, text_en text not null, created_at timestamptz not null default now())`,
    `create unique index canned_replies_name on canned_replies(organization_id, lower(name))`,
    `create table conversation_presence (
      organization_id text not null references organizations(id) on delete cascade, conversation_id text not null,
      user_id text not null references users(id) on delete cascade,
      state text not null check (state in ('looking', 'typing')), at timestamptz not null default now(),
      primary key (conversation_id, user_id),
      foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
    `create index conversation_presence_conversation on conversation_presence(organization_id, conversation_id)`,
    `create index conversation_presence_user on conversation_presence(user_id)`,
  ])
}
