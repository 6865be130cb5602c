// What a server accepts us by, as it is stored: encrypted for its row.
import type { McpGrant } from '#server/integrations/mcp/oauth.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'
import type { SealedServer } from './servers.store.ts'

export type Credentials = { kind: 'bearer'; token: string } | { kind: 'oauth'; grant: McpGrant }

/** @returns what is stored */
export function sealCredentials(secrets: Secrets, id: Id<'mcpServers'>, credentials: Credentials): string {
  return secrets.encrypt(JSON.stringify(credentials), placeOf(id))
}

/** Null where there are none. @throws when the stored text was changed or moved */
export function openCredentials(
  secrets: Secrets,
  { id, credentials }: Pick<SealedServer, 'id' | 'credentials'>,
): Credentials | null {
  return credentials === null ? null : (JSON.parse(secrets.decrypt(credentials, placeOf(id))) as Credentials)
}

/** What is sent to the server. */
export function tokenOf(credentials: Credentials | null): string | null {
  if (!credentials) return null
  return credentials.kind === 'bearer' ? credentials.token : credentials.grant.accessToken
}

function placeOf(id: Id<'mcpServers'>): string {
  return `mcp_servers|${id}|credentials`
}
