// Tables of the floor: the rows that a reply leaves behind, with their keys and nothing else.

/** Run once; safe to repeat. */
export const FLOOR_SCHEMA = `
create table if not exists floor_inbound (
  connection_id text not null, external_key text not null, payload jsonb not null,
  received_at timestamptz not null default now(), primary key (connection_id, external_key));
create table if not exists floor_customers (id text primary key, external_id text not null unique, name text not null);
create table if not exists floor_conversations (
  id text primary key, external_chat_id text not null, message_count integer not null, last_message_text text,
  created_at timestamptz not null default now());
create table if not exists floor_messages (
  id text primary key, conversation_id text not null, sequence bigint generated always as identity, author text not null,
  text text not null, created_at timestamptz not null default now());
create index if not exists floor_messages_of on floor_messages (conversation_id, sequence);
create table if not exists floor_turns (
  id text primary key, conversation_id text not null, status text not null, created_at timestamptz not null default now());
create table if not exists floor_outbox (
  id text primary key, conversation_id text not null, message_id text not null, external_chat_id text not null,
  text text not null, status text not null, created_at timestamptz not null default now());
create table if not exists floor_usage_events (
  source_id text primary key, category text not null, channel text not null, tokens integer not null,
  occurred_at timestamptz not null default now());
create table if not exists floor_usage_hours (
  hour timestamptz not null, category text not null, shard integer not null, messages integer not null,
  primary key (hour, category, shard));
`
