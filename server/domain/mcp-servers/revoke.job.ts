// Withdraws what an OAuth server has granted, after the row that kept it is gone.
import { type McpGrant, McpOAuthFailure, revokeGrant } from '#server/integrations/mcp/oauth.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import type { McpParts } from './access.ts'
import { openCredentials } from './credentials.rules.ts'
import type { SealedServer } from './servers.store.ts'

/** Its data holds the credentials as they were stored, encrypted. A server that answers otherwise is asked once. */
export const revokeMcpGrantJob = defineJob<Pick<SealedServer, 'id' | 'credentials'>, McpParts>({
  name: 'mcp.revoke',
  limitSeconds: 60,
  concurrency: 1,
  async run({ outbound, secrets }, left, signal) {
    const grant = grantOf(secrets, left)
    if (!grant) return
    try {
      await revokeGrant({ outbound, signal }, grant)
    } catch (error) {
      if (!(error instanceof McpOAuthFailure) || error.kind === 'unreachable') throw error
    }
  },
})

/** Null: there is nothing to withdraw, or the stored text cannot be opened any more. */
function grantOf(secrets: McpParts['secrets'], left: Pick<SealedServer, 'id' | 'credentials'>): McpGrant | null {
  try {
    const credentials = openCredentials(secrets, left)
    return credentials?.kind === 'oauth' ? credentials.grant : null
  } catch {
    return null
  }
}
