// A call of a tool, with a real server of the protocol: what comes back, and how it fails.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { type FakeMcp, MCP_URL, startFakeMcp } from '#tests/fakes/mcp-server.ts'
import type { McpParts } from './access.ts'
import { callMcpTool } from './call.ts'
import type { CallableMcpTool } from './tools.store.ts'

let mcp: FakeMcp
beforeAll(async () => {
  mcp = await startFakeMcp()
})
afterAll(() => mcp.close())
beforeEach(() => mcp.reset())

const SCHEMA = { type: 'object', properties: { number: { type: 'string' } } }
const bounds = { timeoutMs: 5000, maxBytes: 1024 * 1024 }
const call = (serverName: string, args: unknown = {}, { change = {}, limits = {}, outbound = mcp.reach() } = {}) => {
  const tool = {
    ...{ id: 't1', name: 'shop_tool', serverName, description: '', schema: SCHEMA, approval: 'none' },
    server: { id: 's1', organizationId: 'o1', url: MCP_URL, authorization: 'none', credentials: null, ...change },
  } as unknown as CallableMcpTool
  const signal = new AbortController().signal
  return callMcpTool({ outbound } as McpParts, tool, args, signal, { ...bounds, ...limits })
}

describe('a result', () => {
  it.each([
    ['orderStatus', expect.stringContaining('Order A-1 was sent.')],
    ['structured', '{"state":"sent"}'],
    ['picture', '[A picture, which is not shown.]'],
    ['long', expect.stringMatching(/^y{65536}\n\[The rest/)],
  ])('of %s is words', async (name, result) => {
    expect(await call(name, { number: 'A-1' })).toMatchObject({ failure: null, result })
  })

  it('ends the session', async () => {
    await call('structured')
    await vi.waitFor(() => expect([mcp.ended > 0, mcp.sessions.size]).toEqual([true, 0]))
  })
})

describe('a failure', () => {
  it('is what the tool reports', async () => {
    const outcome = await call('fails')
    expect(outcome).toMatchObject({ failure: 'tool_error', result: expect.stringContaining('There is no such order.') })
  })

  it('is a result that is too large, as JSON or as a stream', async () => {
    expect(await call('huge')).toMatchObject({ failure: 'too_large' })
  })

  it('is a tool that takes too long', async () => {
    expect(await call('slow', {}, { limits: { timeoutMs: 300 } })).toMatchObject({ failure: 'timeout' })
  })

  it('is arguments that do not fit: nothing is sent', async () => {
    expect(await call('orderStatus', ['A-1'])).toMatchObject({ failure: 'arguments' })
    expect(mcp.requests).toEqual([])
  })

  it.each<[string, number | null, () => Response]>([
    ['redirected', 307, () => Response.redirect('https://169.254.169.254/latest', 307)],
    ['status', 500, () => new Response('secret configuration', { status: 500 })],
    ['unauthorized', 401, () => new Response(null, { status: 401 })],
    ['not_mcp', null, () => new Response('<p>A site</p>', { headers: { 'content-type': 'text/html' } })],
    ['not_mcp', null, () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['not_mcp', null, () => Response.json({ ok: true })],
  ])('is an answer that is %s', async (failure, status, answer) => {
    mcp.broken = answer
    const outcome = await call('orderStatus', { number: 'A-1' })
    expect(outcome).toMatchObject({ failure, status })
    expect(outcome.result).not.toContain('secret configuration')
    // The end of an earlier session may come late.
    expect(mcp.requests.filter(({ method }) => method !== 'DELETE')).toMatchObject([{ path: '/mcp' }])
  })

  it('is an address inside, by whatever name', async () => {
    for (const url of [
      'https://127.0.0.1/mcp',
      'https://[::1]/mcp',
      'https://10.0.0.1/mcp',
      'https://inside.example/mcp',
    ]) {
      const outbound = createOutbound({ resolve: async () => ['192.168.0.1'] })
      expect(await call('orderStatus', {}, { change: { url }, outbound })).toMatchObject({
        failure: 'address_not_public',
      })
    }
  })

  it('is a server that is away', async () => {
    const outbound = createOutbound({ resolve: async () => ['127.0.0.1'], isAllowed: () => true })
    const change = { url: 'https://127.0.0.1:9/mcp' }
    expect(await call('orderStatus', {}, { change, outbound })).toMatchObject({ failure: 'unreachable' })
  })
})

it('is broken off with the signal of who calls, and throws its reason', async () => {
  const stop = new AbortController()
  const tool = {
    ...{ serverName: 'slow', schema: { type: 'object' } },
    server: { url: MCP_URL, authorization: 'none', credentials: null },
  } as unknown as CallableMcpTool
  const calling = callMcpTool({ outbound: mcp.reach() } as McpParts, tool, {}, stop.signal)
  await vi.waitFor(() => expect(mcp.calls).toHaveLength(1))
  stop.abort(new Error('not wanted any more'))
  await expect(calling).rejects.toThrow('not wanted any more')
})
