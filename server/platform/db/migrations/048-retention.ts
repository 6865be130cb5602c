// How long an organization keeps customers' messages, and receipts of removals. Expired rows are found by indexes: messages through their
// conversations (conversations_begun), the rest by age.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const DAYS = ['messages', 'attachments', 'traces']

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    ...DAYS.map(
      (what) => `alter table organizations add column retain_${what}_days integer check (retain_${what}_days > 0)`,
    ),
    `create table removals (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      kind text not null check (kind in ('retention', 'erasure')), user_id text references users(id) on delete set null,
      counts jsonb not null, created_at timestamptz not null default now())`,
    `create index removals_organization on removals(organization_id, created_at desc)`,
    `create index removals_user on removals(user_id)`,
    `create index attachments_age on attachments(organization_id, created_at)
      where file_key is not null or external_file_id is not null or text is not null`,
    `create index turn_traces_age on turn_traces(organization_id, created_at)`,
    `create index inbound_kept on inbound(organization_id, received_at) where payload <> '{}'::jsonb`,
  ])
}
