// What the team knows of a customer, kept apart from what the channel says.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table customers add column given_name text, add column tags jsonb not null default '[]',
      add column attributes jsonb not null default '[]', add column note text not null default ''`,
    `create index customers_external on customers(external_id, organization_id)`,
  ])
}
