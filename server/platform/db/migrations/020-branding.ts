// The brand of the installation, and those of organizations.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** Makes the tables. The installation has at most one row. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table installation_brand (
      id boolean primary key default true check (id),
      brand jsonb not null,
      updated_at timestamptz not null
    )`,
    `create table organization_brands (
      organization_id text primary key references organizations(id) on delete cascade,
      brand jsonb not null,
      updated_at timestamptz not null
    )`,
  ])
}
