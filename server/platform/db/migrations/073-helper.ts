// The model that assists operators, and its translations: stored with the message, so that each is paid for once and deleted with it. A row
// without a text is being written.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table organizations add column helper_model text not null default ''`,
    `create table message_translations (
      organization_id text not null references organizations(id) on delete cascade, message_id text not null,
      language text not null check (language in ('ru', 'en')), source_digest text not null, text text,
      claimed_until timestamptz not null, primary key (message_id, language),
      foreign key (organization_id, message_id) references messages(organization_id, id) on delete cascade)`,
    `create index message_translations_organization on message_translations(organization_id, message_id)`,
  ])
}
