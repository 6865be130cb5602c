// Tables of people, their sessions and organizations.

export const accounts: string[] = [
  `create table auth_rate_limits (
    id text primary key,
    key text not null unique,
    count integer not null,
    last_request bigint not null
  )`,
  `create table installation_secrets (
    name text primary key,
    value text not null
  )`,
  `create table jwks (
    id text primary key,
    public_key text not null,
    private_key text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz
  )`,
  `create table plans (
    slug text primary key,
    name text not null,
    monthly_messages integer,
    sort_order integer not null,
    is_default boolean not null default false,
    archived_at timestamptz,
    features jsonb not null,
    channel_slots integer check (channel_slots >= 0)
  )`,
  `create unique index plans_one_default on plans (is_default) where is_default`,
  `create table users (
    id text primary key,
    name text not null,
    email text not null unique,
    email_verified boolean not null default false,
    image text,
    role text not null default 'user' check (role in ('admin', 'user')),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    job_title text not null default '',
    bio text not null default '',
    time_zone text not null default '',
    language text not null default '' check (language in ('', 'ru', 'en'))
  )`,
  `create table verifications (
    id text primary key,
    identifier text not null,
    value text not null,
    expires_at timestamptz not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create index verifications_identifier on verifications (identifier)`,
  `create table accounts (
    id text primary key,
    account_id text not null,
    provider_id text not null,
    user_id text not null references users(id) on delete cascade,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamptz,
    refresh_token_expires_at timestamptz,
    scope text,
    password text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create unique index accounts_provider on accounts (provider_id, account_id)`,
  `create index accounts_user on accounts (user_id)`,
  `create table organizations (
    id text primary key,
    name text not null,
    display_name text,
    logo_url text,
    support_email text,
    plan text references plans(slug),
    monthly_limit integer,
    owner_id text not null references users(id),
    time_zone text not null default 'UTC',
    created_at timestamptz not null default now(),
    at_limit text not null default 'stop' check (at_limit in ('stop', 'overage', 'handoff')),
    limit_text text not null default '',
    monthly_spend_limit_micro_usd bigint,
    retain_messages_days integer check (retain_messages_days > 0),
    retain_attachments_days integer check (retain_attachments_days > 0),
    retain_traces_days integer check (retain_traces_days > 0),
    unattended_after_seconds integer check (unattended_after_seconds > 0),
    unattended_text text not null default '',
    helper_model text not null default ''
  )`,
  `create index organizations_owner on organizations (owner_id)`,
  `create table sessions (
    id text primary key,
    user_id text not null references users(id) on delete cascade,
    token text not null unique,
    expires_at timestamptz not null,
    ip_address text,
    user_agent text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create index sessions_user on sessions (user_id)`,
  `create table members (
    user_id text primary key references users(id) on delete cascade,
    organization_id text not null references organizations(id) on delete cascade,
    created_at timestamptz not null default now()
  )`,
  `create index members_organization on members (organization_id)`,
]
