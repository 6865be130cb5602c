// The write log's triggers, as SQL generated from keys.ts. They see cascades, raw SQL and other programs as well.
import { TRACKED } from './keys.ts'

/** A statement that touches more distinct keys than this is logged as touching the whole table. */
const MAX_KEYS = 1000

const EVENTS = {
  insert: 'referencing new table as new_rows',
  update: 'referencing old table as old_rows new table as new_rows',
  delete: 'referencing old table as old_rows',
  truncate: '',
} as const
type Event = keyof typeof EVENTS

export type Trigger = { table: string; name: string; function: string; body: string; statements: string[] }

type Keys = Record<string, { keys: readonly string[] }>

/** The triggers of every tracked table. */
export function triggers(tables: Keys = TRACKED): Trigger[] {
  return Object.entries(tables).flatMap(([table, { keys }]) =>
    (Object.keys(EVENTS) as Event[]).map((event) => trigger(table, keys, event)),
  )
}

function trigger(table: string, keys: readonly string[], event: Event): Trigger {
  const name = `write_log_${event}`
  const routine = `${name}_${table}`
  const body = event === 'truncate' || keys.length === 0 ? wholeTable(table, event) : keyTuples(table, keys, event)
  return {
    table,
    name,
    function: routine,
    body,
    statements: [
      `create or replace function ${routine}() returns trigger language plpgsql
         security definer set search_path = pg_catalog, public as $body$${body}$body$`,
      `revoke all on function ${routine}() from public`,
      `drop trigger if exists ${name} on ${table}`,
      `create trigger ${name} after ${event} on ${table} ${EVENTS[event]}
         for each statement execute function ${routine}()`,
    ],
  }
}

/** An update or delete that met no row changed nothing. */
function wholeTable(table: string, event: Event): string {
  const some = event === 'truncate' ? '' : ` where exists (select from ${event === 'delete' ? 'old_rows' : 'new_rows'})`
  return `
begin
  insert into public.write_log (table_name, keys) select '${table}', null${some};
  return null;
end`
}

/** Old and new rows: a row that moves from one key to another concerns the readers of both. */
function keyTuples(table: string, keys: readonly string[], event: Event): string {
  const columns = keys.join(', ')
  const sources = (['old_rows', 'new_rows'] as const).filter((source) => EVENTS[event].includes(source))
  const rows = sources.map((source) => `select ${columns} from ${source}`).join(' union ')
  const object = keys.map((key) => `'${key}', ${key}`).join(', ')
  return `
declare
  tuples jsonb;
  amount integer;
begin
  select jsonb_agg(jsonb_build_object(${object})), count(*) into tuples, amount
    from (select distinct ${columns} from (${rows}) touched limit ${MAX_KEYS + 1}) keys;
  if amount > 0 then
    insert into public.write_log (table_name, keys)
      values ('${table}', case when amount <= ${MAX_KEYS} then tuples end);
  end if;
  return null;
end`
}
