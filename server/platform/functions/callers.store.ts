// Reads who is behind a session.
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { Caller } from './caller.ts'

/** The person of a session that has not ended; undefined when it has, or never was theirs. */
export async function findCaller(
  ctx: StoreContext,
  session: { userId: Id<'users'>; sessionId: Id<'sessions'> },
): Promise<Caller | undefined> {
  const row = await ctx.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('members', 'members.user_id', 'users.id')
    .select(['users.email', 'users.name', 'users.role', 'members.organization_id', 'sessions.expires_at'])
    .where('sessions.id', '=', session.sessionId)
    .where('sessions.user_id', '=', session.userId)
    .executeTakeFirst()
  if (!row || row.expires_at.getTime() <= Date.now()) return undefined
  const { email, name, role, organization_id: organizationId } = row
  return { userId: session.userId, sessionId: session.sessionId, email, name, role, organizationId }
}
