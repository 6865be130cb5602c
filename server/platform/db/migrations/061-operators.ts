// Operators who take conversations that call for a person, and the queue of those not taken. A trigger keeps the queue in step with the
// conversation, whichever statement changes it, and notes for whom routing may be worth another attempt.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const tables = [
  `create table operators (
    organization_id text not null references organizations(id) on delete cascade,
    user_id text primary key references users(id) on delete cascade,
    is_taking boolean not null default false, capacity integer not null check (capacity > 0), hours jsonb,
    is_within_hours boolean not null default true, hours_change_at timestamptz, last_assigned_at timestamptz)`,
  `create index operators_organization on operators(organization_id)`,
  `create index operators_hours on operators(hours_change_at) where hours_change_at is not null`,
  `create table routing_wakes (
    id bigint generated always as identity primary key,
    organization_id text not null references organizations(id) on delete cascade)`,
  `create index routing_wakes_organization on routing_wakes(organization_id)`,
]

const columns = [
  `alter table organizations
    add column unattended_after_seconds integer check (unattended_after_seconds > 0),
    add column unattended_text text not null default ''`,
  `alter table conversations add column queued_at timestamptz, add column unattended_at timestamptz`,
]

/** Whether a person is called who has not come, in a conversation in a folder that the team works in. */
const isCalling = (row: 'old' | 'new') =>
  `(${row}.needs_person and ${row}.place = 'inbox' and ${row}.status <> 'ended')`

/** Whether an operator handles it, or is to: what counts towards their capacity. */
const isHeld = (
  row: 'old' | 'new',
) => `(${row}.assignee_id is not null and ${row}.queued_at is null and ${row}.place = 'inbox'
  and (${isCalling(row)} or (${row}.status = 'paused' and ${row}.pause_reason is distinct from 'customer_stop')))`

const queue = [
  `create function conversation_queue() returns trigger language plpgsql as $body$
  begin
    if not ${isCalling('new')} then
      new.queued_at := null;
    elsif not ${isCalling('old')} then
      new.queued_at := now();
      if not old.needs_person then
        new.unattended_at := now() + interval '1 second' * (select unattended_after_seconds from organizations where id = new.organization_id);
      end if;
    elsif new.assignee_id is distinct from old.assignee_id then
      new.queued_at := case when new.assignee_id is null then coalesce(old.queued_at, now()) end;
    end if;
    if new.queued_at is null or new.status <> 'paused' then
      new.unattended_at := null;
    end if;
    if (new.queued_at is not null and old.queued_at is null)
      or (${isHeld('old')} and not (${isHeld('new')} and new.assignee_id = old.assignee_id)) then
      insert into routing_wakes (organization_id) values (new.organization_id);
    end if;
    return new;
  end $body$`,
  `create trigger conversation_queue before update of needs_person, assignee_id, status, place, pause_reason on conversations for each row
    when (new.channel <> 'test' and (old.needs_person <> new.needs_person or old.assignee_id is distinct from new.assignee_id
      or old.status <> new.status or old.place <> new.place or old.pause_reason is distinct from new.pause_reason))
    execute function conversation_queue()`,
]

/** An owner that is no superuser sees no row of a table whose security is forced upon it. */
const queuedSoFar = [
  `alter table conversations no force row level security`,
  `update conversations set queued_at = coalesce(waiting_since, last_message_at)
    where needs_person and assignee_id is null and place = 'inbox' and status <> 'ended' and channel <> 'test'`,
  `alter table conversations force row level security`,
]

const indexes = [
  `create index conversations_queue on conversations(organization_id, queued_at, id) where queued_at is not null`,
  `create index conversations_unattended on conversations(unattended_at) where unattended_at is not null`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...tables, ...columns, ...queuedSoFar, ...queue, ...indexes])
}
