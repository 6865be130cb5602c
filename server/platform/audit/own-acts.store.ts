// What people do to their own accounts, in the audit trail: their password, second step, passkeys and sessions.
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { insertAuditEntry } from './audit.store.ts'

type OwnAct = {
  userId: Id<'users'>
  /** The session that did it; null: none, such as by a link. */
  sessionId: string | null
  /** `account:` and what was done. */
  action: `account:${string}`
  address: string
}

/** Adds an entry to the trail of the organization that the session works in, or of the one joined first. */
export async function recordOwnAct(db: Db, { userId, sessionId, action, address }: OwnAct): Promise<void> {
  const person = await db
    .selectFrom('users')
    .where('users.id', '=', userId)
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('members')
          .leftJoin('sessions', 'sessions.organization_id', 'members.organization_id')
          .where('members.user_id', '=', userId)
          .select('members.organization_id')
          .orderBy(sql`sessions.id = ${sessionId}`, (order) => order.desc().nullsLast())
          .orderBy('members.created_at')
          .limit(1)
          .as('workplace'),
      (join) => join.onTrue(),
    )
    .select(['users.name', 'users.email', 'workplace.organization_id as organizationId'])
    .executeTakeFirst()
  if (!person) return
  const { name, email, organizationId } = person
  const resource = { kind: 'account', id: userId, name: email }
  await insertAuditEntry(
    { db },
    { actor: { userId, name, email }, organizationId, action, resource, address, at: new Date() },
  )
}
