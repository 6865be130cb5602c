// What every migration uses.
import { type Kysely, sql } from 'kysely'

/** Runs statements one after another. One statement a string: a driver call carries only one. */
export async function run(db: Kysely<never>, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Renames a table with its indexes, constraints and sequences. Its write-log triggers go: the next start makes them under the new name. */
export function renameTable(from: string, to: string): string[] {
  return [
    ...['insert', 'update', 'delete', 'truncate'].map(
      (event) => `drop function if exists write_log_${event}_${from}() cascade`,
    ),
    `alter table ${from} rename to ${to}`,
    `do $$ declare command text; begin
      for command in
        select format('alter table ${to} rename constraint %I to %I', conname, ${renamed('conname', from, to)})
          from pg_constraint where conrelid = '${to}'::regclass and conname like '${from}\\_%' union all
        select format('alter index %I rename to %I', c.relname, ${renamed('c.relname', from, to)})
          from pg_index i join pg_class c on c.oid = i.indexrelid
          where i.indrelid = '${to}'::regclass and c.relname like '${from}\\_%'
            and not exists (select from pg_constraint where conindid = c.oid)
        union all
        select format('alter sequence %I rename to %I', c.relname, ${renamed('c.relname', from, to)})
          from pg_depend d join pg_class c on c.oid = d.objid and c.relkind = 'S'
          where d.refobjid = '${to}'::regclass and c.relname like '${from}\\_%'
      loop execute command; end loop; end $$`,
  ]
}

function renamed(column: string, from: string, to: string): string {
  return `'${to}' || substr(${column}, ${from.length + 1})`
}

/** Renames a column; indexes, constraints and conditions of triggers follow by themselves, bodies of functions do not. */
export function renameColumn(table: string, from: string, to: string): string {
  return `alter table ${table} rename column ${from} to ${to}`
}

/** Replaces a name in the body of a function. */
export function renameInFunction(name: string, from: string, to: string): string {
  return `do $$ begin execute replace(pg_get_functiondef('${name}'::regproc), '${from}', '${to}'); end $$`
}

/** Updates rows of all organizations: where policies are forced, they hide every row from the owner of a table too. */
export function updateRows(table: string, change: string): string[] {
  return [
    `alter table ${table} no force row level security`,
    `update ${table} ${change}`,
    `alter table ${table} force row level security`,
  ]
}
