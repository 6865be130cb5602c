// Tables of tokens of the HTTP API and requests that are done once.

export const api: string[] = [
  `create table api_requests (
    organization_id text not null references organizations(id) on delete cascade,
    key text not null,
    fingerprint text not null,
    status integer not null,
    answer jsonb not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, key)
  )`,
  `create index api_requests_oldest on api_requests (created_at)`,
  `create table api_tokens (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    name text not null,
    token_hash text not null unique,
    token_tail text not null,
    created_by text references users(id) on delete set null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    window_started_at timestamptz,
    window_requests integer not null default 0
  )`,
  `create index api_tokens_organization on api_tokens (organization_id, created_at)`,
]
