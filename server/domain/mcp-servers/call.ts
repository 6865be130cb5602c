// One call of a tool of an MCP server: arguments are checked by the schema that was allowed, and what comes back is words, cut.
import { McpFailure } from '#server/integrations/mcp/failures.ts'
import { callListedTool } from '#server/integrations/mcp/tools.ts'
import type { ToolFailure, ToolOutcome } from '#shared/tools/tools.ts'
import { type McpParts, withMcpServer } from './access.ts'
import { textOfResult } from './result.rules.ts'
import { checkOf } from './schema.rules.ts'
import type { CallableMcpTool } from './tools.store.ts'

/** For the whole call, with the greeting; and of the answer, pictures included. */
const BOUNDS = { timeoutMs: 15_000, maxBytes: 1024 * 1024 }

/** Calls the tool. Never throws, unless the caller's signal does. */
export async function callMcpTool(
  services: McpParts,
  tool: CallableMcpTool,
  args: unknown,
  signal: AbortSignal,
  bounds = BOUNDS,
): Promise<ToolOutcome> {
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  try {
    const result = await attempt(services, tool, args, { ...bounds, signal })
    return { failure: null, status: null, result, durationMs: took() }
  } catch (error) {
    signal.throwIfAborted()
    const failure = error instanceof McpFailure ? error : new McpFailure('no_answer')
    const { kind, status } = failure
    return { failure: kind, status, result: explanationOf(failure), durationMs: took() }
  }
}

async function attempt(
  services: McpParts,
  tool: CallableMcpTool,
  args: unknown,
  bounds: typeof BOUNDS & { signal: AbortSignal },
): Promise<string> {
  const check = checkOf(tool.schema)
  if (!check?.safeParse(args).success) throw new McpFailure('arguments')
  return withMcpServer(services, tool.server, bounds, async (session, token) => {
    const result = await callListedTool(session, tool.serverName, args as Record<string, unknown>)
    const text = textOfResult(result, token)
    if (result.isError) throw new McpFailure('tool_error', text)
    return text
  })
}

/** For the model. What the tool itself says of an error helps; the rest of what the server says is kept from it. */
function explanationOf({ kind, message }: McpFailure): string {
  if (kind === 'tool_error') return `The tool reports an error, and gave no result: ${message}`
  const { [kind]: why = 'it cannot be reached' } = WHY
  return `The tool gave no result: ${why}. Do not guess what it would have said.`
}

const WHY: Partial<Record<ToolFailure, string>> = {
  arguments: 'the arguments do not have the form that it asks for',
  timeout: 'the service took too long',
  too_large: 'the answer is too large',
}
