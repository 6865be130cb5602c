// Tables of live queries, servers and jobs.

export const engine: string[] = [
  `create table file_stores (
    id text primary key,
    host text not null,
    seen_at timestamptz not null
  )`,
  `create table mutation_log (
    subject text not null,
    session_id text not null,
    request_id integer not null,
    fingerprint text not null,
    result jsonb not null,
    xid xid8 not null default pg_current_xact_id(),
    created_at timestamptz not null default now(),
    primary key (session_id, request_id, subject)
  )`,
  `create index mutation_log_age on mutation_log (created_at)`,
  `create table write_log (
    xid xid8 not null default pg_current_xact_id(),
    table_name text not null,
    keys jsonb,
    created_at timestamptz not null default now()
  )`,
  `create index write_log_age on write_log (created_at)`,
  `create index write_log_xid on write_log (xid)`,
  `create table write_log_horizon (
    only_row boolean default true check (only_row) primary key,
    xid xid8 not null
  )`,
  `create table write_probe (
    only_row boolean default true check (only_row) primary key,
    probed_at timestamptz not null
  )`,
]
