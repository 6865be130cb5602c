// What a database is made of, one line for each column, constraint, index, function, trigger and row of the catalogue, in a fixed order.
import { type Kysely, sql } from 'kysely'

/** Of schema `public`, without the tables of the migrator. */
export async function dumpSchema(db: Kysely<never>): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with own as (
      select oid, relname, relkind, reloptions, relforcerowsecurity from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'S', 'v') and relname not like 'kysely%')
    select line from (
      select concat_ws(' ', relname, relkind, reloptions, relforcerowsecurity) as line from own
      union all
      select concat_ws(' ', own.relname || '.' || attname, row_number() over (partition by attrelid order by attnum),
        format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, nullif(concat(attidentity, attgenerated), ''),
        'default ' || pg_get_expr(adbin, adrelid))
      from pg_attribute join own on own.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped and own.relkind = 'r'
      union all
      select own.relname || ' constraint ' || conname || ' ' || pg_get_constraintdef(c.oid) from pg_constraint c join own on own.oid = conrelid
      where contype <> 'n' -- of PostgreSQL 18 on, NOT NULL is one too
      union all
      select pg_get_indexdef(indexrelid) from pg_index join own on own.oid = indrelid
      union all
      select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select pg_get_triggerdef(t.oid) from pg_trigger t join own on own.oid = tgrelid where not tgisinternal
    ) lines order by line collate "C"`.execute(db)
  return rows.map(({ line }) => line)
}
