// SQL for consents that were asked for and have not come back: each comes back once, from the session that asked, within minutes.
import { createHash } from 'node:crypto'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** How long a person may take at Google. */
const LIFE_MS = 10 * 60_000

export type Authorization = {
  organizationId: Id<'organizations'>
  agentId: Id<'agents'>
  sessionId: Id<'sessions'>
  /** Encrypted. */
  verifier: string
}

/** Keeps what was asked for, and forgets what is too old to come back. */
export async function insertAuthorization(
  { db }: StoreContext,
  state: string,
  asked: Authorization,
  now: Date,
): Promise<void> {
  await db
    .deleteFrom('calendar_authorizations')
    .where('organization_id', '=', asked.organizationId)
    .where('expires_at', '<', now)
    .execute()
  await db
    .insertInto('calendar_authorizations')
    .values({
      ...{ state_hash: hashOf(state), organization_id: asked.organizationId, agent_id: asked.agentId },
      ...{ session_id: asked.sessionId, verifier: asked.verifier },
      expires_at: new Date(now.getTime() + LIFE_MS),
    })
    .execute()
}

/** What a session asked for with a state; it cannot be taken again. Null: nothing, or too long ago. */
export async function takeAuthorization(
  { db }: StoreContext,
  { state, sessionId }: { state: string; sessionId: Id<'sessions'> },
  now: Date,
): Promise<Authorization | null> {
  const row = await db
    .deleteFrom('calendar_authorizations')
    .where('state_hash', '=', hashOf(state))
    .where('session_id', '=', sessionId)
    .returning([
      ...(['organization_id as organizationId', 'agent_id as agentId'] as const),
      ...(['session_id as sessionId', 'verifier', 'expires_at as expiresAt'] as const),
    ])
    .executeTakeFirst()
  if (!row || row.expiresAt.getTime() <= now.getTime()) return null
  const { expiresAt: _expiresAt, ...asked } = row
  return asked
}

/** What the place of a stored verifier is called. */
export function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('hex')
}
