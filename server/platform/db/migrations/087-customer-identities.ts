// By what else a channel knows a customer than by the id of their row: WhatsApp has numbers, and ids behind which numbers are hidden.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table customer_identities (
      organization_id text not null references organizations(id) on delete cascade, connection_id text not null,
      external_id text not null, customer_id text not null, created_at timestamptz not null default now(),
      primary key (connection_id, external_id),
      foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade,
      foreign key (organization_id, customer_id) references customers(organization_id, id) on delete cascade)`,
    `create index customer_identities_customer on customer_identities(customer_id, organization_id)`,
    `create index customer_identities_organization on customer_identities(organization_id)`,
  ])
}
