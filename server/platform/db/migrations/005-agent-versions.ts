// Versions of an agent's settings, and what replies with manners keep: buffers, reservations, handoffs, follow-ups, traces.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const organization = `organization_id text not null references organizations(id) on delete cascade`

const versions = [
  `create table agent_versions (
    id text primary key, ${organization}, agent_id text not null, number integer not null, settings jsonb not null,
    author_id text references users(id) on delete set null, restored_from integer,
    created_at timestamptz not null default now(),
    unique (agent_id, number),
    foreign key (organization_id, agent_id) references agents(organization_id, id) on delete cascade)`,
  `create index agent_versions_agent on agent_versions(organization_id, agent_id, number desc)`,
  `insert into agent_versions (id, organization_id, agent_id, number, settings, created_at)
    select md5(id || ':1'), organization_id, id, 1,
      jsonb_build_object('systemPrompt', system_prompt, 'model', model, 'temperature', temperature), updated_at
    from agents`,
  `alter table agents drop column system_prompt, drop column model, drop column temperature,
    add column live_version integer not null default 1, add column latest_version integer not null default 1`,
]

const organizations = [
  `alter table organizations add column at_limit text not null default 'stop' check (at_limit in ('stop', 'overage', 'handoff')),
    add column limit_text text not null default '', add column monthly_spend_limit_micro_usd bigint`,
]

const conversations = [
  `alter table conversations add column pause_reason text, add column paused_at timestamptz,
    add column summary text, add column summary_through bigint not null default 0,
    add column follow_up_at timestamptz, add column follow_up_step integer not null default 0,
    add column test_variant text`,
  `update conversations set test_variant = 'a' where test_user_id is not null`,
  `drop index conversations_test`,
  `create unique index conversations_test on conversations(agent_id, test_user_id, test_variant) where test_user_id is not null`,
  `create index conversations_follow_up on conversations(follow_up_at) where follow_up_at is not null`,
  `alter table messages add column agent_version integer`,
]

const turns = [
  `alter table turns add column kind text not null default 'reply' check (kind in ('reply', 'follow_up')),
    add column agent_version integer, add column overrides jsonb, add column reserved_period text`,
  `create table turn_traces (
    turn_id text primary key, ${organization}, conversation_id text not null, trace jsonb not null,
    created_at timestamptz not null default now(),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
  `create index turn_traces_conversation on turn_traces(organization_id, conversation_id)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...versions, ...organizations, ...conversations, ...turns])
}
