// Tools of MCP servers: what they say of themselves, and which of them agents may be given. On the wire: mcpServers/tools.
import { requireFlag } from '#server/domain/flags/flags.store.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import type { Id } from '#shared/ids.ts'
import { noArgs } from '#shared/schema.ts'
import {
  type AllowedMcpTool,
  allowToolInput,
  type McpTool,
  type McpToolTexts,
  mcpServerInput,
  mcpToolInput,
  setApprovalInput,
} from '#shared/tools/mcp-servers.ts'
import { getServer } from './servers.store.ts'
import * as store from './tools.store.ts'

/** The tools of a server. @throws not_found */
export const list = orgQuery({
  args: mcpServerInput,
  handler: async (ctx, { serverId }): Promise<McpTool[]> => {
    await getServer(ctx, serverId)
    return store.listTools(ctx, serverId)
  },
})

/** The tools that agents can be given. */
export const allowed = orgQuery({
  args: noArgs,
  handler: (ctx): Promise<AllowedMcpTool[]> => store.listAllowed(ctx),
})

/** What a tool says of itself, now and when it was allowed. @throws not_found */
export const texts = orgQuery({
  args: mcpToolInput,
  handler: (ctx, { toolId }): Promise<McpToolTexts> => store.getTexts(ctx, toolId),
})

/** Allows a tool as the person has seen it, for the first time or after a change. @throws flag_off, not_found, mcp_tool_changed, mcp_tool_unusable */
export const allow = orgMutation({
  args: allowToolInput,
  isAudited: true,
  handler: async (ctx, { toolId, hash }) => {
    await requireFlag(ctx, 'mcp_tools')
    const tool = await store.pinTool(ctx, toolId, hash)
    await ctx.audit({ resource: resourceOf(toolId, tool), after: { hash } })
    return null
  },
})

/** Allows a tool no more. @throws not_found */
export const disallow = orgMutation({
  args: mcpToolInput,
  isAudited: true,
  handler: async (ctx, { toolId }) => {
    const tool = await store.unpinTool(ctx, toolId)
    await ctx.audit({ resource: resourceOf(toolId, tool) })
    return null
  },
})

/** Says who approves the calls of a tool. @throws not_found */
export const setApproval = orgMutation({
  args: setApprovalInput,
  isAudited: true,
  handler: async (ctx, { toolId, approval }) => {
    const tool = await store.setApproval(ctx, toolId, approval)
    await ctx.audit({
      ...{ resource: resourceOf(toolId, tool), before: { approval: tool.approval }, after: { approval } },
    })
    return null
  },
})

function resourceOf(id: Id<'mcpTools'>, { server, name }: store.NamedTool) {
  return { kind: 'mcpTool', id, name: `${server}: ${name}` }
}
