// When an administrator of the installation acted on behalf of an organization, why, and for how long.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const statements = [
  `create table support_accesses (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    user_id text not null references users(id) on delete cascade,
    session_id text not null,
    reason text not null,
    may_write boolean not null,
    begun_at timestamptz not null,
    ends_at timestamptz not null,
    ended_at timestamptz,
    check (ends_at > begun_at)
  )`,
  `create unique index support_accesses_one_open on support_accesses (session_id, organization_id) where ended_at is null`,
  `create index support_accesses_organization on support_accesses (organization_id, begun_at)`,
  `create index support_accesses_person on support_accesses (user_id)`,
]

/** Makes the table. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
