// GET /api/integrations/mcp/callback — where an OAuth server sends a person back to after the consent. It asks for the session that began the
// consent, and leads on to the page of the servers, which says how it ended.
import { type Context, Hono } from 'hono'
import { isFlagOnFor } from '#server/domain/flags/flags.store.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import type { Bindings } from '#server/platform/lib/http/http-listener.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import { may } from '#shared/organizations/policy.ts'
import { MCP_CALLBACK, type McpConsentResult } from '#shared/tools/mcp-servers.ts'
import { takeAuthorization } from './authorizations.store.ts'
import { type ConsentParts, finishConsent } from './consent.ts'
import { getServer } from './servers.store.ts'

type Env = { Bindings: Bindings }
type Doors = {
  /** Who sends a request; null when not signed in. */
  callerOf: (request: Request) => Promise<Caller | null>
  addressOf: (c: Context<Env>) => string
  log: Logger
}

type Ended = { result: McpConsentResult; serverId?: Id<'mcpServers'> }

/** The longest `state` and code that are looked at. */
const PARAMETER_MAX = 4096

/** The route. */
export function mcpServerRoutes(parts: ConsentParts, doors: Doors): Hono {
  const routes = new Hono<Env>()
  routes.get(MCP_CALLBACK, async (c) => {
    const { result, serverId = 'unknown' } = await receive(parts, doors, c)
    c.header('cache-control', 'no-store')
    c.header('referrer-policy', 'no-referrer') // the address holds the code
    return c.redirect(`${parts.publicUrl}/settings/mcp-servers/${serverId}?${new URLSearchParams({ result })}`, 303)
  })
  return routes as unknown as Hono
}

/** A `state` counts once, within minutes, and from the session that began with it alone. */
async function receive(parts: ConsentParts, doors: Doors, c: Context<Env>): Promise<Ended> {
  const { state = '', code = '', error, iss: issuer } = c.req.query()
  const caller = await doors.callerOf(c.req.raw)
  if (!caller || state === '' || state.length > PARAMETER_MAX || code.length > PARAMETER_MAX)
    return { result: 'expired' }
  const { sessionId } = caller
  const asked = await parts.database.system('MCP servers: consent', (db) =>
    takeAuthorization({ db }, { state, sessionId }, new Date()),
  )
  if (!asked) return { result: 'expired' }
  const { organizationId, serverId } = asked
  const by = await doors.callerOf(within(c.req.raw, organizationId))
  const server = await parts.database.organization(organizationId, async (db) => {
    const ctx = { db, organizationId }
    return (await isFlagOnFor(ctx, 'mcp_tools')) ? getServer(ctx, serverId) : null
  })
  if (!server || by?.organizationId !== organizationId || !mayConnect(by)) return { result: 'expired' }
  if (error !== undefined || code === '') return { result: error === 'access_denied' ? 'denied' : 'refused', serverId }
  const address = doors.addressOf(c)
  const result = await finishConsent(parts, { asked, server, code, issuer, state, by, address }).catch(
    (err: unknown) => {
      doors.log.error({ err, serverId }, 'a consent to an MCP server was not kept')
      return 'refused' as const
    },
  )
  return { result, serverId }
}

/** The request as one of a member of this organization: a person may work in several. */
function within(request: Request, organizationId: string): Request {
  const url = new URL(request.url)
  url.search = new URLSearchParams({ organization: organizationId }).toString()
  return new Request(url, { headers: request.headers })
}

/** The rights may have changed while the person was at the OAuth server. */
function mayConnect({ organizationRole: role, support }: Caller): boolean {
  return role !== null && may(role, 'keys.write') && (support === null || support.mayWrite)
}
