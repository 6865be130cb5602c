// Tables of what was used and what is allowed.

export const usage: string[] = [
  `create table analytics_events (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    kind text not null,
    data jsonb not null,
    occurred_at timestamptz not null default now()
  )`,
  `create index analytics_events_time on analytics_events (organization_id, occurred_at)`,
  `create table quota_holds (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    period text not null,
    expires_at timestamptz not null
  )`,
  `create index quota_holds_expiry on quota_holds (expires_at)`,
  `create index quota_holds_organization on quota_holds (organization_id)`,
  `create table quotas (
    organization_id text not null references organizations(id) on delete cascade,
    period text not null,
    used bigint not null default 0,
    reserved integer not null default 0 check (reserved >= 0),
    cost_micro_usd bigint not null default 0,
    unpriced_calls bigint not null default 0,
    is_warned boolean not null default false,
    primary key (organization_id, period)
  )`,
  `create table usage_events (
    source_id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text,
    category text not null,
    channel text not null,
    messages integer not null,
    provider text,
    model text,
    input_tokens integer not null default 0,
    output_tokens integer not null default 0,
    cost_micro_usd bigint,
    price_version text,
    occurred_at timestamptz not null default now(),
    conversation_id text,
    purpose text check (purpose in ('reply', 'search', 'media', 'helper')),
    check ((conversation_id is null) = (purpose is null))
  )`,
  `create index usage_events_conversation on usage_events (organization_id, conversation_id) where conversation_id is not null`,
  `create index usage_events_time on usage_events (organization_id, occurred_at)`,
  `alter table usage_events force row level security`,
  `create table usage_hours (
    organization_id text not null references organizations(id) on delete cascade,
    hour timestamptz not null,
    category text not null,
    channel text not null,
    shard integer not null,
    messages bigint not null default 0,
    tokens bigint not null default 0,
    cost_micro_usd bigint not null default 0,
    unpriced_calls bigint not null default 0,
    primary key (organization_id, hour, category, channel, shard)
  )`,
  `create table usage_months (
    organization_id text not null references organizations(id) on delete cascade,
    month text not null,
    agent_id text not null,
    shard integer not null,
    messages bigint not null default 0,
    tokens bigint not null default 0,
    cost_micro_usd bigint not null default 0,
    unpriced_calls bigint not null default 0,
    primary key (organization_id, month, agent_id, shard)
  )`,
]
