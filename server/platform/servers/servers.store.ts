// SQL for the servers of this installation. Times are the database's own: servers on several machines have several clocks.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'

/** A server as it announces itself. */
type OwnServer = { id: string; host: string; version: string }
/** A server as others see it. `isGone`: it has given no sign of life for so long that it is dead or cut off. */
export type SeenServer = OwnServer & { startedAt: Date; seenAt: Date; isGone: boolean }

/** Without a sign of life for this long a server counts as gone. */
const GONE_AFTER = sql.lit('30 seconds')
/** How long a server that is gone stays in the list. */
const KEPT = sql.lit('1 day')

/** Gives a sign of life, and forgets servers that are gone for long. `upMs`: how long this one runs. One statement. */
export async function recordSign({ db }: StoreContext, server: OwnServer, upMs: number): Promise<void> {
  const { id, host, version } = server
  await sql`
    with forgotten as (delete from servers where seen_at < now() - interval ${KEPT} and id <> ${id})
    insert into servers (id, host, version, started_at, seen_at)
    values (${id}, ${host}, ${version}, now() - ${Math.round(upMs)}::bigint * interval '1 millisecond', now())
    on conflict (id) do update set seen_at = now()`.execute(db)
}

/** Removes a server that stops. */
export async function deleteServer({ db }: StoreContext, id: string): Promise<void> {
  await db.deleteFrom('servers').where('id', '=', id).execute()
}

/** The servers that run, then those that are gone, each the latest first. */
export async function listServers({ db }: StoreContext): Promise<SeenServer[]> {
  const isGone = sql<boolean>`servers.seen_at < now() - interval ${GONE_AFTER}`
  return db
    .selectFrom('servers')
    .select(['id', 'host', 'version', 'started_at as startedAt', 'seen_at as seenAt', isGone.as('isGone')])
    .orderBy('isGone')
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .execute()
}
