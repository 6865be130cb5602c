// Tables of exports.

export const exports: string[] = [
  `create table exports (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    user_id text references users(id) on delete set null,
    name text not null,
    chosen jsonb not null,
    manner jsonb not null,
    status text not null default 'waiting' check (status in ('waiting', 'running', 'ready', 'failed', 'cancelled')),
    done integer not null default 0,
    total integer,
    file_key text not null,
    size_bytes bigint,
    expires_at timestamptz,
    heartbeat_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    unique (organization_id, id)
  )`,
  `create index exports_expired on exports (expires_at) where expires_at is not null`,
  `create index exports_open on exports (heartbeat_at) where status in ('waiting', 'running')`,
  `create index exports_organization on exports (organization_id, created_at desc)`,
  `create index exports_user on exports (user_id)`,
]
