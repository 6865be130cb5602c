// A customer who was promised a person is notified once per call that no operator is free, whatever folder or assignee the conversation has
// meanwhile. Archiving or assigning it used to cancel that notice: back in the queue it was only sent for a call that began there.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** An owner that is no superuser sees no row of a table whose security is forced upon it. */
const columns = [
  `alter table conversations add column unattended_told_at timestamptz`,
  `alter table conversations no force row level security`,
  // Queued customers with no pending notice have received it.
  `update conversations set unattended_told_at = now()
    where needs_person and queued_at is not null and unattended_at is null and status = 'paused'`,
  `alter table conversations force row level security`,
]

const isCalling = (row: 'old' | 'new') =>
  `(${row}.needs_person and ${row}.place = 'inbox' and ${row}.status <> 'ended')`

const isHeld = (
  row: 'old' | 'new',
) => `(${row}.assignee_id is not null and ${row}.queued_at is null and ${row}.place = 'inbox'
  and (${isCalling(row)} or (${row}.status = 'paused' and ${row}.pause_reason is distinct from 'customer_stop')))`

/** As before (061-operators) except for the moment at which the notice is due. */
const queue = `create or replace function conversation_queue() returns trigger language plpgsql as $body$
  begin
    if new.needs_person and not old.needs_person then
      new.unattended_told_at := null;
    end if;
    if not ${isCalling('new')} then
      new.queued_at := null;
    elsif not ${isCalling('old')} then
      new.queued_at := now();
    elsif new.assignee_id is distinct from old.assignee_id then
      new.queued_at := case when new.assignee_id is null then coalesce(old.queued_at, now()) end;
    end if;
    if new.queued_at is null or new.status <> 'paused' then
      new.unattended_at := null;
    elsif new.unattended_told_at is null and (old.queued_at is null or old.status <> 'paused') then
      new.unattended_at := now() + interval '1 second' * (select unattended_after_seconds from organizations where id = new.organization_id);
    end if;
    if (new.queued_at is not null and old.queued_at is null)
      or (${isHeld('old')} and not (${isHeld('new')} and new.assignee_id = old.assignee_id)) then
      insert into routing_wakes (organization_id) values (new.organization_id);
    end if;
    return new;
  end $body$`

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...columns, queue])
}
