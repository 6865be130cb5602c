// What people tell of themselves, and the latest errors of each channel connection: what stands in one of its error columns is forgotten
// when it passes, so a trigger keeps the last twenty of them, wherever the column is written.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table users add column job_title text not null default '', add column bio text not null default '',
      add column time_zone text not null default '', add column language text not null default '' check (language in ('', 'ru', 'en'))`,
    `alter table channel_connections add column errors jsonb not null default '[]'`,
    `create function note_connection_error() returns trigger language plpgsql as $$
      declare fault text;
      begin
        foreach fault in array array[
          case when new.last_error is distinct from old.last_error then new.last_error end,
          case when new.send_error is distinct from old.send_error then new.send_error end,
          case when new.provider_error is distinct from old.provider_error then new.provider_error end
        ] loop
          if fault is not null then
            new.errors := jsonb_path_query_array(jsonb_build_array(jsonb_build_object(
              'at', floor(1000 * extract(epoch from clock_timestamp()))::bigint, 'text', fault)) || new.errors, '$[0 to 19]');
          end if;
        end loop;
        return new;
      end $$`,
    `create trigger note_error before update of last_error, send_error, provider_error on channel_connections
      for each row execute function note_connection_error()`,
  ])
}
