// Limits of tools that settings of agents refer to, too.

/** HTTP tools of an organization. */
export const HTTP_TOOLS_MAX = 50
