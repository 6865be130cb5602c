// Keys of model providers that an agent has of its own.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table agent_keys (
      organization_id text not null references organizations(id) on delete cascade, agent_id text not null,
      provider text not null, key text not null, key_tail text not null, updated_at timestamptz not null default now(),
      primary key (agent_id, provider),
      foreign key (organization_id, agent_id) references agents(organization_id, id) on delete cascade)`,
  ])
}
