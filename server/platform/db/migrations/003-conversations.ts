// Channel connections, conversations and the reply pipeline: inbound, turns, outbox, usage.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const organization = `organization_id text not null references organizations(id) on delete cascade`

const channels = [
  `create table channel_connections (
    id text primary key, ${organization}, agent_id text not null, channel text not null, identifier text not null,
    external_account_id text not null,
    status text not null check (status in ('connected', 'disconnected', 'error', 'pending')),
    delivery text not null check (delivery in ('webhook', 'polling')),
    webhook_path text not null unique, webhook_secret text not null, token text not null, token_tail text not null,
    poll_offset bigint, last_error text, last_heartbeat_at timestamptz, last_inbound_at timestamptz,
    messages_processed bigint not null default 0, linked_at timestamptz not null default now(), disconnected_at timestamptz,
    unique (organization_id, id),
    foreign key (organization_id, agent_id) references agents(organization_id, id) on delete cascade)`,
  `create index channel_connections_agent on channel_connections(organization_id, agent_id)`,
  `create unique index channel_connections_one_live on channel_connections(channel, external_account_id) where disconnected_at is null`,
  `create index channel_connections_polling on channel_connections(id) where delivery = 'polling' and disconnected_at is null`,
  `create table customers (
    id text primary key, ${organization}, connection_id text not null, external_id text not null, name text not null,
    username text, language text, created_at timestamptz not null default now(),
    unique (organization_id, id), unique (connection_id, external_id),
    foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade)`,
  `create table inbound (
    id text primary key, ${organization}, connection_id text not null, external_key text not null,
    status text not null check (status in ('stored', 'ignored', 'quarantined')), payload jsonb not null, message_id text,
    received_at timestamptz not null default now(),
    unique (connection_id, external_key),
    foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade)`,
  `create index inbound_age on inbound(received_at)`,
]

const conversations = [
  `create table conversations (
    id text primary key, ${organization}, agent_id text not null, channel text not null,
    connection_id text, customer_id text, test_user_id text references users(id) on delete cascade, external_chat_id text,
    status text not null default 'active' check (status in ('active', 'paused', 'ended')),
    resume_at timestamptz, pause_epoch integer not null default 0, answered_through bigint not null default 0, message_count integer not null default 0, unread_count integer not null default 0,
    last_message_author text, last_message_text text, last_message_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, agent_id) references agents(organization_id, id) on delete cascade,
    foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade,
    foreign key (organization_id, customer_id) references customers(organization_id, id) on delete cascade)`,
  `create unique index conversations_chat on conversations(connection_id, external_chat_id) where connection_id is not null`,
  `create unique index conversations_test on conversations(agent_id, test_user_id) where test_user_id is not null`,
  `create index conversations_list on conversations(organization_id, last_message_at desc, id desc) where channel <> 'test'`,
  `create index conversations_resume on conversations(resume_at) where resume_at is not null`,
  `create table messages (
    id text primary key, ${organization}, conversation_id text not null, sequence bigint generated always as identity,
    author text not null check (author in ('customer', 'agent', 'operator', 'system')), user_id text references users(id) on delete set null,
    text text not null, status text not null default 'complete' check (status in ('streaming', 'complete', 'stopped', 'failed')),
    reason text, turn_id text, sources jsonb not null default '[]',
    model text, input_tokens integer, output_tokens integer, cost_micro_usd bigint, price_version text,
    latency_ms integer, first_token_ms integer, created_at timestamptz not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
  `create index messages_conversation on messages(organization_id, conversation_id, sequence desc)`,
  `create unique index messages_turn on messages(turn_id) where turn_id is not null and author = 'agent'`,
]

const pipeline = [
  `create table turns (
    id text primary key, ${organization}, conversation_id text not null,
    status text not null check (status in ('pending', 'running', 'done', 'failed', 'merged')),
    epoch integer not null default 0, owner integer, lease_until timestamptz, not_before timestamptz not null default now(),
    outcome text, attempts jsonb not null default '[]',
    created_at timestamptz not null default now(), started_at timestamptz, finished_at timestamptz,
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
  `create unique index turns_one_pending on turns(conversation_id) where status = 'pending'`,
  `create unique index turns_one_running on turns(conversation_id) where status = 'running'`,
  `create index turns_due on turns(not_before) where status = 'pending'`,
  `create index turns_running on turns(owner) where status = 'running'`,
  `create table outbox (
    id text primary key, ${organization}, connection_id text not null, conversation_id text not null, message_id text not null,
    part integer not null, sequence bigint generated always as identity, external_chat_id text not null, text text not null,
    status text not null default 'queued' check (status in ('queued', 'claimed', 'sending', 'sent', 'failed', 'unknown')),
    attempt integer not null default 0, owner integer, lease_until timestamptz, not_before timestamptz not null default now(),
    external_message_id text, error text,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    unique (message_id, part),
    foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade,
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
  `create index outbox_due on outbox(not_before, sequence) where status = 'queued'`,
  `create index outbox_conversation_open on outbox(conversation_id, sequence) where status in ('queued', 'claimed', 'sending')`,
  `create index outbox_conversation on outbox(organization_id, conversation_id)`,
  `create index outbox_owned on outbox(owner) where status in ('claimed', 'sending')`,
]

const usage = [
  `create table usage_events (
    source_id text primary key, ${organization}, agent_id text, category text not null, channel text not null,
    messages integer not null, provider text, model text, input_tokens integer not null default 0, output_tokens integer not null default 0,
    cost_micro_usd bigint, price_version text, occurred_at timestamptz not null default now())`,
  `create index usage_events_time on usage_events(organization_id, occurred_at)`,
  `create table usage_hours (
    organization_id text not null references organizations(id) on delete cascade, hour timestamptz not null,
    category text not null, channel text not null, shard integer not null,
    messages bigint not null default 0, tokens bigint not null default 0, cost_micro_usd bigint not null default 0,
    unpriced_calls bigint not null default 0,
    primary key (organization_id, hour, category, channel, shard))`,
  `create table analytics_events (
    id text primary key, ${organization}, kind text not null, data jsonb not null, occurred_at timestamptz not null default now())`,
  `create index analytics_events_time on analytics_events(organization_id, occurred_at)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...channels, ...conversations, ...pipeline, ...usage])
}
