// MCP servers that an organization connects, so that its agents can use their tools: what is entered, and the shapes that clients receive.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'
import type { ToolFailure } from './tools.ts'

export const MCP_SERVERS_MAX = 10
/** Tools of one server; those beyond are not seen. */
export const MCP_TOOLS_MAX = 200
/** Calls of one tool within one answer, and within a day of the organization. */
export const MCP_CALLS_PER_TURN = 5
export const MCP_CALLS_PER_DAY = 1000
/** Characters of a description that models are given: some providers refuse longer ones. */
export const MCP_DESCRIPTION_OFFERED = 1000
/** Where an OAuth server sends people back to. */
export const MCP_CALLBACK = '/api/integrations/mcp/callback'

/** How a server authorizes us. */
export const MCP_AUTHORIZATIONS = ['none', 'bearer', 'oauth'] as const
export type McpAuthorization = (typeof MCP_AUTHORIZATIONS)[number]
/** `pending`: no one has consented yet. `reauthorization_required`: what we have is not accepted any more. */
export type McpStatus = 'pending' | 'connected' | 'reauthorization_required'
/** Who approves each call of a tool. */
export const MCP_APPROVALS = ['none', 'customer', 'operator'] as const
export type McpApproval = (typeof MCP_APPROVALS)[number]
/** `changed`: other than when it was allowed. `gone`: it was allowed, and the server has it no more. */
export type McpToolState = 'not_allowed' | 'allowed' | 'changed' | 'gone'
/** Why a tool cannot be used. */
export type McpToolProblem = 'schema_not_object' | 'schema_too_large' | 'schema_unsupported' | 'description_too_long'
/** How a consent has ended, as the page is shown it. */
export const MCP_CONSENT_RESULTS = ['connected', 'denied', 'refused', 'unreachable', 'expired'] as const
export type McpConsentResult = (typeof MCP_CONSENT_RESULTS)[number]

const serverId = id('mcpServers')
const toolId = id('mcpTools')
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(60))
/** Printable characters only: anything else could not be sent in a header, or would begin another. */
const token = z.string().check(z.trim(), z.maxLength(4000), z.regex(/^[\x21-\x7e]+$/))

/** `token`: of servers that take a bearer token. */
export const connectServerInput = z.strictObject({
  name,
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(2000)),
  authorization: z.enum(MCP_AUTHORIZATIONS),
  token: z.optional(token),
})
export const setServerTokenInput = z.strictObject({ serverId, token })
export const mcpServerInput = z.strictObject({ serverId })
export const mcpToolInput = z.strictObject({ toolId })
/** `hash`: of the description and schema that the person has seen. */
export const allowToolInput = z.strictObject({ toolId, hash: z.string().check(z.maxLength(64)) })
export const setApprovalInput = z.strictObject({ toolId, approval: z.enum(MCP_APPROVALS) })

/** A server of the organization. `tools`: how many it has, are allowed, and have changed or are gone since. */
export type McpServer = {
  _id: Id<'mcpServers'>
  name: string
  url: string
  authorization: McpAuthorization
  status: McpStatus
  /** How the last look at its tools has failed; null: it has not. */
  failure: ToolFailure | null
  refreshedAt: number | null
  tools: { all: number; allowed: number; changed: number }
}

/** A tool of a server. `hints`: what the server claims of it, which nothing follows from. */
export type McpTool = {
  _id: Id<'mcpTools'>
  name: string
  /** As models know it. */
  modelName: string
  description: string
  hash: string
  state: McpToolState
  problem: McpToolProblem | null
  approval: McpApproval
  /** Whether models can be given it as things stand. */
  isOffered: boolean
  hints: { isReadOnly: boolean; isDestructive: boolean }
  failing: { times: number; failure: ToolFailure; at: number } | null
  usedToday: number
}

/** What a tool says of itself. `schema`: JSON, in lines. */
export type McpToolText = { description: string; schema: string }
/** As the server has it now, and as it was allowed; null: it was not. */
export type McpToolTexts = { latest: McpToolText; pinned: McpToolText | null }

/** A tool that was allowed, and that agents can be given. `isOffered`: whether models are given it as things stand. */
export type AllowedMcpTool = {
  _id: Id<'mcpTools'>
  modelName: string
  name: string
  server: string
  description: string
  isOffered: boolean
  failing: McpTool['failing']
}
