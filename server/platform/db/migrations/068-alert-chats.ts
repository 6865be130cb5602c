// Where the alert bot writes to people of the team, and the codes by which they show the bot who they are.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table alert_chats (
      organization_id text not null references organizations(id) on delete cascade,
      user_id text not null references users(id) on delete cascade,
      chat_id text, name text, code_hash text, code_until timestamptz,
      primary key (organization_id, user_id))`,
    `create index alert_chats_user on alert_chats(user_id)`,
    `create index alert_chats_chat on alert_chats(chat_id) where chat_id is not null`,
    `create unique index alert_chats_code on alert_chats(code_hash) where code_hash is not null`,
  ])
}
