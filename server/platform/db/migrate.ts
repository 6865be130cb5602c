// Brings a database up to date: migrations, roles, then everything generated from keys.ts. Safe when two servers start together.
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { StartError } from '#server/platform/lib/start-error.ts'
import { adoptBaseline, isBeforeBaseline } from './baseline.ts'
import { assertSound } from './engine/boot-checks.ts'
import { rootDatabase } from './engine/dialect.ts'
import type { Engine } from './engine/engine.ts'
import { forgetForeignHistory } from './live/write-log.ts'
import { historyProblem } from './migration-history.rules.ts'
import { migrations } from './migrations/migrations.ts'
import type { Tables } from './tables/database.ts'
import { policyStatements } from './tenancy/policies.ts'
import { ensureRoles } from './tenancy/roles.ts'
import { triggers } from './triggers.ts'

/** Migrations yield to traffic instead of blocking everything behind their lock. */
const LOCK_TIMEOUT = '2s'
/** Any constant: the advisory lock under which generated parts are renewed. */
const GENERATE_LOCK = 7_236_401

/**
 * Migrates, renews what is generated, and checks the result.
 * @throws StartError when another version has brought the database further; Error when a migration fails, rights are missing, or the database is not what live queries and tenancy rely on
 */
export async function migrate(engine: Engine): Promise<void> {
  await engine.unhurried(async (unhurried) => {
    const root = rootDatabase(unhurried)
    await assertFollowed(root)
    await runMigrations(root)
    await ensureRoles(root)
    await generate(root)
    await forgetForeignHistory(root)
    await assertSound(root)
  })
}

/** The migrator itself would speak of corrupted migrations. */
async function assertFollowed(root: Kysely<Tables>): Promise<void> {
  const table = await sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`.execute(root)
  if (!table.rows[0]?.name) return
  if (isBeforeBaseline(await executedMigrations(root))) await adoptBaseline(root)
  const problem = historyProblem(await executedMigrations(root), Object.keys(migrations))
  if (problem) throw new StartError(problem)
}

async function executedMigrations(root: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(root)
  return rows.map(({ name }) => name)
}

async function runMigrations(root: Kysely<Tables>): Promise<void> {
  const provider = { getMigrations: async () => withLockTimeout(migrations) }
  const { error, results } = await new Migrator({ db: root, provider }).migrateToLatest()
  if (!error) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  throw new Error(failed ? `The migration ${failed} failed.` : 'The migrations could not be run.', { cause: error })
}

function withLockTimeout(all: typeof migrations): typeof migrations {
  return Object.fromEntries(
    Object.entries(all).map(([name, { up }]) => [
      name,
      {
        up: async (db) => {
          await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(db)
          await up(db)
        },
      },
    ]),
  )
}

/** Triggers, policies and rights, renewed in one transaction when they are not those of this version. */
async function generate(root: Kysely<Tables>): Promise<void> {
  await root.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${GENERATE_LOCK})`.execute(db)
    const statements = [
      ...policyStatements(await tableNames(db)),
      ...triggers().flatMap((trigger) => trigger.statements),
    ]
    const version = createHash('sha256').update(statements.join('\n')).digest('hex')
    if ((await generatedVersion(db)) === version) return
    await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(db)
    for (const statement of statements) await sql.raw(statement).execute(db)
    await sql.raw(`comment on table write_log is 'generated ${version}'`).execute(db)
  })
}

async function generatedVersion(db: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ text: string | null }>`
    select obj_description('write_log'::regclass, 'pg_class') as text`.execute(db)
  return rows[0]?.text?.replace('generated ', '')
}

async function tableNames(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
      and relname <> 'durability_probe' order by 1`.execute(db)
  return rows.map((row) => row.name)
}
