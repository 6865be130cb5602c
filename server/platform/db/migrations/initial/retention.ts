// Tables of what was deleted by age.

export const retention: string[] = [
  `create table removals (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    kind text not null check (kind in ('retention', 'erasure')),
    user_id text references users(id) on delete set null,
    counts jsonb not null,
    created_at timestamptz not null default now()
  )`,
  `create index removals_organization on removals (organization_id, created_at desc)`,
  `create index removals_user on removals (user_id)`,
]
