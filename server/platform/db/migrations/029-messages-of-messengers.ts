// Messages as messengers have them: changed afterwards, written by one of a group, in reply to another.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table messages add column external_id text, add column speaker text, add column quoted text,
      add column edited_at timestamptz`,
    `create index messages_external on messages(conversation_id, external_id) where external_id is not null`,
  ])
}
