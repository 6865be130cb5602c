// SQL of sessions: when they were last used, and how they end. Why one ended is kept by the hash of its token.
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { EndReason } from '#shared/organizations/security.ts'

type UserId = Id<'users'>

/** Sessions of a person that have not run out, the last used first. */
export async function listSessions(db: Db, userId: UserId, now: Date) {
  return db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .select(['id', 'ip_address', 'user_agent', 'created_at', 'last_used_at', 'expires_at'])
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Ends all sessions of a user but the current one. */
export async function endOtherSessions(
  db: Db,
  session: { id: string; userId: string },
  reason: EndReason,
): Promise<void> {
  const others = sql`user_id = ${session.userId} and id <> ${session.id}`
  await end(db, others, reason)
}

/** Ends every session of a user. */
export async function endAllSessions(db: Db, userId: UserId, reason: EndReason): Promise<void> {
  await end(db, sql`user_id = ${userId}`, reason)
}

/** Ends one session of a user, by its id or by the hash of its token. */
export async function endSession(db: Db, userId: string, of: { id: string } | { hash: string }): Promise<void> {
  const named = 'id' in of ? sql`id = ${of.id}` : sql`token = ${of.hash}`
  await end(db, sql`user_id = ${userId} and ${named}`, 'revoked')
}

/**
 * Ends sessions that were unused for longer than the organization of their person allows. Looks first: what may have deleted something is
 * announced to everything that waits for commits, and mostly there is nothing to delete.
 */
export async function endInactive(db: Db): Promise<void> {
  const unused = sql<boolean>`exists (select from members join organizations on organizations.id = members.organization_id
    where members.user_id = sessions.user_id
      and sessions.last_used_at < now() - make_interval(mins => organizations.sign_out_after_minutes))`
  const found = await db.selectFrom('sessions').where(unused).select('id').limit(1).executeTakeFirst()
  if (found) await end(db, unused, 'inactive')
}

/** Ends sessions that ran out before a moment. */
export async function endExpired(db: Db, before: Date): Promise<void> {
  await end(db, sql`expires_at < ${before}`, 'expired')
}

async function end(db: Db, condition: ReturnType<typeof sql>, reason: EndReason): Promise<void> {
  await db
    .with('gone', (eb) => eb.deleteFrom('sessions').where(sql<boolean>`${condition}`).returning('token'))
    .insertInto('ended_sessions')
    .columns(['token', 'reason'])
    .expression((eb) => eb.selectFrom('gone').select(['token', sql<EndReason>`${reason}`.as('reason')]))
    .onConflict((conflict) => conflict.column('token').doNothing())
    .execute()
}

/** Why the session of a token ended, by the hash of the token; undefined: not known, or it stands. */
export async function findEndReason(db: Db, hash: string): Promise<EndReason | undefined> {
  const row = await db.selectFrom('ended_sessions').where('token', '=', hash).select('reason').executeTakeFirst()
  return row?.reason
}

/** Forgets why sessions ended before a moment. */
export async function forgetEnds(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('ended_sessions').where('ended_at', '<', before).execute()
}

/** Records that a person uses a session, at most once in `everyMs`. */
export async function recordUse(db: Db, id: Id<'sessions'>, { now, everyMs }: { now: Date; everyMs: number }) {
  await db
    .updateTable('sessions')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where('last_used_at', '<', new Date(now.getTime() - everyMs))
    .execute()
}

/** Records from where a session is used, by the hash of its token. */
export async function recordAddress(db: Db, hash: string, address: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ip_address: address })
    .where('token', '=', hash)
    .where('ip_address', 'is distinct from', address)
    .execute()
}

/** Records that the person of a session has proved who they are. */
export async function recordProof(db: Db, id: Id<'sessions'>, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: now }).where('id', '=', id).execute()
}

/** When the person of a session last proved who they are; undefined without the session. */
export async function findProof(db: Db, id: Id<'sessions'>): Promise<Date | undefined> {
  const row = await db.selectFrom('sessions').where('id', '=', id).select('confirmed_at').executeTakeFirst()
  return row?.confirmed_at
}

/** A session with its person, by the hash of its token. */
export async function findSessionByToken(db: Db, hash: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.token', '=', hash)
    .select(['sessions.id', 'sessions.user_id', 'users.email'])
    .executeTakeFirst()
}
