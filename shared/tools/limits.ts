// Limits of tools that settings of agents refer to, too.

/** HTTP tools of an organization. */
export const HTTP_TOOLS_MAX = 50
/** Tools of MCP servers that one agent can have. */
export const AGENT_MCP_TOOLS_MAX = 100
