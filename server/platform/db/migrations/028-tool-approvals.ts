// Tools that change something: each call waits until the customer or the team agrees to it.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const statements = [
  `update http_tools set definition = definition || '{"approval": "none", "title": ""}'`,
  `create table tool_approvals (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    conversation_id text not null,
    agent_id text not null references agents(id) on delete cascade,
    turn_id text not null,
    decider text not null check (decider in ('customer', 'operator')),
    status text not null check (status in
      ('waiting', 'approved', 'running', 'done', 'failed', 'uncertain', 'declined', 'withdrawn', 'expired')),
    tool_kind text not null check (tool_kind in ('http', 'mcp')),
    tool_id text not null,
    tool_version text not null,
    tool_name text not null,
    title text not null,
    arguments jsonb not null,
    owes_word boolean not null default false,
    failure text,
    result text,
    asked_at timestamptz not null,
    expires_at timestamptz not null,
    decided_at timestamptz,
    decided_by text references users(id) on delete set null,
    begun_at timestamptz,
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade
  )`,
  `create index tool_approvals_conversation on tool_approvals (organization_id, conversation_id, asked_at desc)`,
  `create index tool_approvals_queue on tool_approvals (organization_id, asked_at) where decider = 'operator' and status = 'waiting'`,
  `create index tool_approvals_decided on tool_approvals (organization_id, decided_at desc) where decider = 'operator' and decided_at is not null`,
  `create index tool_approvals_agent on tool_approvals (agent_id)`,
  `create index tool_approvals_decider on tool_approvals (decided_by)`,
  // What the clock looks for: waiting too long, approved and not begun, begun and not ended, ended and not heard of.
  `create index tool_approvals_open on tool_approvals (status, expires_at) where status in ('waiting', 'approved', 'running')`,
  `create index tool_approvals_owed on tool_approvals (decided_at) where owes_word`,
]

/** Makes the table; tools that there are only read. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
