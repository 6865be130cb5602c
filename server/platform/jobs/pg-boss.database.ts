// How pg-boss reaches our database: single statements on the root connection, its scripts as one transaction.
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Db as BossDatabase } from 'pg-boss'
import type { Tables } from '#server/platform/db/tables/database.ts'
import { APP_ROLE, SYSTEM_ROLE } from '#server/platform/db/tenancy/scope.ts'

/** Where pg-boss keeps its tables. */
export const JOBS_SCHEMA = 'jobs'
/** Any constant: the advisory lock under which the rights of the schema are granted. */
const GRANT_LOCK = 7_236_402

type Row = Record<string, unknown>

/** The root database as pg-boss wants it. Refuses, as the root does, to work inside a transaction of ours. */
export function bossDatabase(root: Kysely<Tables>): BossDatabase {
  return {
    async executeSql(text, values) {
      if (values && values.length > 0) return run(root, text, values)
      const statements = splitStatements(text)
      if (statements.length < 2) return run(root, text)
      return { rows: await runScript(root, statements) }
    },
  }
}

/**
 * Lets transactions that are bound to an organization queue jobs, which is all they may do there; those over all organizations may queue
 * failed ones again. One server after the other: of two that grant at the same moment PostgreSQL refuses one.
 */
export async function grantSending(root: Kysely<Tables>): Promise<void> {
  const roles = sql.raw(`${APP_ROLE}, ${SYSTEM_ROLE}`)
  const schema = sql.raw(JOBS_SCHEMA)
  await root.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${GRANT_LOCK})`.execute(db)
    await sql`grant usage on schema ${schema} to ${roles}`.execute(db)
    await sql`grant select, insert on all tables in schema ${schema} to ${roles}`.execute(db)
    await sql`grant update on ${schema}.job to ${sql.raw(SYSTEM_ROLE)}`.execute(db)
  })
}

/** Jobs that are running or could be, those of pg-boss itself left out. */
export async function countWaiting(root: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*)::text as count from ${sql.raw(JOBS_SCHEMA)}.job
    where name not like '\\_\\_pgboss\\_\\_%'
      and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))`.execute(root)
  return Number(rows[0]?.count ?? 0)
}

/** Which of these queues have a job that may run within this many milliseconds, and in how many; 0 or less: now. */
export async function listDue(
  root: Kysely<Tables>,
  queues: string[],
  aheadMs: number,
): Promise<{ name: string; inMs: number }[]> {
  const { rows } = await sql<{ name: string; inMs: number }>`
    select q.name, ceil(1000 * extract(epoch from next.at - now()))::int as "inMs" from unnest(${queues}::text[]) as q (name),
      lateral (select min(j.start_after) as at from ${sql.raw(JOBS_SCHEMA)}.job j where j.name = q.name and j.state < 'active'
        and j.start_after <= now() + ${aheadMs}::int * interval '1 millisecond') next
    where next.at is not null`.execute(root)
  return rows
}

/**
 * Statements of a script, without empty ones. Quotes, dollar quotes and comments are understood; a driver call carries only one
 * statement.
 */
export function splitStatements(script: string): string[] {
  const token = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;/g
  const statements: string[] = []
  let start = 0
  for (const match of script.matchAll(token)) {
    if (match[0] !== ';') continue
    statements.push(script.slice(start, match.index))
    start = match.index + 1
  }
  statements.push(script.slice(start))
  return statements
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/--[^\n]*/g, '').trim())
}

/** The rows of all statements. A script that brings its own BEGIN and COMMIT has them taken off. */
async function runScript(root: Kysely<Tables>, statements: string[]): Promise<Row[]> {
  const inner = statements.filter((statement) => !/^(begin|commit)$/i.test(statement))
  return root.transaction().execute(async (transaction) => {
    const rows: Row[] = []
    for (const statement of inner) rows.push(...(await run(transaction, statement)).rows)
    return rows
  })
}

async function run(database: Kysely<Tables>, text: string, values: unknown[] = []): Promise<{ rows: Row[] }> {
  const { rows } = await database.executeQuery<Row>(CompiledQuery.raw(text, values))
  return { rows }
}
