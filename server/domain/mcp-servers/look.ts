// A look at the tools of a server: what it has now is kept, and what was allowed stays as it was allowed.
import { McpFailure } from '#server/integrations/mcp/failures.ts'
import { type ListedTool, listMcpTools } from '#server/integrations/mcp/tools.ts'
import type { ToolFailure } from '#shared/tools/tools.ts'
import { type McpParts, withMcpServer } from './access.ts'
import { clean, cutDescription, hashOfTool, problemOf } from './schema.rules.ts'
import { noteLook, type SealedServer } from './servers.store.ts'
import { type SeenTool, saveSeen } from './tools.store.ts'

const BOUNDS = { timeoutMs: 20_000, maxBytes: 4 * 1024 * 1024 }

/** Asks a server for its tools. @returns how that failed; null: it did not */
export async function lookAtServer(
  parts: McpParts,
  server: SealedServer,
  signal: AbortSignal,
): Promise<ToolFailure | null> {
  const { organizationId } = server
  const seen = await withMcpServer(parts, server, { ...BOUNDS, signal }, listMcpTools).catch((error: unknown) => {
    if (error instanceof McpFailure) return error.kind
    throw error
  })
  const failure = typeof seen === 'string' ? seen : null
  await parts.database.organization(organizationId, async (db) => {
    const ctx = { db, organizationId }
    const now = new Date()
    await noteLook(ctx, server.id, { failure, now })
    if (typeof seen !== 'string') await saveSeen(ctx, server, seen.map(toSeen), now)
  })
  return failure
}

function toSeen({ name, description, inputSchema, hints }: ListedTool): SeenTool {
  const problem = problemOf(description, inputSchema)
  const schema = problem === null ? (inputSchema as Record<string, unknown>) : null
  return {
    name: clean(name),
    tool: { description: cutDescription(description), schema, hints },
    hash: hashOfTool(description, inputSchema),
    problem,
  }
}
