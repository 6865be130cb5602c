// What is asked of an MCP server: which tools it has, and calls of them. What it says is checked here, leniently: one odd tool does not hide the
// others.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as z from 'zod/mini'
import { MCP_TOOLS_MAX } from '#shared/tools/mcp-servers.ts'
import { McpFailure, mcpFailureOf } from './failures.ts'
import type { McpSession } from './session.ts'

/** Pages of a list that are asked for. */
const PAGES_MAX = 20
const NAME_MAX = 128

const listed = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.optional(z.nullable(z.string())) })
const hint = z.catch(z.optional(z.boolean()), undefined)
const listedTool = z.looseObject({
  name: z.string().check(z.minLength(1), z.maxLength(NAME_MAX)),
  description: z.catch(z.optional(z.string()), undefined),
  inputSchema: z.optional(z.unknown()),
  annotations: z.catch(
    z.optional(z.looseObject({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint })),
    undefined,
  ),
})
const called = z.looseObject({
  content: z.catch(z.optional(z.array(z.looseObject({ type: z.string() }))), undefined),
  structuredContent: z.optional(z.unknown()),
  isError: z.catch(z.optional(z.boolean()), undefined),
})

/** A tool as the server has it. */
export type ListedTool = {
  name: string
  description: string
  inputSchema: unknown
  hints: { isReadOnly: boolean; isDestructive: boolean }
}
/** The parts of a result as they came. */
export type CalledTool = z.infer<typeof called>

/** All tools of the server, up to the limits. @throws McpFailure */
export async function listMcpTools({ client, signal }: McpSession): Promise<ListedTool[]> {
  const found = new Map<string, ListedTool>()
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX && found.size < MCP_TOOLS_MAX; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const { tools, nextCursor } = await listPage(client, params, signal)
    for (const tool of tools.flatMap(toListed)) if (!found.has(tool.name)) found.set(tool.name, tool)
    if (typeof nextCursor !== 'string' || nextCursor === cursor) break
    cursor = nextCursor
  }
  return [...found.values()].slice(0, MCP_TOOLS_MAX)
}

async function listPage(client: Client, params: { cursor?: string }, signal: AbortSignal) {
  try {
    return await client.request({ method: 'tools/list', params }, listed, { signal })
  } catch (error) {
    const failure = mcpFailureOf(error)
    throw failure.kind === 'tool_error' ? new McpFailure('not_mcp') : failure
  }
}

function toListed(given: unknown): ListedTool[] {
  const { data } = listedTool.safeParse(given)
  if (!data) return []
  const { readOnlyHint, destructiveHint } = data.annotations ?? {}
  const isReadOnly = readOnlyHint === true
  return [
    {
      ...{ name: data.name, description: data.description ?? '', inputSchema: data.inputSchema },
      // What the protocol takes a silent server for.
      hints: { isReadOnly, isDestructive: !isReadOnly && destructiveHint !== false },
    },
  ]
}

/** Calls a tool. @throws McpFailure */
export async function callListedTool(
  { client, signal }: McpSession,
  name: string,
  args: Record<string, unknown>,
): Promise<CalledTool> {
  return client.request({ method: 'tools/call', params: { name, arguments: args } }, called, { signal })
}
