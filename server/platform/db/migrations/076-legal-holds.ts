// Legal holds on customers, with who ordered them and why: nothing of these customers is removed until a hold is lifted.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table customers add column legal_hold_at timestamptz, add column legal_hold_reason text,
      add column legal_hold_by text references users(id) on delete set null`,
    `create index customers_legal_hold on customers(external_id, organization_id) where legal_hold_at is not null`,
    `create index customers_legal_hold_by on customers(legal_hold_by) where legal_hold_by is not null`,
  ])
}
