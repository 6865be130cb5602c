// In which conversation money was spent, and on what. What was counted before is known by its turn or by what was attached; help for operators
// is not.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const TABLES = ['usage_events', 'turns', 'attachments']

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table usage_events add column conversation_id text,
      add column purpose text check (purpose in ('reply', 'search', 'media', 'helper')),
      add check ((conversation_id is null) = (purpose is null))`,
    // An owner that is no superuser sees no row of a table whose security is forced upon it.
    ...TABLES.map((table) => `alter table ${table} no force row level security`),
    `update usage_events e set conversation_id = t.conversation_id, purpose = 'reply' from turns t
      where t.organization_id = e.organization_id and t.id = split_part(e.source_id, '/', 1) and e.model is not null`,
    `update usage_events e set conversation_id = a.conversation_id, purpose = 'media' from attachments a
      where a.organization_id = e.organization_id and a.id = e.source_id and e.model is not null`,
    ...TABLES.map((table) => `alter table ${table} force row level security`),
    `create index usage_events_conversation on usage_events(organization_id, conversation_id) where conversation_id is not null`,
  ])
}
