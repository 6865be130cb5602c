// OAuth of MCP servers, the whole way: registration, a consent with PKCE for that server alone, tokens that are renewed, and what is shown when
// they cannot be.
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setOverride } from '#server/domain/flags/flags.store.ts'
import { revokeMcpGrantJob } from '#server/domain/mcp-servers/revoke.job.ts'
import type { Id } from '#shared/ids.ts'
import { MCP_CALLBACK } from '#shared/tools/mcp-servers.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { consent, type FakeOAuth } from '#tests/fakes/mcp-oauth.ts'
import { type FakeMcp, MCP_URL, startFakeMcp } from '#tests/fakes/mcp-server.ts'

const PAGE = { paginationOpts: { numItems: 50, cursor: null } }
let mcp: FakeMcp
let oauth: FakeOAuth
let app: TestApp
let anna: Person
let serverId: Id<'mcpServers'>
/** Lines of the log. */
const logged: string[] = []

beforeAll(async () => {
  mcp = await startFakeMcp()
  const log = pino({ level: 'debug' }, { write: (line) => logged.push(line) })
  app = await startApp({ log, overrides: { outbound: mcp.reach() } })
})
afterAll(async () => {
  await app.close()
  await mcp.close()
})
beforeEach(async () => {
  mcp.reset()
  oauth = mcp.askForOAuth()
  anna = await app.signUp()
  const made = await anna.http.action(api.mcpServers.connect, { name: 'Shop', url: MCP_URL, authorization: 'oauth' })
  serverId = made.serverId
})

const authorize = () => anna.http.action(api.mcpServers.authorize, { serverId })
const refresh = () => anna.http.action(api.mcpServers.refresh, { serverId })
const alerts = async () => {
  const found = await anna.http.query(api.alerts.list, {})
  return found.map(({ kind, event, name, agentSlug }) => ({ kind, event, name, agentSlug }))
}
const server = async () => (await anna.http.query(api.mcpServers.list, {}))[0]

/** Comes back with the session of a person. @returns what the page is shown */
async function comeBack(url: URL, token: string | null = anna.sessionToken): Promise<string | null> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(url, { redirect: 'manual', headers })
  expect(answer.status).toBe(303)
  const page = new URL(answer.headers.get('location') ?? '')
  expect([page.pathname.split('/')[2], page.searchParams.has('code')]).toEqual(['mcp-servers', false])
  return page.searchParams.get('result')
}
const connect = async () => expect(await comeBack(consent(oauth, (await authorize()).url))).toBe('connected')

/** An allowed tool, so that a call can be made as an agent makes it. */
async function allowOrders(): Promise<void> {
  const tools = await anna.http.query(api.mcpServers.tools.list, { serverId })
  const { _id: toolId, hash = '' } = tools.find(({ name }) => name === 'orderStatus') ?? {}
  if (!toolId) throw new Error('There is no tool')
  await anna.http.mutation(api.mcpServers.tools.allow, { toolId, hash })
  await anna.http.mutation(api.mcpServers.tools.setApproval, { toolId, approval: 'none' })
}

describe('a consent', () => {
  it('registers, proves itself, is for this server alone, and brings the tools', async () => {
    expect(await server()).toMatchObject({ status: 'pending', tools: { all: 0 } })
    const { url } = await authorize()
    const asked = new URL(url)
    expect(asked.origin + asked.pathname).toBe('https://mcp.shop.example/consent')
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      ...{ response_type: 'code', code_challenge_method: 'S256', resource: MCP_URL, scope: 'tools' },
      redirect_uri: `${app.url}${MCP_CALLBACK}`,
    })
    expect(await comeBack(consent(oauth, url))).toBe('connected')
    expect(oauth.asked).toMatchObject([{ grant_type: 'authorization_code', resource: MCP_URL }])
    expect(await server()).toMatchObject({ status: 'connected', failure: null, tools: { all: 7 } })
  })

  it('leaves its tokens nowhere in the clear', async () => {
    await connect()
    const rows = await app.database.root.selectFrom('mcp_servers').selectAll().execute()
    const audit = await anna.http.query(api.organizations.audit.list, { range: 'all', ...PAGE })
    const shown = JSON.stringify([await server(), rows, audit, logged])
    for (const secret of [...oauth.access, ...oauth.refresh, oauth.asked[0]?.code_verifier ?? '?'])
      expect(shown).not.toContain(secret)
    expect(JSON.stringify(audit)).toContain('mcpServers:consent')
  })

  it('counts once', async () => {
    const back = consent(oauth, (await authorize()).url)
    expect(await comeBack(back)).toBe('connected')
    expect(await comeBack(back)).toBe('expired')
  })

  it('counts for the session that asked alone', async () => {
    const other = await app.signUp()
    const back = consent(oauth, (await authorize()).url)
    expect(await comeBack(back, other.sessionToken)).toBe('expired')
    expect(await comeBack(back, null)).toBe('expired')
    expect(oauth.asked).toEqual([])
    expect(await comeBack(back)).toBe('connected')
  })

  it('counts for minutes', async () => {
    const back = consent(oauth, (await authorize()).url)
    await app.database.root
      .updateTable('mcp_authorizations')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute()
    expect(await comeBack(back)).toBe('expired')
    expect(oauth.asked).toEqual([])
  })

  it.each([
    ['denied', { error: 'access_denied' }],
    ['refused', { error: 'server_error' }],
    ['refused', { code: 'invented' }],
    ['refused', { iss: 'https://evil.example' }],
  ])('that ends otherwise is %s', async (result, change) => {
    const back = consent(oauth, (await authorize()).url)
    for (const [name, value] of Object.entries(change)) back.searchParams.set(name, value)
    expect(await comeBack(back)).toBe(result)
    expect((await server())?.status).toBe('pending')
  })

  it('is not kept while the flag is off', async () => {
    const back = consent(oauth, (await authorize()).url)
    const organizationId = anna.organization._id
    const exception = { key: 'mcp_tools', organizationId, isEnabled: false, now: new Date() }
    await setOverride({ db: app.database.root }, exception)
    expect(await comeBack(back)).toBe('expired')
    expect(oauth.asked).toEqual([])
  })

  it('is for no server that speaks for another', async () => {
    oauth.resource = 'https://bank.example/mcp'
    await expect(authorize()).rejects.toMatchObject({ data: { code: 'mcp_oauth_refused' } })
  })

  it('reaches no OAuth server inside', async () => {
    const inside = { resource: MCP_URL, authorization_servers: ['https://10.0.0.1'] }
    const header = { 'www-authenticate': 'Bearer resource_metadata="https://mcp.shop.example/described"' }
    mcp.broken = ({ url }) =>
      new URL(url).pathname === '/described'
        ? Response.json(inside)
        : new Response(null, { status: 401, headers: header })
    await expect(authorize()).rejects.toMatchObject({ data: { code: 'mcp_oauth_unreachable' } })
  })
})

describe('tokens', () => {
  it('that expire are renewed, once for all who ask at the same time', async () => {
    oauth.expiresIn = 1
    await connect()
    oauth.asked.length = 0
    oauth.expiresIn = 3600
    expect(await Promise.all([refresh(), refresh(), refresh()])).toEqual(Array(3).fill({ failure: null }))
    expect(oauth.asked).toMatchObject([{ grant_type: 'refresh_token', resource: MCP_URL }])
  })

  it('that the server does not accept are renewed', async () => {
    await connect()
    oauth.access.clear()
    expect(await refresh()).toEqual({ failure: null })
    expect(oauth.asked).toHaveLength(2)
  })

  it('that cannot be renewed ask for a new consent, and take the tools away until then', async () => {
    await connect()
    await allowOrders()
    const allowed = () => anna.http.query(api.mcpServers.tools.allowed, {})
    expect(await allowed()).toMatchObject([{ isOffered: true }])
    oauth.access.clear()
    oauth.refresh.clear()
    expect(await refresh()).toEqual({ failure: 'reauthorization_required' })
    expect((await server())?.status).toBe('reauthorization_required')
    expect(await allowed()).toMatchObject([{ isOffered: false }])
    expect(await refresh()).toEqual({ failure: 'reauthorization_required' })
    expect(await alerts()).toEqual([{ kind: 'connection', event: 'mcpLost', name: 'Shop', agentSlug: serverId }])
    await connect()
    expect((await server())?.status).toBe('connected')
    expect(await allowed()).toMatchObject([{ isOffered: true }])
    await app.settle()
    expect(await alerts()).toEqual([])
  })

  it('are withdrawn when the server is removed, and where it takes no more are left', async () => {
    await connect()
    const [token] = oauth.refresh
    await anna.http.mutation(api.mcpServers.remove, { serverId })
    await app.settle()
    expect(oauth.revoked).toMatchObject([{ token, token_type_hint: 'refresh_token' }])
    expect([oauth.access.size, oauth.refresh.size]).toEqual([0, 0])
    const data = { id: serverId, credentials: null }
    await revokeMcpGrantJob.run(app.services, data, new AbortController().signal)
    await revokeMcpGrantJob.run(app.services, { ...data, credentials: 'of another key' }, new AbortController().signal)
    expect(oauth.revoked).toHaveLength(1)
  })

  it('are kept while the OAuth server is only away', async () => {
    await connect()
    oauth.access.clear()
    oauth.refusal = { status: 503, error: 'server_error' }
    expect(await refresh()).toEqual({ failure: 'unreachable' })
    expect((await server())?.status).toBe('connected')
    oauth.refusal = null
    expect(await refresh()).toEqual({ failure: null })
  })
})
