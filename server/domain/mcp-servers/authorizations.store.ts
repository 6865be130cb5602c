// SQL for consents that were asked for and have not come back: each comes back once, to the session that asked, within minutes.
import { createHash } from 'node:crypto'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** How long a person may take at the OAuth server. */
const LIFE_MS = 10 * 60_000

export type Authorization = {
  organizationId: Id<'organizations'>
  serverId: Id<'mcpServers'>
  sessionId: Id<'sessions'>
  /** Encrypted. */
  asked: string
}

/** Keeps what was asked for, and forgets what is too old to come back. */
export async function insertAuthorization(
  { db }: StoreContext,
  state: string,
  { organizationId, serverId, sessionId, asked }: Authorization,
  now: Date,
): Promise<void> {
  await db
    .deleteFrom('mcp_authorizations')
    .where('organization_id', '=', organizationId)
    .where('expires_at', '<', now)
    .execute()
  await db
    .insertInto('mcp_authorizations')
    .values({
      ...{ state_hash: hashOf(state), organization_id: organizationId, server_id: serverId, session_id: sessionId },
      ...{ asked, expires_at: new Date(now.getTime() + LIFE_MS) },
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
    .deleteFrom('mcp_authorizations')
    .where('state_hash', '=', hashOf(state))
    .where('session_id', '=', sessionId)
    .returning([
      ...(['organization_id as organizationId', 'server_id as serverId'] as const),
      ...(['session_id as sessionId', 'asked', 'expires_at as expiresAt'] as const),
    ])
    .executeTakeFirst()
  if (!row || row.expiresAt.getTime() <= now.getTime()) return null
  const { expiresAt: _expiresAt, ...asked } = row
  return asked
}

/** Where what was asked for is stored, to which its encryption is bound. */
export function placeOfConsent(state: string): string {
  return `mcp_authorizations|${hashOf(state)}|asked`
}

function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('hex')
}
