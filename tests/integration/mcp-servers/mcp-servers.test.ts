// MCP servers through the whole server: an administrator connects one and allows its tools, and an agent calls them in a conversation.
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setOverride } from '#server/domain/flags/flags.store.ts'
import { lookAtServersJob } from '#server/domain/mcp-servers/look.job.ts'
import type { Id } from '#shared/ids.ts'
import type { TurnTrace } from '#shared/messaging/trace.ts'
import { MCP_CALLS_PER_DAY, MCP_CALLS_PER_TURN, MCP_SERVERS_MAX, type McpTool } from '#shared/tools/mcp-servers.ts'
import { TOOL_FAILING_FROM } from '#shared/tools/tools.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeMcp, MCP_HOST, MCP_INJECTION, MCP_URL, startFakeMcp } from '#tests/fakes/mcp-server.ts'
import { type FakeOpenAi, type FakeReply, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'

const PAGE = { paginationOpts: { numItems: 50, cursor: null } }
const TOKEN = 'mcp-token-0123456789'
let mcp: FakeMcp
let openai: FakeOpenAi
let app: TestApp
let person: Person
let agentId: Id<'agents'>
let serverId: Id<'mcpServers'>
/** Lines of the log. */
const logged: string[] = []

beforeAll(async () => {
  mcp = await startFakeMcp()
  openai = await startFakeOpenAi()
  const log = pino({ level: 'debug' }, { write: (line) => logged.push(line) })
  app = await startApp({ openai, log, overrides: { outbound: mcp.reach() } })
  person = await app.signUp()
  agentId = (await person.http.mutation(api.agents.create, { name: 'Seller', model: 'openai/gpt-5-mini' }))._id
})
afterAll(async () => {
  await app.close()
  await Promise.all([mcp.close(), openai.close()])
})
beforeEach(async () => {
  mcp.reset()
  for (const { _id } of await person.http.query(api.mcpServers.list, {}))
    await person.http.mutation(api.mcpServers.remove, { serverId: _id })
  serverId = (await connect()).serverId
})

const connect = (change: { name?: string; url?: string; authorization?: 'none' | 'bearer'; token?: string } = {}) =>
  person.http.action(api.mcpServers.connect, { name: 'Shop', url: MCP_URL, authorization: 'none', ...change })
const refresh = () => person.http.action(api.mcpServers.refresh, { serverId })
const listed = () => person.http.query(api.mcpServers.tools.list, { serverId })
async function toolNamed(name: string): Promise<McpTool> {
  const tool = (await listed()).find((each) => each.name === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return tool
}
async function allow(name: string, approval: 'none' | 'customer' | 'operator' = 'none'): Promise<Id<'mcpTools'>> {
  const { _id: toolId, hash } = await toolNamed(name)
  await person.http.mutation(api.mcpServers.tools.allow, { toolId, hash })
  await person.http.mutation(api.mcpServers.tools.setApproval, { toolId, approval })
  return toolId
}
const give = (mcpTools: Id<'mcpTools'>[], to = { person, agentId }) =>
  to.person.http.mutation(api.agents.update, {
    id: to.agentId,
    patch: { functions: { off: [], tools: [], mcpTools } },
  })
const calling = (name: string, args: unknown, count = 1): FakeReply => ({
  toolCalls: Array.from({ length: count }, () => ({ name, arguments: JSON.stringify(args) })),
})

/** A message to the agent, and the record of its answer. */
async function asked(script: FakeReply[], by = { person, agentId }): Promise<TurnTrace> {
  const first = openai.requests.length
  openai.reply((_request, index) => script[Math.min(index - first, script.length - 1)] ?? {})
  await by.person.http.mutation(api.testChat.send, { agentId: by.agentId, text: 'Where is my order?' })
  await app.settle()
  const message = (await by.person.http.query(api.testChat.messages, { agentId: by.agentId })).at(-1)
  const trace = await by.person.http.query(api.testChat.why, { turnId: message?.turnId as Id<'turns'> })
  if (!trace) throw new Error('The turn has left no record')
  return trace
}
const offered = () => openai.requests.at(-1)?.tools?.map((each) => each.function.name) ?? []
const ORDER = calling('shop_order_status', { number: 'A-1' })
const DONE = { text: 'Done.' }

describe('a server', () => {
  it('is connected, and shows its tools, of which none is allowed', async () => {
    expect(await person.http.query(api.mcpServers.list, {})).toMatchObject([
      { name: 'Shop', url: MCP_URL, status: 'connected', failure: null, tools: { all: 7, allowed: 0, changed: 0 } },
    ])
    expect(await toolNamed('orderStatus')).toMatchObject({
      ...{
        modelName: 'shop_order_status',
        state: 'not_allowed',
        approval: 'operator',
        isOffered: false,
        problem: null,
      },
      hints: { isReadOnly: true, isDestructive: false },
    })
  })

  it('lists its tools page by page', async () => {
    mcp.pageSize = 2
    await refresh()
    expect((await listed()).map(({ name }) => name)).toEqual([...mcp.tools.keys()].toSorted())
  })

  it('may have tools that cannot be used, which hide no other', async () => {
    mcp.tools.set('odd', { inputSchema: { type: 'string' } })
    mcp.tools.set('vast', { inputSchema: { type: 'object', description: 'x'.repeat(20_000) } })
    await refresh()
    const odd = await toolNamed('odd')
    expect(odd.problem).toBe('schema_not_object')
    expect((await toolNamed('vast')).problem).toBe('schema_too_large')
    expect(await listed()).toHaveLength(9)
    const allowing = person.http.mutation(api.mcpServers.tools.allow, { toolId: odd._id, hash: odd.hash })
    await expect(allowing).rejects.toMatchObject({ data: { code: 'mcp_tool_unusable' } })
  })

  it.each([
    ['mcp_url_invalid', 'http://mcp.shop.example/mcp'],
    ['mcp_url_invalid', 'https://user:password@mcp.shop.example/mcp'],
    ['mcp_url_invalid', 'file:///etc/passwd'],
    ['mcp_url_internal', 'https://127.0.0.1/mcp'],
    ['mcp_url_internal', 'https://inside.example/mcp'],
  ])('is refused as %s at %s', async (code, url) => {
    await expect(connect({ url })).rejects.toMatchObject({ data: { code } })
  })

  it('that moves inside after it was connected is not followed', async () => {
    mcp.broken = () => Response.redirect('https://169.254.169.254/latest', 307)
    expect(await refresh()).toEqual({ failure: 'redirected' })
    expect(await person.http.query(api.mcpServers.list, {})).toMatchObject([{ failure: 'redirected' }])
    mcp.broken = null
    expect(await refresh()).toEqual({ failure: null })
  })

  it('is one of ten at most', async () => {
    for (let count = 1; count < MCP_SERVERS_MAX; count++) await connect()
    await expect(connect()).rejects.toMatchObject({ data: { code: 'too_many_mcp_servers' } })
    const tools = await person.http.query(api.mcpServers.list, {})
    expect(tools).toHaveLength(MCP_SERVERS_MAX)
  })

  it('is no server of another organization', async () => {
    const toolId = await allow('orderStatus')
    const other = await app.signUp()
    const made = await other.http.mutation(api.agents.create, { name: 'Thief', model: 'openai/gpt-5-mini' })
    const thief = { person: other, agentId: made._id }
    expect(await other.http.query(api.mcpServers.list, {})).toEqual([])
    expect(await other.http.query(api.mcpServers.tools.allowed, {})).toEqual([])
    const refused = { data: { code: 'not_found' } }
    await expect(other.http.query(api.mcpServers.tools.list, { serverId })).rejects.toMatchObject(refused)
    await expect(other.http.query(api.mcpServers.tools.texts, { toolId })).rejects.toMatchObject(refused)
    await expect(other.http.action(api.mcpServers.refresh, { serverId })).rejects.toMatchObject(refused)
    await give([toolId], thief)
    const trace = await asked([ORDER, DONE], thief)
    expect([trace.tools[0]?.refusal, mcp.calls]).toEqual(['unknown_tool', []])
  })
})

describe('an agent', () => {
  it('calls a tool that is allowed and switched on for it, and is given the result as data', async () => {
    await give([await allow('orderStatus')])
    const trace = await asked([ORDER, DONE])
    expect(mcp.calls).toEqual([{ name: 'orderStatus', args: { number: 'A-1' } }])
    const http = { host: MCP_HOST, status: null, failure: null, bound: [] }
    expect(trace.tools).toMatchObject([{ name: 'shop_order_status', hasFailed: false, hasFound: true, http }])
    const { messages = [] } = openai.requests.at(-1) ?? {}
    const result = messages.find(({ role }) => role === 'tool')
    expect(String(result?.content)).toMatch(/^([0-9a-f]{24})\n[\s\S]*\n\1$/)
    expect(String(result?.content)).toContain(MCP_INJECTION)
    expect(JSON.stringify(messages.filter(({ role }) => role === 'system'))).not.toContain(MCP_INJECTION)
  })

  it('has none that is not allowed, and an invented call is refused', async () => {
    await give([(await toolNamed('orderStatus'))._id])
    const trace = await asked([ORDER, DONE])
    expect(offered()).not.toContain('shop_order_status')
    expect([trace.tools[0]?.refusal, mcp.calls]).toEqual(['unknown_tool', []])
  })

  it('has none that is not switched on for it', async () => {
    await allow('orderStatus')
    await give([])
    expect((await asked([ORDER, DONE])).tools).toMatchObject([{ refusal: 'unknown_tool' }])
  })

  it.each(['customer', 'operator'] as const)('calls none that a %s has to agree to, in a test', async (approval) => {
    await give([await allow('orderStatus', approval)])
    expect((await asked([ORDER, DONE])).tools).toMatchObject([{ refusal: 'not_in_test' }])
    expect(mcp.calls).toEqual([])
  })

  it('sends no arguments that the schema does not allow', async () => {
    await give([await allow('orderStatus')])
    const trace = await asked([calling('shop_order_status', { number: 7 }), DONE])
    expect([trace.tools[0]?.refusal, mcp.calls]).toEqual(['bad_arguments', []])
  })

  it('is given an error, and that it shall not guess', async () => {
    const toolId = await allow('fails')
    await give([toolId])
    const trace = await asked([calling('shop_fails', {}), DONE])
    expect(trace.tools).toMatchObject([{ hasFailed: true, http: { failure: 'tool_error' } }])
    expect(trace.tools[0]?.result).toContain('There is no such order.')
  })

  it('does without all of them while the flag is off, and none can be connected', async () => {
    const toolId = await allow('orderStatus')
    await give([toolId])
    const organizationId = person.organization._id
    const set = (isEnabled: boolean | null) =>
      setOverride({ db: app.database.root }, { key: 'mcp_tools', organizationId, isEnabled, now: new Date() })
    await set(false)
    expect((await asked([ORDER, DONE])).tools).toMatchObject([{ refusal: 'unknown_tool' }])
    const off = { data: { code: 'flag_off' } }
    await expect(connect()).rejects.toMatchObject(off)
    await expect(refresh()).rejects.toMatchObject(off)
    await expect(person.http.action(api.mcpServers.authorize, { serverId })).rejects.toMatchObject(off)
    const { hash } = await toolNamed('orderStatus')
    await expect(person.http.mutation(api.mcpServers.tools.allow, { toolId, hash })).rejects.toMatchObject(off)
    mcp.requests.length = 0
    await lookLater()
    expect(mcp.requests).toEqual([])
    await set(null)
    await asked([ORDER, DONE])
    expect(mcp.calls).toHaveLength(1)
  })

  it('shows the tool among its functions, with the calls', async () => {
    const toolId = await allow('orderStatus')
    await give([toolId])
    await asked([ORDER, DONE])
    const functions = await person.http.query(api.agentFunctions.overview, { agentId })
    const own = functions.find(({ name }) => name === 'shop_order_status')
    expect(own).toMatchObject({
      kind: 'mcp',
      isOn: true,
      toolId,
      server: 'Shop',
      description: 'The state of an order.',
    })
    expect(own?.calls).toBeGreaterThan(0)
    const calls = await person.http.query(api.agentFunctions.calls, { agentId, name: 'shop_order_status' })
    expect(calls[0]).toMatchObject({ name: 'shop_order_status', hasFailed: false })
  })
})

describe('a tool that changes', () => {
  it.each([
    ['its description', { description: MCP_INJECTION }],
    ['its schema', { inputSchema: { type: 'object', properties: { number: { type: 'string' }, card: {} } } }],
  ])('in %s is offered only when it is allowed again', async (_, change) => {
    const toolId = await allow('orderStatus')
    await give([toolId])
    mcp.tools.set('orderStatus', { ...mcp.tools.get('orderStatus'), ...change })
    await lookLater()
    const changed = await toolNamed('orderStatus')
    expect(changed).toMatchObject({ state: 'changed', isOffered: false })
    expect((await asked([ORDER, DONE])).tools).toMatchObject([{ refusal: 'unknown_tool' }])
    expect(JSON.stringify(openai.requests.at(-1)?.tools)).not.toContain(MCP_INJECTION)
    const { latest, pinned } = await person.http.query(api.mcpServers.tools.texts, { toolId })
    expect(pinned?.description).toBe('The state of an order.')
    expect(latest).not.toEqual(pinned)
    await allow('orderStatus')
    expect((await asked([ORDER, DONE])).tools).toMatchObject([{ hasFailed: false }])
  })

  it('while a person looks at it is not allowed by what they saw', async () => {
    const { _id: toolId, hash } = await toolNamed('orderStatus')
    mcp.tools.set('orderStatus', { ...mcp.tools.get('orderStatus'), description: MCP_INJECTION })
    await refresh()
    const allowing = person.http.mutation(api.mcpServers.tools.allow, { toolId, hash })
    await expect(allowing).rejects.toMatchObject({ data: { code: 'mcp_tool_changed' } })
  })

  it('only in its hints is the same tool', async () => {
    await give([await allow('orderStatus')])
    mcp.tools.set('orderStatus', { ...mcp.tools.get('orderStatus'), annotations: { destructiveHint: true } })
    await refresh()
    expect(await toolNamed('orderStatus')).toMatchObject({ state: 'allowed', hints: { isReadOnly: false } })
  })

  it('into nothing is gone, and forgotten when it was never allowed', async () => {
    const toolId = await allow('orderStatus')
    await give([toolId])
    mcp.tools.delete('orderStatus')
    mcp.tools.delete('fails')
    await refresh()
    expect((await toolNamed('orderStatus')).state).toBe('gone')
    expect((await listed()).map(({ name }) => name)).not.toContain('fails')
    expect((await asked([ORDER, DONE])).tools).toMatchObject([{ refusal: 'unknown_tool' }])
    await person.http.mutation(api.mcpServers.tools.disallow, { toolId })
    expect((await listed()).map(({ name }) => name)).not.toContain('orderStatus')
  })
})

describe('limits', () => {
  it('of one answer', async () => {
    await give([await allow('orderStatus')])
    const trace = await asked([
      calling('shop_order_status', { number: 'A-1' }, 4),
      calling('shop_order_status', { number: 'A-1' }, 2),
      DONE,
    ])
    expect(mcp.calls).toHaveLength(MCP_CALLS_PER_TURN)
    expect(trace.tools.at(-1)?.refusal).toBe('tool_turn_limit')
  })

  it('of a day hold for calls at the same time', async () => {
    const toolId = await allow('orderStatus')
    await give([toolId])
    await asked([ORDER, DONE])
    await app.database.root
      .updateTable('mcp_tools')
      .set({ used_count: MCP_CALLS_PER_DAY - 1 })
      .where('id', '=', toolId)
      .execute()
    const trace = await asked([calling('shop_order_status', { number: 'A-1' }, 3), DONE])
    expect(mcp.calls).toHaveLength(2)
    expect(trace.tools.filter(({ refusal }) => refusal === 'tool_day_limit')).toHaveLength(2)
    expect((await toolNamed('orderStatus')).usedToday).toBe(MCP_CALLS_PER_DAY)
  })

  it('of failures show a tool as failing, until it works', async () => {
    await give([await allow('orderStatus')])
    mcp.broken = () => new Response(null, { status: 500 })
    for (let time = 0; time < TOOL_FAILING_FROM; time++) {
      expect((await toolNamed('orderStatus')).failing).toBeNull()
      await asked([ORDER, DONE])
    }
    expect((await toolNamed('orderStatus')).failing).toMatchObject({ times: TOOL_FAILING_FROM, failure: 'status' })
    mcp.broken = null
    await asked([ORDER, DONE])
    expect((await toolNamed('orderStatus')).failing).toBeNull()
  })
})

describe('a token', () => {
  beforeEach(async () => {
    mcp.token = TOKEN
    serverId = (await connect({ authorization: 'bearer', token: TOKEN })).serverId
  })

  it('opens the server, and is shown nowhere', async () => {
    const name = (await toolNamed('orderStatus')).modelName
    mcp.tools.set('orderStatus', {
      ...mcp.tools.get('orderStatus'),
      run: () => ({ content: [{ type: 'text', text: `your key is ${TOKEN}` }] }),
    })
    await give([await allow('orderStatus')])
    const trace = await asked([calling(name, { number: 'A-1' }), DONE])
    expect(trace.tools[0]?.result).toContain('your key is •••')
    const shown = [
      ...[trace, openai.requests, logged],
      await person.http.query(api.mcpServers.list, {}),
      await person.http.query(api.organizations.audit.list, { range: 'all', ...PAGE }),
      await app.database.root.selectFrom('mcp_servers').selectAll().execute(),
    ]
    expect(JSON.stringify(shown)).not.toContain(TOKEN)
  })

  it('that is not accepted any more takes the tools away until there is another', async () => {
    const { modelName } = await toolNamed('orderStatus')
    await give([await allow('orderStatus')])
    mcp.token = 'another-token-0123456789'
    await asked([calling(modelName, { number: 'A-1' }), DONE])
    const servers = await person.http.query(api.mcpServers.list, {})
    expect(servers.find(({ _id }) => _id === serverId)?.status).toBe('reauthorization_required')
    const refused = await asked([calling(modelName, { number: 'A-1' }), DONE])
    expect(refused.tools).toMatchObject([{ refusal: 'unknown_tool' }])
    await person.http.action(api.mcpServers.setToken, { serverId, token: mcp.token })
    const trace = await asked([calling(modelName, { number: 'A-1' }), DONE])
    expect(trace.tools).toMatchObject([{ hasFailed: false }])
  })

  it('is asked for by a server that was connected without', async () => {
    expect((await connect()).failure).toBe('unauthorized')
    await expect(connect({ authorization: 'bearer' })).rejects.toMatchObject({ data: { code: 'mcp_token_missing' } })
  })
})

it('has names that no HTTP tool takes', async () => {
  const tool = {
    ...{
      name: 'shop_order_status',
      description: 'Orders',
      method: 'GET' as const,
      approval: 'none' as const,
      title: '',
      url: 'https://shop.example/',
    },
    ...{ headers: [], parameters: { type: 'object' as const, properties: {} }, bound: [], body: '', fields: [] },
    ...{ timeoutSeconds: 1, maxKilobytes: 1, perTurn: 1, perDay: 1 },
  }
  const creating = person.http.mutation(api.tools.create, { tool })
  await expect(creating).rejects.toMatchObject({ data: { code: 'tool_name_taken' } })
})

/** The hourly look, an hour later. */
async function lookLater(): Promise<void> {
  await app.database.root
    .updateTable('mcp_servers')
    .set({ looked_at: new Date(Date.now() - 2 * 3_600_000) })
    .execute()
  await lookAtServersJob.run(app.services, {}, new AbortController().signal)
}
