// How a session with an MCP server fails.
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { NotConnectedError, TooLargeError } from '#server/integrations/http/http-client.ts'
import { OutboundError } from '#server/integrations/http/outbound.ts'
import type { ToolFailure } from '#shared/tools/tools.ts'

export type McpFailureKind = Extract<
  ToolFailure,
  | 'address_not_public'
  | 'unreachable'
  | 'no_answer'
  | 'timeout'
  | 'redirected'
  | 'status'
  | 'too_large'
  | 'not_mcp'
  | 'unauthorized'
  | 'reauthorization_required'
  | 'arguments'
  | 'tool_error'
>

/** `status`: of the answer over HTTP; null where none is known. The message is the server's own: untrusted. */
export class McpFailure extends Error {
  readonly kind: McpFailureKind
  readonly status: number | null
  constructor(kind: McpFailureKind, message: string = kind, status: number | null = null) {
    super(message)
    this.name = 'McpFailure'
    this.kind = kind
    this.status = status
  }
}

/** Any error of a session. An error of JSON-RPC is the tool's; before a tool is called the caller makes `not_mcp` of it. */
export function mcpFailureOf(error: unknown): McpFailure {
  if (error instanceof McpFailure) return error
  if (error instanceof OutboundError) return new McpFailure('address_not_public')
  if (error instanceof TooLargeError) return new McpFailure('too_large')
  if (error instanceof StreamableHTTPError) return failureOfStatus(error.code ?? -1)
  if (error instanceof McpError) return failureOfRpc(error)
  if (isMalformed(error)) return new McpFailure('not_mcp')
  return new McpFailure(error instanceof NotConnectedError ? 'unreachable' : 'no_answer')
}

function failureOfStatus(status: number): McpFailure {
  if (status === -1) return new McpFailure('not_mcp')
  if (status === 401) return new McpFailure('unauthorized', 'unauthorized', status)
  const isMoved = status >= 300 && status < 400
  return isMoved ? new McpFailure('redirected', 'redirected', status) : new McpFailure('status', 'status', status)
}

function failureOfRpc(error: McpError): McpFailure {
  if (error.code === ErrorCode.RequestTimeout) return new McpFailure('timeout')
  if (error.code === ErrorCode.ConnectionClosed) return new McpFailure('no_answer')
  return new McpFailure('tool_error', error.message)
}

/** What came is not JSON, or not of the form that the protocol gives it. */
function isMalformed(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && /^(\$?Zod)/.test(error.constructor.name))
}
