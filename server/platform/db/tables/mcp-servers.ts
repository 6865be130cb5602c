// MCP servers that organizations connect, and their tools.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { McpApproval, McpAuthorization, McpStatus, McpToolProblem } from '#shared/tools/mcp-servers.ts'
import type { ToolFailure } from '#shared/tools/tools.ts'
import type { GivenTimestamp, Json, Timestamp } from './columns.ts'

export interface McpServersTable {
  id: Id<'mcpServers'>
  organization_id: Id<'organizations'>
  name: string
  /** Before the names of its tools, as models know them. */
  short_name: string
  url: string
  authorizes_by: McpAuthorization
  /** Encrypted JSON: a token, or what an OAuth server has granted. Null: none. */
  credentials: string | null
  status: McpStatus
  /** How the last look at its tools has failed. */
  failure: ToolFailure | null
  /** When its tools were last seen. */
  refreshed_at: Timestamp | null
  /** When they were last asked for. */
  looked_at: GivenTimestamp
  created_at: GivenTimestamp
}

/** What a server says of a tool. `schema`: null where it is of no use. */
export type StoredMcpTool = {
  description: string
  schema: Record<string, unknown> | null
  hints: { isReadOnly: boolean; isDestructive: boolean }
}

export interface McpToolsTable {
  id: Id<'mcpTools'>
  organization_id: Id<'organizations'>
  server_id: Id<'mcpServers'>
  /** As the server has it. */
  name: string
  model_name: string
  latest: Json<StoredMcpTool>
  latest_hash: string
  /** As it was when it was allowed; null: it is not. */
  pinned: Json<StoredMcpTool> | null
  pinned_hash: string | null
  is_gone: Generated<boolean>
  /** Why it cannot be used, as it is now. */
  problem: McpToolProblem | null
  approval: Generated<McpApproval>
  /** Failures since it last worked; the last of them, and when. */
  failures_in_row: Generated<number>
  failure: ToolFailure | null
  failed_at: Timestamp | null
  /** The day that `used_count` refers to, `YYYY-MM-DD` in the organization's time zone. */
  used_on: string | null
  used_count: Generated<number>
  created_at: GivenTimestamp
}

/** A consent that was asked for, and has not come back. */
export interface McpAuthorizationsTable {
  state_hash: string
  organization_id: Id<'organizations'>
  server_id: Id<'mcpServers'>
  /** The session that asked. */
  session_id: Id<'sessions'>
  /** Encrypted JSON: the verifier of PKCE, and the OAuth server with our registration there. */
  asked: string
  expires_at: GivenTimestamp
}
