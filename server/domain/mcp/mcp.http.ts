// /mcp: agents, knowledge and conversations of an organization for programs that speak MCP, by its tokens. Described in docs/mcp.md.
import type { Context } from 'hono'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ownVersion } from '#server/domain/alerts/versions.ts'
import { admitToken } from '#server/domain/api-tokens/call.ts'
import { requireFlag } from '#server/domain/flags/flags.store.ts'
import type { Services } from '#server/functions/services.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { findMaker } from '#server/platform/functions/callers.store.ts'
import type { ProgramCalls } from '#server/platform/functions/program-calls.ts'
import type { Bindings } from '#server/platform/lib/http/http-listener.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import { API_BODY_MAX_BYTES } from '#shared/limits.ts'
import type { ApiScope } from '#shared/organizations/policy.ts'
import { answerMcp } from './server.ts'

type McpEnv = { Bindings: Bindings }
type Surroundings = {
  callAs: ProgramCalls
  /** The client's address. */
  addressOf: (c: Context<McpEnv>) => string
}

const STATUS: Partial<Record<ErrorCode, 401 | 403 | 429>> = {
  unauthenticated: 401,
  token_without_maker: 403,
  rate_limited: 429,
}

/** One route, which keeps no sessions and opens no streams. */
export function mcpRoutes({ database }: Pick<Services, 'database'>, { callAs, addressOf }: Surroundings): Hono {
  const mcp = new Hono<McpEnv>()
  mcp.post('/mcp', bodyLimit({ maxSize: API_BODY_MAX_BYTES }), async (c) => {
    c.header('cache-control', 'no-store')
    try {
      const { caller, scopes } = await admit(database, c.req.raw)
      const address = addressOf(c)
      const call = (carrying: Parameters<Parameters<typeof answerMcp>[1]['call']>[0]) =>
        callAs({ ...carrying, caller, address })
      return await answerMcp(c.req.raw, { scopes, call }, ownVersion())
    } catch (error) {
      return refuse(error, c)
    }
  })
  mcp.all('/mcp', (c) => c.json({ code: 'method_not_allowed' }, 405, { allow: 'POST' }))
  const routes = new Hono()
  routes.route('/', mcp)
  return routes
}

/** @throws AppError unauthenticated, rate_limited, token_without_maker, flag_off */
async function admit(
  database: Services['database'],
  request: Request,
): Promise<{ caller: Caller; scopes: ApiScope[] }> {
  const { id: tokenId, createdBy: userId, organizationId, scopes } = await admitToken(database, request, new Date())
  if (!userId) throw new AppError('token_without_maker')
  const maker = { tokenId, userId, organizationId }
  const options = { isolation: 'read committed', readOnly: true } as const
  const caller = await database.transaction({ kind: 'none' }, (db) => findMaker({ db }, maker), options)
  if (!caller) throw new AppError('token_without_maker')
  await database.organization(organizationId, (db) => requireFlag({ db, organizationId }, 'mcp_tools'), options)
  return { caller, scopes }
}

/** An expected error, as JSON-RPC; anything else goes to the server's error handler. */
function refuse(error: unknown, c: Context<McpEnv>): Response {
  const data = appErrorData(error)
  if (!data) throw error
  const { retryAfterMs } = data.params
  if (typeof retryAfterMs === 'number') c.header('retry-after', String(Math.ceil(retryAfterMs / 1000)))
  const status = STATUS[data.code] ?? 403
  if (status === 401) c.header('www-authenticate', 'Bearer')
  return c.json({ jsonrpc: '2.0', id: null, error: { code: -32_001, message: data.message, data } }, status)
}
