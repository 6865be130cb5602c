// Access to a server: with the token that it takes, renewed when it expires. A refusal for good is noted where people see it.
import { raiseMcpLost } from '#server/domain/alerts/news.store.ts'
import type { Services } from '#server/functions/services.ts'
import { McpFailure } from '#server/integrations/mcp/failures.ts'
import { McpOAuthFailure, refreshGrant } from '#server/integrations/mcp/oauth.ts'
import { type McpBounds, type McpSession, withMcpSession } from '#server/integrations/mcp/session.ts'
import { type Credentials, openCredentials, sealCredentials, tokenOf } from './credentials.rules.ts'
import { getServer, replaceCredentials, type SealedServer, setLost } from './servers.store.ts'

export type McpParts = Pick<Services, 'database' | 'secrets' | 'outbound'>
type Accepted = { server: SealedServer; credentials: Credentials | null }
type Work<T> = (session: McpSession, token: string | null) => Promise<T>

/** A token is not used in its last minute. */
const MARGIN_MS = 60_000
/** Renewals under way: all who need one of the same credentials wait for the same. */
const flights = new Map<string, Promise<SealedServer>>()

/**
 * Works with a server. A token that it refuses is renewed, once.
 *
 * @throws McpFailure; one that a person alone mends has been noted. The signal's reason when it is aborted
 */
export async function withMcpServer<T>(
  parts: McpParts,
  server: SealedServer,
  bounds: McpBounds & { signal: AbortSignal },
  work: Work<T>,
): Promise<T> {
  const current = await fresh(parts, server)
  try {
    return await attempt(parts, current, bounds, work)
  } catch (error) {
    if (!isRefusal(error) || current.credentials === null) throw error
    if (!mayRenew(current.credentials)) return await lose(parts, current.server)
    const renewed = open(parts, await renew(parts, current.server))
    return await attempt(parts, renewed, bounds, work).catch((again: unknown) => {
      if (isRefusal(again)) return lose(parts, renewed.server)
      throw again
    })
  }
}

function attempt<T>(
  { outbound }: McpParts,
  { server, credentials }: Accepted,
  bounds: McpBounds & { signal: AbortSignal },
  work: Work<T>,
): Promise<T> {
  const token = tokenOf(credentials)
  return withMcpSession(outbound, { url: server.url, token }, bounds, (session) => work(session, token))
}

function isRefusal(error: unknown): boolean {
  return error instanceof McpFailure && error.kind === 'unauthorized'
}

/** With a token that holds for a while. */
async function fresh(parts: McpParts, server: SealedServer): Promise<Accepted> {
  const current = open(parts, server)
  const { credentials } = current
  if (server.authorization !== 'none' && credentials === null) throw new McpFailure('reauthorization_required')
  if (credentials?.kind !== 'oauth' || !mayRenew(credentials)) return current
  const { expiresAt } = credentials.grant
  return expiresAt === null || expiresAt - MARGIN_MS > Date.now() ? current : open(parts, await renew(parts, server))
}

/** @throws McpFailure where the stored text cannot be opened */
function open({ secrets }: McpParts, server: SealedServer): Accepted {
  try {
    return { server, credentials: openCredentials(secrets, server) }
  } catch {
    throw new McpFailure('reauthorization_required')
  }
}

function mayRenew(credentials: Credentials): boolean {
  return credentials.kind === 'oauth' && credentials.grant.refreshToken !== null
}

function renew(parts: McpParts, server: SealedServer): Promise<SealedServer> {
  const key = `${server.id} ${server.credentials}`
  const known = flights.get(key)
  if (known) return known
  const flight = renewNow(parts, server).finally(() => flights.delete(key))
  flights.set(key, flight)
  return flight
}

/** Tokens that another process has renewed meanwhile count instead: an old one can often be used only once. */
async function renewNow(parts: McpParts, server: SealedServer): Promise<SealedServer> {
  const { outbound, database, secrets } = parts
  const { organizationId } = server
  const { credentials } = open(parts, server)
  if (credentials?.kind !== 'oauth') throw new McpFailure('reauthorization_required')
  try {
    const grant = await refreshGrant({ outbound, signal: AbortSignal.timeout(20_000) }, credentials.grant)
    const sealed = sealCredentials(secrets, server.id, { kind: 'oauth', grant })
    return await database.organization(organizationId, async (db) => {
      const ctx = { db, organizationId }
      const isKept = await replaceCredentials(ctx, server, sealed)
      return isKept ? { ...server, credentials: sealed } : getServer(ctx, server.id)
    })
  } catch (error) {
    if (!(error instanceof McpOAuthFailure)) throw error
    const now = await database.organization(organizationId, (db) => getServer({ db, organizationId }, server.id))
    if (now.credentials !== server.credentials) return now
    return error.kind === 'refused' ? lose(parts, server) : Promise.reject(new McpFailure('unreachable'))
  }
}

async function lose({ database }: McpParts, server: SealedServer): Promise<never> {
  const { organizationId } = server
  await database.organization(organizationId, async (db) => {
    const ctx = { db, organizationId }
    if (await setLost(ctx, server)) await raiseMcpLost(ctx, server.id)
  })
  throw new McpFailure('reauthorization_required')
}
