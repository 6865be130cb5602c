// What plans hold in numbers, and the requests of organizations to change or cancel theirs.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const tables = [
  `alter table plans
    add column price_kzt integer check (price_kzt >= 0),
    add column members integer check (members > 0)`,
  `create table plan_requests (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    kind text not null check (kind in ('change', 'cancellation')),
    plan text references plans(slug),
    note text not null default '',
    requested_by text references users(id) on delete set null,
    created_at timestamptz not null default now(),
    withdrawn_at timestamptz,
    settled_at timestamptz,
    check ((kind = 'change') = (plan is not null))
  )`,
  `create unique index plan_requests_one_open on plan_requests (organization_id)
    where withdrawn_at is null and settled_at is null`,
  `create index plan_requests_organization on plan_requests (organization_id)`,
  `create index plan_requests_plan on plan_requests (plan)`,
  `create index plan_requests_person on plan_requests (requested_by)`,
]

/** Numbers of the built-in plans; one whose numbers were changed keeps them. */
const rows = [
  `update plans set price_kzt = 0, members = 5, channel_slots = coalesce(channel_slots, 2) where slug = 'parking'`,
  `update plans set price_kzt = 50000, members = 5, channel_slots = coalesce(channel_slots, 3),
    monthly_messages = coalesce(monthly_messages, 10000) where slug = 'starter'`,
  `update plans set price_kzt = 100000, members = 25, channel_slots = coalesce(channel_slots, 10),
    monthly_messages = coalesce(monthly_messages, 50000) where slug = 'pro'`,
]

/** Makes the columns and the table, and gives the built-in plans their numbers. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...tables, ...rows])
}
