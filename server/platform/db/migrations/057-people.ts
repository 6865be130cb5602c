// Contacts of several channels that are one person. A contact that was merged points to the one that stands for the person, and keeps
// what is its own: a separation has nothing to put together again. Both columns are empty for nearly everybody.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table customers add column person_id text, add column merged_into text, add column merged_at timestamptz,
      add column merged_by text references users(id) on delete set null,
      add foreign key (organization_id, person_id) references customers(organization_id, id) on delete set null (person_id),
      add foreign key (organization_id, merged_into) references customers(organization_id, id) on delete set null (merged_into),
      add check (person_id <> id), add check (merged_into <> id)`,
    `create index customers_person on customers(person_id, organization_id) where person_id is not null`,
    `create index customers_merged_into on customers(merged_into, organization_id) where merged_into is not null`,
    `create index customers_merged_by on customers(merged_by) where merged_by is not null`,
  ])
}
