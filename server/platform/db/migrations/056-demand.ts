// A statement that insists on a condition: where it does not hold, the transaction with all of its statements is undone.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create function demand(holds boolean, what text) returns boolean immutable language plpgsql as $body$
    begin
      if holds then return true; end if;
      raise exception '%', what using errcode = 'DM001';
    end $body$`,
  ])
}
