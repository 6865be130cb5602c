// A session with an MCP server over streamable HTTP, through the outbound guard: opened for one piece of work, and ended after it. Of the
// protocol only tools are used; with no capability announced, a server can ask for nothing.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Outbound } from '#server/integrations/http/outbound.ts'
import { McpFailure, mcpFailureOf } from './failures.ts'

/** `token`: sent as a bearer token, to this address alone. */
export type McpTarget = { url: string; token: string | null }
/** `maxBytes`: of each answer, streams included. `timeoutMs`: for all of the work. */
export type McpBounds = { timeoutMs: number; maxBytes: number }
export type McpSession = { client: Client; signal: AbortSignal }

/** How long a server is given to hear that a session has ended. */
const END_MS = 5000
const CLIENT = { name: 'parley', version: '1.0.0' }

/** Opens a session, does the work, ends the session. @throws McpFailure; the signal's reason when it is aborted */
export async function withMcpSession<T>(
  outbound: Pick<Outbound, 'stream'>,
  { url, token }: McpTarget,
  { timeoutMs, maxBytes, signal }: McpBounds & { signal: AbortSignal },
  work: (session: McpSession) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  const broken = new AbortController()
  const whole = AbortSignal.any([signal, timeout, broken.signal])
  const fetch = guardedFetch(outbound, { maxBytes, signal: whole, onBroken: (error) => broken.abort(error) })
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit: { headers } })
  const client = new Client(CLIENT, { capabilities: {} })
  try {
    const working = client.connect(transport, { signal: whole, timeout: timeoutMs + 1000 }).then(
      () => work({ client, signal: whole }),
      (error: unknown) => {
        throw asHandshakeFailure(error)
      },
    )
    return await Promise.race([working, rejectionOf(whole)])
  } catch (error) {
    signal.throwIfAborted()
    throw timeout.aborted ? new McpFailure('timeout') : mcpFailureOf(error)
  } finally {
    void end(client, transport)
  }
}

/** An error of JSON-RPC in answer to the greeting: whatever is there does not speak the protocol as we do. */
function asHandshakeFailure(error: unknown): McpFailure {
  const failure = mcpFailureOf(error)
  return failure.kind === 'tool_error' ? new McpFailure('not_mcp') : failure
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    if (signal.aborted) fail(signal.reason)
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
  })
}

/** Without waiting for it: the result is there already. */
async function end(client: Client, transport: StreamableHTTPClientTransport): Promise<void> {
  await transport.terminateSession().catch(() => undefined)
  await client.close().catch(() => undefined)
}

type Guarding = { maxBytes: number; signal: AbortSignal; onBroken: (error: Error) => void }

function guardedFetch(outbound: Pick<Outbound, 'stream'>, { maxBytes, signal, onBroken }: Guarding): FetchLike {
  return async (address, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers))
    const method = methodOf(init.method)
    // A stream of what the server says unasked is not opened; one that broke off may be taken up again.
    if (method === 'GET' && headers['last-event-id'] === undefined) return new Response(null, { status: 405 })
    const own = method === 'DELETE' ? AbortSignal.timeout(END_MS) : signal
    const response = await outbound.stream(String(address), {
      ...{ method, headers, maxBytes },
      ...(typeof init.body === 'string' && { body: init.body }),
      signal: AbortSignal.any([own, ...(init.signal ? [init.signal] : [])]),
    })
    return watched(response, onBroken)
  }
}

function methodOf(method = 'GET'): 'GET' | 'POST' | 'DELETE' {
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw new Error(`the SDK has sent ${method}`)
}

/** The SDK waits on when a stream breaks: this says so at once. */
function watched(response: Response, onBroken: (error: Error) => void): Response {
  if (!response.body) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: Error) => {
        onBroken(error)
        throw error
      })
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
