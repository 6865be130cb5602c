// Tables of alerts and how each person wants them.

export const alerts: string[] = [
  `create table alert_chats (
    organization_id text not null references organizations(id) on delete cascade,
    user_id text not null references users(id) on delete cascade,
    chat_id text,
    name text,
    code_hash text,
    code_until timestamptz,
    primary key (organization_id, user_id)
  )`,
  `create index alert_chats_chat on alert_chats (chat_id) where chat_id is not null`,
  `create unique index alert_chats_code on alert_chats (code_hash) where code_hash is not null`,
  `create index alert_chats_user on alert_chats (user_id)`,
  `create table alert_settings (
    organization_id text not null references organizations(id) on delete cascade,
    user_id text not null references users(id) on delete cascade,
    settings jsonb not null,
    primary key (organization_id, user_id)
  )`,
  `create index alert_settings_user on alert_settings (user_id)`,
  `create table push_devices (
    organization_id text not null references organizations(id) on delete cascade,
    user_id text not null references users(id) on delete cascade,
    session_id text not null references sessions(id) on delete cascade,
    endpoint text not null,
    p256dh text not null,
    auth text not null,
    name text not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, user_id, endpoint)
  )`,
  `create index push_devices_session on push_devices (session_id)`,
  `create index push_devices_user on push_devices (user_id)`,
  `create table alerts (
    id text default replace((gen_random_uuid())::text, '-', '') primary key,
    organization_id text not null references organizations(id) on delete cascade,
    user_id text not null references users(id) on delete cascade,
    kind text not null check (kind in ('handoff', 'mine', 'mention', 'delivery', 'connection', 'allowance')),
    subject text not null,
    conversation_id text,
    connection_id text references channel_connections(id) on delete cascade,
    planned_at timestamptz,
    seen_at timestamptz,
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade
  )`,
  `create index alerts_age on alerts (created_at)`,
  `create index alerts_connection on alerts (connection_id) where connection_id is not null`,
  `create index alerts_conversation on alerts (organization_id, conversation_id) where conversation_id is not null`,
  `create index alerts_open on alerts (kind) where seen_at is null`,
  `create index alerts_unplanned on alerts (created_at) where planned_at is null`,
  `create unique index alerts_unseen on alerts (organization_id, user_id, kind, subject) where seen_at is null`,
  `create index alerts_user on alerts (user_id)`,
  `create table alert_sends (
    organization_id text not null references organizations(id) on delete cascade,
    alert_id text not null,
    way text not null,
    status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'failed', 'dropped')),
    attempts integer not null default 0,
    not_before timestamptz not null,
    primary key (alert_id, way),
    foreign key (organization_id, alert_id) references alerts(organization_id, id) on delete cascade
  )`,
  `create index alert_sends_due on alert_sends (not_before) where status = 'waiting'`,
  `create index alert_sends_organization on alert_sends (organization_id, alert_id)`,
]
