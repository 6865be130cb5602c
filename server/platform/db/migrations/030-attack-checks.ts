// Attack checks: what an agent does with written attacks.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const statements = [
  `create table attack_checks (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text not null references agents(id) on delete cascade,
    size text not null check (size in ('brief', 'whole')),
    status text not null check (status in ('running', 'done', 'cancelled', 'failed')),
    reason text,
    agent_version integer not null,
    model text not null,
    carriers jsonb,
    total integer,
    breached integer not null default 0,
    spoken integer not null default 0,
    held integer not null default 0,
    resisted integer not null default 0,
    unread integer not null default 0,
    failed integer not null default 0,
    cost_micro_usd bigint not null default 0,
    begun_by text references users(id) on delete set null,
    begun_at timestamptz not null,
    beat_at timestamptz not null,
    ended_at timestamptz,
    unique (organization_id, id)
  )`,
  `create index attack_checks_agent on attack_checks (agent_id, begun_at desc)`,
  `create index attack_checks_begun_by on attack_checks (begun_by)`,
  // One at a time for each organization: others wait for models as well.
  `create unique index attack_checks_running on attack_checks (organization_id) where status = 'running'`,
  `create table attack_cases (
    organization_id text not null,
    check_id text not null,
    number integer not null,
    kind text not null,
    carrier text not null,
    language text not null,
    text text not null,
    question text,
    outcome text not null,
    calls jsonb not null,
    answer text,
    reason text,
    primary key (organization_id, check_id, number),
    foreign key (organization_id, check_id) references attack_checks(organization_id, id) on delete cascade
  )`,
]

/** Makes both tables. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
