// Bookings in calendars: times that were offered in a conversation, and what has become of them.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const inConversation = `foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade`

const statements = [
  `create table booking_slots (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text not null references agents(id) on delete cascade,
    conversation_id text not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    time_zone text,
    expires_at timestamptz not null,
    unique (conversation_id, starts_at, ends_at),
    ${inConversation}
  )`,
  `create index booking_slots_conversation on booking_slots (organization_id, conversation_id)`,
  `create index booking_slots_agent on booking_slots (agent_id)`,
  `create index booking_slots_age on booking_slots (expires_at)`,
  `create table bookings (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text not null references agents(id) on delete cascade,
    conversation_id text not null,
    calendar_id text not null,
    status text not null check (status in ('booking', 'booked', 'moving', 'cancelling', 'cancelled', 'failed')),
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    moves_from timestamptz,
    time_zone text,
    event jsonb not null,
    owes_word boolean not null default false,
    created_at timestamptz not null,
    changed_at timestamptz not null,
    check (ends_at > starts_at),
    check ((status = 'moving') = (moves_from is not null)),
    ${inConversation}
  )`,
  `create index bookings_conversation on bookings (organization_id, conversation_id)`,
  `create index bookings_agent on bookings (agent_id)`,
  // A last resort: two bookings that stand never begin at one moment in one calendar.
  `create unique index bookings_taken on bookings (organization_id, calendar_id, starts_at)
    where status in ('booking', 'booked', 'moving')`,
  `create index bookings_open on bookings (changed_at) where status in ('booking', 'moving', 'cancelling')`,
  `create index bookings_owed on bookings (changed_at) where owes_word`,
]

/** Makes the tables. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
