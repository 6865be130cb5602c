// What live queries and tenancy rely on and what a person could have changed by hand. Refuses to start rather than serve wrong.
import { type Kysely, sql } from 'kysely'
import { StartError } from '#server/platform/lib/start-error.ts'
import { TENANT_TABLES, TRACKED } from '../keys.ts'
import type { Tables } from '../tables/database.ts'
import { APP_POLICY, SYSTEM_POLICY, TENANT_CONDITION } from '../tenancy/policies.ts'
import { APP_ROLE, SYSTEM_ROLE } from '../tenancy/scope.ts'
import { triggers } from '../triggers.ts'

const RENEWAL =
  'Generated triggers and policies are renewed at the next start after: comment on table write_log is null'

/** @throws StartError listing every finding */
export async function assertSound(root: Kysely<Tables>): Promise<void> {
  const findings = [
    ...(await keyColumns(root)),
    ...(await shapes(root)),
    ...(await rowSecurity(root)),
    ...(await missingTriggers(root)),
    ...(await readingFunctions(root)),
  ]
  if (findings.length > 0)
    throw new StartError([`The database cannot be served:`, ...findings.map((text) => `  ${text}`), RENEWAL].join('\n'))
}

/** Equality in JavaScript and in the database must agree. */
async function keyColumns(root: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ table_name: string; column_name: string; is_allowed: boolean }>`
    select c.relname as table_name, a.attname as column_name,
      t.typname = 'text' and coalesce(l.collisdeterministic, true) as is_allowed
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid left join pg_collation l on l.oid = a.attcollation
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`.execute(root)
  const allowed = new Map(rows.map((row) => [`${row.table_name}.${row.column_name}`, row.is_allowed]))
  const declared = Object.entries(TRACKED).flatMap(([table, { keys }]) => keys.map((key) => `${table}.${key}`))
  return declared.flatMap((column) => {
    if (!allowed.has(column)) return [`The key column ${column} does not exist.`]
    return allowed.get(column) ? [] : [`The key column ${column} must be text that is compared byte by byte.`]
  })
}

/** Rows that reach a tracked table by another way than its own triggers see. */
async function shapes(root: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class c where relnamespace = 'public'::regnamespace
      and relname in (${sql.join(Object.keys(TRACKED))})
      and (relkind <> 'r' or relispartition or exists (select from pg_rewrite where ev_class = c.oid)
        or exists (select from pg_inherits where c.oid in (inhrelid, inhparent)))`.execute(root)
  return rows.map((row) => `The table ${row.name} must not be a view, a partition, inherited or have rules.`)
}

type TableSecurity = {
  name: string
  is_forced: boolean
  policies: { name: string; role: string; using: string; check: string | null }[]
}

async function rowSecurity(root: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<TableSecurity>`
    select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as is_forced,
      coalesce((select jsonb_agg(jsonb_build_object('name', p.polname, 'role', (select string_agg(r.rolname, ',') from pg_roles r where r.oid = any(p.polroles)),
          'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid)))
        from pg_policy p where p.polrelid = c.oid), '[]') as policies
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`.execute(root)
  const expected = [policy(APP_POLICY, APP_ROLE, TENANT_CONDITION), policy(SYSTEM_POLICY, SYSTEM_ROLE, 'true')].sort()
  return rows.flatMap(({ name, is_forced, policies }) => {
    if (!TENANT_TABLES.has(name))
      return policies.length > 0 && name in TRACKED ? [`The table ${name} has an unknown policy.`] : []
    if (!is_forced) return [`Row-level security of ${name} is switched off.`]
    const found = policies.map((each) => policy(each.name, each.role, each.using) + (each.check ?? '')).sort()
    return found.join('|') === expected.join('|') ? [] : [`The policies of ${name} are not the generated ones.`]
  })
}

/** Compared without spaces, parentheses, casts and generated aliases, in which the database prints an expression its own way. */
function policy(name: string, role: string, using: string): string {
  const text = using
    .toLowerCase()
    .replace(/::text| as "?nullif"?/g, '')
    .replace(/[\s()]/g, '')
  return `${name} ${role} ${text}`
}

async function missingTriggers(root: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string; body: string; is_safe: boolean }>`
    select c.relname || '.' || t.tgname || '.' || p.proname as name, p.prosrc as body,
      t.tgenabled in ('O', 'A') and p.prosecdef as is_safe
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`.execute(root)
  const found = new Map(rows.map((row) => [row.name, row]))
  return triggers().flatMap((trigger) => {
    const row = found.get(`${trigger.table}.${trigger.name}.${trigger.function}`)
    return row?.is_safe && row.body === trigger.body
      ? []
      : [`The trigger ${trigger.name} of ${trigger.table} is missing or changed.`]
  })
}

/** A live query may call any function: one that reads tables would read them unseen. Triggers and extensions aside. */
async function readingFunctions(root: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select p.proname as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.provolatile <> 'i' and p.prorettype <> 'trigger'::regtype
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(root)
  return rows.map(
    ({ name }) =>
      `The function ${name} may read tables unseen by live queries: make it immutable, or move it to another schema.`,
  )
}
