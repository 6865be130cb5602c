// MCP servers of an organization: connected, authorized, looked at, removed. On the wire: mcpServers.
import { randomBytes } from 'node:crypto'
import { requireFlag } from '#server/domain/flags/flags.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { OutboundError } from '#server/integrations/http/outbound.ts'
import { beginConsent, McpOAuthFailure } from '#server/integrations/mcp/oauth.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { noArgs } from '#shared/schema.ts'
import {
  connectServerInput,
  MCP_SERVERS_MAX,
  type McpServer,
  mcpServerInput,
  setServerTokenInput,
} from '#shared/tools/mcp-servers.ts'
import type { ToolFailure } from '#shared/tools/tools.ts'
import { insertAuthorization, placeOfConsent } from './authorizations.store.ts'
import { callbackUrlOf } from './consent.ts'
import { sealCredentials } from './credentials.rules.ts'
import { lookAtServer } from './look.ts'
import { shortNameOf } from './names.rules.ts'
import { revokeMcpGrantJob } from './revoke.job.ts'
import * as store from './servers.store.ts'
import { serverUrlOf } from './url.rules.ts'

/** All servers, with how they do. */
export const list = orgQuery({ args: noArgs, handler: (ctx): Promise<McpServer[]> => store.listServers(ctx) })

/**
 * Connects a server and looks at its tools; one that asks for a consent waits for it. None of its tools is allowed. An action: outcomes and
 * arguments of mutations are kept. @throws flag_off, mcp_url_invalid, mcp_url_internal, mcp_url_unknown, mcp_token_missing, too_many_mcp_servers
 */
export const connect = orgAction({
  args: connectServerInput,
  isAudited: true,
  handler: async (
    ctx,
    { name, url: given, authorization, token },
  ): Promise<{ serverId: Id<'mcpServers'>; failure: ToolFailure | null }> => {
    await ctx.read((read) => requireFlag(read, 'mcp_tools'))
    const url = await checkedUrl(ctx, given)
    if (authorization === 'bearer' && token === undefined) throw new AppError('mcp_token_missing')
    const id = newId('mcpServers')
    const bearer = authorization === 'bearer' && token !== undefined ? { kind: 'bearer' as const, token } : null
    const credentials = bearer && sealCredentials(ctx.services.secrets, id, bearer)
    const status = authorization === 'oauth' ? ('pending' as const) : ('connected' as const)
    const server = await ctx.write(async (write) => {
      const taken = await store.listShortNames(write)
      if (taken.length >= MCP_SERVERS_MAX) throw new AppError('too_many_mcp_servers', { max: MCP_SERVERS_MAX })
      const shortName = shortNameOf(name, taken)
      const made = { id, organizationId: ctx.organizationId, name, shortName, url, authorization, credentials, status }
      await store.insertServer(write, made, write.now)
      await write.audit({ resource: resourceOf(made), after: { url, authorization } })
      return made
    })
    const failure = status === 'pending' ? null : await lookAtServer(ctx.services, server, ctx.signal)
    return { serverId: id, failure }
  },
})

/** Puts another token in place of the one that a server had. @throws flag_off, not_found, mcp_takes_no_token */
export const setToken = orgAction({
  args: setServerTokenInput,
  isAudited: true,
  handler: async (ctx, { serverId, token }): Promise<{ failure: ToolFailure | null }> => {
    const sealed = sealCredentials(ctx.services.secrets, serverId, { kind: 'bearer', token })
    const server = await ctx.write(async (write) => {
      await requireFlag(write, 'mcp_tools')
      const known = await store.getServer(write, serverId)
      if (known.authorization !== 'bearer') throw new AppError('mcp_takes_no_token')
      await store.saveCredentials(write, serverId, sealed)
      await write.audit({ resource: resourceOf(known) })
      return { ...known, credentials: sealed }
    })
    return { failure: await lookAtServer(ctx.services, server, ctx.signal) }
  },
})

/** Begins a consent. @returns where to send the person @throws flag_off, not_found, mcp_asks_no_consent, mcp_oauth_refused, mcp_oauth_unreachable */
export const authorize = orgAction({
  args: mcpServerInput,
  handler: async (ctx, { serverId }): Promise<{ url: string }> => {
    const { outbound, secrets, publicUrl } = ctx.services
    const server = await ctx.read(async (read) => {
      await requireFlag(read, 'mcp_tools')
      return store.getServer(read, serverId)
    })
    if (server.authorization !== 'oauth') throw new AppError('mcp_asks_no_consent')
    const state = randomBytes(32).toString('base64url')
    const asking = { serverUrl: server.url, redirectUrl: callbackUrlOf(publicUrl), state }
    const { url, consent } = await beginConsent({ outbound, signal: ctx.signal }, asking).catch(translate)
    const asked = secrets.encrypt(JSON.stringify(consent), placeOfConsent(state))
    const { organizationId } = ctx
    const kept = { organizationId, serverId, sessionId: ctx.caller.sessionId, asked }
    await ctx.write((write) => insertAuthorization(write, state, kept, write.now))
    return { url }
  },
})

/** Looks at the tools of a server. @returns how that failed; null: it did not @throws flag_off, not_found */
export const refresh = orgAction({
  args: mcpServerInput,
  handler: async (ctx, { serverId }): Promise<{ failure: ToolFailure | null }> => {
    const server = await ctx.read(async (read) => {
      await requireFlag(read, 'mcp_tools')
      return store.getServer(read, serverId)
    })
    return { failure: await lookAtServer(ctx.services, server, ctx.signal) }
  },
})

/** Removes a server with its tools; agents do without, and what it has granted us is withdrawn. @throws not_found */
export const remove = orgMutation({
  args: mcpServerInput,
  isAudited: true,
  handler: async (ctx, { serverId }) => {
    const { name, url, credentials } = await store.deleteServer(ctx, serverId)
    await ctx.jobs.send(ctx.db, revokeMcpGrantJob, { id: serverId, credentials })
    await ctx.audit({ resource: { kind: 'mcpServer', id: serverId, name }, before: { url } })
    return null
  },
})

async function checkedUrl(ctx: OrgActionContext, given: string): Promise<string> {
  const url = serverUrlOf(given)
  if (url === null) throw new AppError('mcp_url_invalid')
  await ctx.services.outbound.check(url).catch((error: unknown) => {
    throw new AppError(error instanceof OutboundError ? 'mcp_url_internal' : 'mcp_url_unknown')
  })
  return url
}

function translate(error: unknown): never {
  if (!(error instanceof McpOAuthFailure)) throw error
  throw new AppError(error.kind === 'refused' ? 'mcp_oauth_refused' : 'mcp_oauth_unreachable')
}

function resourceOf({ id, name }: Pick<store.SealedServer, 'id' | 'name'>) {
  return { kind: 'mcpServer', id, name }
}
