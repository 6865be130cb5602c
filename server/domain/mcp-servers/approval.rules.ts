// Whether the agent may call a tool by itself.
import type { McpApproval } from '#shared/tools/mcp-servers.ts'

/** Calls that a person must approve are not made: such a tool is not given to models. */
export function isOfferedWith(approval: McpApproval): boolean {
  return approval === 'none'
}
