// Reads and prunes the write log: what each committed transaction touched, written by triggers in the same transaction.
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Change } from '../database.ts'
import type { Engine, Session } from '../engine/engine.ts'
import type { Tables } from '../tables/database.ts'

/** How long the log is kept. A reader that stalled longer treats everything as changed. */
const RETENTION = '10 minutes'

/**
 * The log since a position, and whether the log still reaches back to it. It does when everything pruned was seen there,
 * and when the position is of this database's past: after a restore it may be of a future that never came.
 */
const CHANGES = `
  select pg_snapshot_xmin($1::pg_snapshot) > (select xid from write_log_horizon)
     and pg_snapshot_xmax($1::pg_snapshot) <= pg_snapshot_xmax($2::pg_snapshot) as is_known, null as table_name, null as keys
  union all
  select null, table_name, keys from write_log
  where xid >= pg_snapshot_xmin($1::pg_snapshot) and xid < pg_snapshot_xmax($2::pg_snapshot) -- two bounds: few rows are expected
    and not pg_visible_in_snapshot(xid, $1::pg_snapshot)`

/**
 * The position now, and whether anything was committed since an earlier one. Looked for from the youngest entry down: without an order
 * PostgreSQL expects to meet a new one soon wherever it begins, and reads the log from its beginning.
 */
export const NEWER = `
  select pg_current_snapshot()::text as position,
    exists (select from (select xid from write_log where xid >= pg_snapshot_xmin($1::pg_snapshot) order by xid desc offset 0) young
      where not pg_visible_in_snapshot(xid, $1::pg_snapshot)) as has_changes`

/** The same in one statement, which sees the later position and answers it. */
const WATCH = `
  select pg_current_snapshot()::text as position,
    $1::pg_snapshot is not null and pg_snapshot_xmin($1::pg_snapshot) > (select xid from write_log_horizon)
      and pg_snapshot_xmax($1::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) as is_known,
    null as table_name, null as keys
  union all
  select null, null, table_name, keys from write_log
  where xid >= pg_snapshot_xmin($1::pg_snapshot) and xid < pg_snapshot_xmax(pg_current_snapshot())
    and not pg_visible_in_snapshot(xid, $1::pg_snapshot)`

type LogRow = { is_known: boolean | null; table_name: string | null; keys: Change['keys'] }

/** What was committed between two positions; null when unknown. The session sees the later one. */
export async function changesBetween(session: Session, earlier: string, later: string): Promise<Change[] | null> {
  const { rows } = await session.executeQuery<LogRow>(CompiledQuery.raw(CHANGES, [earlier, later]))
  return changesOf(rows)
}

function changesOf(rows: LogRow[]): Change[] | null {
  if (!rows.some((row) => row.is_known)) return null
  return rows.flatMap(({ table_name: table, keys }) => (table === null ? [] : [{ table, keys }]))
}

/** The position now, and what was committed since an earlier one; null changes: that is not known. */
export async function watchChanges(
  engine: Engine,
  earlier: string | null,
): Promise<{ position: string; changes: Change[] | null }> {
  const session = await engine.acquire()
  let isBroken = true
  try {
    const { rows } = await session.executeQuery<LogRow & { position: string | null }>(
      CompiledQuery.raw(WATCH, [earlier]),
    )
    isBroken = false
    const position = rows.find((row) => row.position !== null)?.position ?? ''
    return { position, changes: changesOf(rows) }
  } finally {
    session.release(isBroken)
  }
}

/** Deletes old entries and remembers the youngest of them. */
export async function pruneWriteLog(root: Kysely<Tables>): Promise<void> {
  await sql`
    with pruned as (delete from write_log where created_at < now() - ${RETENTION}::interval returning xid)
    update write_log_horizon set xid = greatest(xid, (select max(xid) from pruned))
    where exists (select from pruned)`.execute(root)
}

/** A restored dump brings the log of a database whose transactions were numbered further: here they would never become visible. */
export async function forgetForeignHistory(root: Kysely<Tables>): Promise<void> {
  await sql`delete from write_log where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(root)
  await sql`update write_log_horizon set xid = '0' where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(root)
}
