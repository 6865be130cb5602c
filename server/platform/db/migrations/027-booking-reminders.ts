// Reminders to customers before their visits, and bookings that are changed in the calendar itself.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const statements = [
  `alter table calendar_settings add column customer_reminders jsonb`,
  `alter table bookings add column remind_at timestamptz, add column moved_in_calendar boolean not null default false`,
  `update bookings set remind_at = (select min(starts_at - minutes * interval '1 minute') from unnest('{1440,60}'::int[]) minutes
    where starts_at - minutes * interval '1 minute' > now()) where status = 'booked' and starts_at > now()`,
  `create index bookings_remind on bookings (remind_at) where remind_at is not null`,
  `create index bookings_ahead on bookings (ends_at) where status = 'booked'`,
  // Who owns the calendar may put two visits at one moment; agents may not.
  `drop index bookings_taken`,
  `create unique index bookings_taken on bookings (organization_id, calendar_id, starts_at)
    where status in ('booking', 'booked', 'moving') and not moved_in_calendar`,
  `create table booking_syncs (
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text not null references agents(id) on delete cascade,
    calendar_id text not null,
    connection_id text not null,
    sync_token text,
    synced_at timestamptz not null,
    primary key (agent_id, calendar_id)
  )`,
  `create index booking_syncs_organization on booking_syncs (organization_id)`,
]

/** Adds columns, indexes and a table. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
