// What the database says of itself: its size, its biggest tables, and the statements that take longest. Outside transactions: a view that is
// missing breaks nothing off.
import { sql } from 'kysely'
import type { SlowStatement, StatementHealth, StorageHealth } from '#shared/organizations/health.ts'
import type { Database } from './database.ts'

const TABLES = 10
const STATEMENTS = 10
/** Longer texts are cut, characters. */
const TEXT_MAX = 300
/** What a role sees in place of statements that others have sent. */
const HIDDEN = '<insufficient privilege>'

type Root = Database['silentRoot']
/** `schema`: of the extension; null: it is not installed. */
type Surroundings = { sizeBytes: string; schema: string | null; role: string }

/** Takes a moment in a big database, and locks nothing. */
export async function readStatistics(
  database: Database,
): Promise<StorageHealth['database'] & { statements: StatementHealth }> {
  const root = database.silentRoot
  const { rows } = await sql<Surroundings>`
    select pg_database_size(current_database())::text as "sizeBytes", quote_ident(current_user) as role,
      (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_stat_statements') as schema`.execute(
    root,
  )
  const [around] = rows
  if (!around) throw new Error('The database does not say how large it is')
  return {
    sizeBytes: Number(around.sizeBytes),
    tables: await listBiggest(root),
    statements: await readStatements(root, around),
  }
}

async function listBiggest(root: Root): Promise<StorageHealth['database']['tables']> {
  const { rows } = await sql<{ name: string; sizeBytes: string; rows: string | null }>`
    select case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end as name,
      pg_total_relation_size(c.oid)::text as "sizeBytes", case when c.reltuples >= 0 then c.reltuples::bigint::text end as rows
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'jobs')
    order by pg_total_relation_size(c.oid) desc, c.relname limit ${TABLES}::int`.execute(root)
  return rows.map(({ name, sizeBytes, rows: count }) => ({
    ...{ name, sizeBytes: Number(sizeBytes) },
    rows: count === null ? null : Number(count),
  }))
}

/** Statements that read or write rows: others may hold values, such as a new password of a role. */
async function readStatements(root: Root, { schema, role }: Surroundings): Promise<StatementHealth> {
  if (schema === null) return { state: 'off' }
  try {
    const view = sql.table(`${schema}.pg_stat_statements`)
    const { rows } = await sql<SlowStatement>`
      select left(regexp_replace(query, '\\s+', ' ', 'g'), ${TEXT_MAX}::int) as text, calls::float8 as calls,
        mean_exec_time as "meanMs", total_exec_time as "totalMs"
      from ${view} s join pg_database d on d.oid = s.dbid
      where d.datname = current_database() and (query = ${HIDDEN} or query ~* '^\\s*(with|select|insert|update|delete|merge)\\M')
      order by query = ${HIDDEN}, mean_exec_time desc limit ${STATEMENTS}::int`.execute(root)
    const slowest = rows.filter(({ text }) => text !== HIDDEN)
    return slowest.length === 0 && rows.length > 0 ? { state: 'hidden', role } : { state: 'on', slowest }
  } catch {
    return { state: 'off' } // the extension is there, and its library is not loaded
  }
}
