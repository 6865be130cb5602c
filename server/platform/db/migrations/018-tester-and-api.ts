// The log of what agents have looked up in knowledge, and test sets; tokens and answers of the HTTP API.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table knowledge_queries (
      organization_id text not null references organizations(id) on delete cascade, turn_id text not null,
      position integer not null, conversation_id text not null, channel text not null, space_ids jsonb not null,
      query text not null, gist text not null, is_weak boolean not null, found jsonb not null,
      has_found_little boolean not null, is_settled boolean not null default false,
      asked_at timestamptz not null default now(),
      primary key (turn_id, position),
      foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
    `create index knowledge_queries_newest on knowledge_queries(organization_id, asked_at desc, turn_id desc, position desc)`,
    `create index knowledge_queries_gaps on knowledge_queries(organization_id, gist) where has_found_little and not is_settled`,
    `create index knowledge_queries_conversation on knowledge_queries(organization_id, conversation_id)`,
    `create index knowledge_queries_oldest on knowledge_queries(asked_at)`,
    `create table knowledge_cases (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      knowledge_space_id text not null, question text not null, expected jsonb not null,
      created_at timestamptz not null default now(), unique (knowledge_space_id, question),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create index knowledge_cases_space on knowledge_cases(organization_id, knowledge_space_id, created_at)`,
    `create table api_tokens (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      name text not null, token_hash text not null unique, token_tail text not null,
      created_by text references users(id) on delete set null, created_at timestamptz not null default now(),
      last_used_at timestamptz, window_started_at timestamptz, window_requests integer not null default 0)`,
    `create index api_tokens_organization on api_tokens(organization_id, created_at)`,
    `create table api_requests (
      organization_id text not null references organizations(id) on delete cascade, key text not null,
      fingerprint text not null, status integer not null, answer jsonb not null,
      created_at timestamptz not null default now(), primary key (organization_id, key))`,
    `create index api_requests_oldest on api_requests(created_at)`,
  ])
}
