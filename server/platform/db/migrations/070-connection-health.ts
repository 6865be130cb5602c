// Health of an enabled connection: since when it fails, and when it calls for people.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** Account states that need action by a person. */
const IN_TROUBLE = `('notAuthorized', 'yellowCard', 'suspended', 'blocked', 'pendingPassword', 'unknown')`

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table channel_connections add column send_error text, add column failing_since timestamptz,
      add column was_connected boolean not null default false, add column is_down boolean not null default false`,
    `create index channel_connections_failing on channel_connections(failing_since)
      where failing_since is not null and not is_down`,
    // An error of an enabled connection may be transient: the one that watches its duration alerts people (see connection-health.store.ts).
    `create function judge_connection() returns trigger language plpgsql as $body$
    begin
      new.was_connected := new.was_connected or new.status = 'connected';
      new.failing_since := case
        when new.status = 'connected' and coalesce(new.last_error, new.provider_error, new.send_error) is not null
        then coalesce(new.failing_since, now()) end;
      new.is_down := new.status = 'error' or coalesce(new.account_state in ${IN_TROUBLE}, false)
        or (new.is_down and new.failing_since is not null);
      return new;
    end $body$`,
    `create trigger judge_connection before insert or update of status, account_state, last_error, provider_error, send_error
      on channel_connections for each row execute function judge_connection()`,
    `update channel_connections set status = status`,
    `update channel_connections set was_connected = true where messages_processed > 0 and not was_connected`,
    // A connection that is being set up, or restarts on request, raises no alert.
    `drop trigger alert_connection on channel_connections`,
    `create trigger alert_connection after update on channel_connections for each row
      when (new.disconnected_at is null and new.was_connected and new.is_down and not old.is_down)
      execute function alert_connection()`,
  ])
}
