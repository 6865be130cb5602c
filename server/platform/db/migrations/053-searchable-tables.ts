// Names of tables as their list is searched by.
import type { Kysely } from 'kysely'
import { folded } from './024-searchable-lists.ts'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table tables add column name_key text not null generated always as (${folded('name')}) stored`,
    'drop index tables_space',
    'create index tables_space on tables(organization_id, knowledge_space_id, created_at, id)',
  ])
}
