// The realtime engine's own tables.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table write_log (
      xid xid8 not null default pg_current_xact_id(), table_name text not null, keys jsonb,
      created_at timestamptz not null default now())`,
    `create index write_log_xid on write_log(xid)`,
    `create index write_log_age on write_log(created_at)`,
    `create table write_log_horizon (only_row boolean primary key default true check (only_row), xid xid8 not null)`,
    `insert into write_log_horizon (xid) values ('0')`,
    `create table mutation_log (
      subject text not null, session_id text not null, request_id integer not null, fingerprint text not null,
      result jsonb not null, xid xid8 not null default pg_current_xact_id(), created_at timestamptz not null default now(),
      primary key (session_id, request_id, subject))`,
    `create index mutation_log_age on mutation_log(created_at)`,
  ])
}
