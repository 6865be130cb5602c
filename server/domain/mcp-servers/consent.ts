// The second half of a consent at an OAuth server: the code that came back is redeemed, the tokens are kept, and the tools looked at.
import type { Services } from '#server/functions/services.ts'
import { type McpConsent, McpOAuthFailure, redeemCode } from '#server/integrations/mcp/oauth.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.store.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { MCP_CALLBACK, type McpConsentResult } from '#shared/tools/mcp-servers.ts'
import { type Authorization, placeOfConsent } from './authorizations.store.ts'
import { sealCredentials } from './credentials.rules.ts'
import { lookAtServer } from './look.ts'
import { type SealedServer, saveCredentials } from './servers.store.ts'

export type ConsentParts = Pick<Services, 'database' | 'secrets' | 'outbound' | 'publicUrl'>
/** `by`: who has brought it back, and from which address. `issuer`: who says that the code is theirs. */
type Redeemed = {
  asked: Authorization
  server: SealedServer
  code: string
  issuer: string | undefined
  state: string
  by: Caller
  address: string
}

/** Where OAuth servers send people back to. */
export function callbackUrlOf(publicUrl: string): string {
  return `${publicUrl}${MCP_CALLBACK}`
}

/** Redeems a code and keeps the tokens. @returns how it ended, as the page is shown it */
export async function finishConsent(parts: ConsentParts, redeemed: Redeemed): Promise<McpConsentResult> {
  const { asked, server, code, issuer, state } = redeemed
  const { outbound, secrets, publicUrl } = parts
  const signal = AbortSignal.timeout(20_000)
  const consent = JSON.parse(secrets.decrypt(asked.asked, placeOfConsent(state))) as McpConsent
  try {
    const given = { code, issuer, redirectUrl: callbackUrlOf(publicUrl) }
    const grant = await redeemCode({ outbound, signal }, consent, given)
    const credentials = sealCredentials(secrets, server.id, { kind: 'oauth', grant })
    await keep(parts, redeemed, credentials)
    await lookAtServer(parts, { ...server, credentials, status: 'connected' }, signal)
    return 'connected'
  } catch (error) {
    if (error instanceof McpOAuthFailure) return error.kind
    throw error
  }
}

async function keep({ database }: ConsentParts, { server, by, address }: Redeemed, credentials: string) {
  const { organizationId, id, name, url } = server
  await database.organization(organizationId, async (db) => {
    const ctx = { db, organizationId }
    await saveCredentials(ctx, id, credentials)
    await insertAuditEntry(ctx, {
      ...{ actor: by, action: 'mcpServers:consent', organizationId, address, at: new Date() },
      ...{ resource: { kind: 'mcpServer', id, name }, after: { url } },
      ...(by.support && { reason: by.support.reason }),
    })
  })
}
