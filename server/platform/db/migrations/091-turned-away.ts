// When a delivery was last rejected because its signature does not match the stored secret: no message arrives meanwhile, although
// everything else works.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** Account states that need action by a person. */
const IN_TROUBLE = `('notAuthorized', 'yellowCard', 'suspended', 'blocked', 'pendingPassword', 'unknown')`

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    'alter table channel_connections add column turned_away_at timestamptz',
    `create or replace function judge_connection() returns trigger language plpgsql as $body$
    begin
      new.was_connected := new.was_connected or new.status = 'connected';
      new.failing_since := case
        when new.status = 'connected' and (coalesce(new.last_error, new.provider_error, new.send_error) is not null
          or new.turned_away_at is not null)
        then coalesce(new.failing_since, now()) end;
      new.is_down := new.status = 'error' or coalesce(new.account_state in ${IN_TROUBLE}, false)
        or (new.is_down and new.failing_since is not null);
      return new;
    end $body$`,
    'drop trigger judge_connection on channel_connections',
    `create trigger judge_connection
      before insert or update of status, account_state, last_error, provider_error, send_error, turned_away_at
      on channel_connections for each row execute function judge_connection()`,
  ])
}
