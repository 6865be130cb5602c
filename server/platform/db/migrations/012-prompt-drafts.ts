// Instructions that a model is writing for an agent.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table prompt_drafts (
      id text primary key, organization_id text not null references organizations(id) on delete cascade, agent_id text not null,
      user_id text not null references users(id) on delete cascade, description text not null,
      language text not null check (language in ('ru', 'en')),
      status text not null check (status in ('streaming', 'complete', 'failed')), text text not null, reason text,
      created_at timestamptz not null default now(),
      unique (agent_id, user_id),
      foreign key (organization_id, agent_id) references agents(organization_id, id) on delete cascade)`,
  ])
}
