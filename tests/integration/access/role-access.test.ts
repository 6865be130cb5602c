// Every public function and every HTTP route × every role: each answer equals the policy, and a function or route without a line is red.
// Ids are those of another organization, so that what a role may do reaches nothing, and its own organization stays as it is.
import { ConvexHttpClient } from 'convex/browser'
import { makeFunctionReference } from 'convex/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modules } from '#server/api.ts'
import { createRegistry } from '#server/platform/functions/registry.ts'
import { appErrorData } from '#shared/errors.ts'
import { FUNCTIONS, policyOf } from '#shared/organizations/permissions.ts'
import {
  API_SCOPES,
  may,
  ORGANIZATION_ROLES,
  type OrganizationRole,
  PERMISSIONS,
} from '#shared/organizations/policy.ts'
import { ROUTES, type Route } from '#shared/organizations/routes.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { CALLS, functionOf } from './calls.ts'
import { type Ids, seedOrganization, UNREACHABLE } from './seed.ts'

const DEFINED = createRegistry(modules, () => ({ allows: () => true, concerns: 'organization' })).all()
const CANARY = 'canary-4c1e'
/** Middleware that answers nothing itself. */
const MIDDLEWARE = new Set([
  'ALL /*',
  'ALL /api/*',
  'ALL /api/v1/*',
  'ALL /api/webchat/:key/*',
  'ALL /readyz',
  'ALL /api/shared-chats',
])
/** Ends the membership of who calls it: after all others. */
const LAST = 'organizations/members:leave'

let app: TestApp
let foreign: Ids
let outsider: Person
let platformAdmin: Person
const members = {} as Record<OrganizationRole, Person>

beforeAll(async () => {
  app = await startApp({ config: { greenApiUrl: UNREACHABLE, whatsappGraphUrl: UNREACHABLE, maxApiUrl: UNREACHABLE } })
  platformAdmin = await app.signUp()
  const victim = await app.signUp({ organization: `${CANARY} organization` })
  const owner = { organizationId: victim.organization._id, userId: victim.user._id }
  foreign = await seedOrganization(app.database, app.services.secrets, owner, CANARY)
  outsider = await app.signUp({ organization: null })
  members.owner = await app.signUp()
  for (const role of ORGANIZATION_ROLES.filter((name) => name !== 'owner')) {
    members[role] = await app.signUp({ organization: null })
    const row = { user_id: members[role].user._id, organization_id: members.owner.organization._id, role }
    await app.database.root.insertInto('members').values(row).execute()
  }
})
afterAll(() => app.close())

describe('the policy', () => {
  it('has a line for every function that knows an organization or an account, and no other', () => {
    const asked = DEFINED.filter(([, { guard }]) => guard === 'org' || guard === 'user').map(([name]) => name)
    expect(Object.keys(FUNCTIONS).sort()).toEqual(asked)
  })

  it('asks for an account alone only where no organization is needed', () => {
    const accounts = Object.keys(FUNCTIONS).filter((name) => FUNCTIONS[name] === 'account')
    expect(DEFINED.filter(([name, { guard }]) => accounts.includes(name) && guard !== 'user')).toEqual([])
  })

  it('has a line for every route, and no other', () => {
    const names = new Set(app.routes.map(({ method, path }) => `${method} ${withoutPatterns(path)}`))
    expect([...names].filter((name) => !MIDDLEWARE.has(name)).sort()).toEqual(Object.keys(ROUTES).sort())
  })
})

describe('functions', () => {
  const entries = Object.keys(CALLS).sort((a, b) => Number(a === LAST) - Number(b === LAST))
  const swept = entries.filter((entry) => functionOf(entry) in FUNCTIONS)

  it.each(ORGANIZATION_ROLES)('answer the role %s as the policy says', { timeout: 120_000 }, async (role) => {
    const wrong: string[] = []
    for (const entry of swept) {
      const { code, text } = await call(members[role].http, entry)
      const isAllowed = policyOf(functionOf(entry))?.allows(role) ?? false
      if ((code === 'role_required') === isAllowed || code === 'Server Error') wrong.push(`${entry}: ${code}`)
      if (text.includes(CANARY)) wrong.push(`${entry}: crosses`)
    }
    expect(wrong).toEqual([])
  })

  it.each([false, true])(
    'answer who acts on behalf of the organization as the policy says; may write: %s',
    {
      timeout: 120_000,
    },
    async (mayWrite) => {
      const client = await actOnBehalf(mayWrite)
      const role = mayWrite ? 'admin' : 'analyst'
      const wrong: string[] = []
      for (const entry of swept) {
        const { code, text } = await call(client, entry)
        const { allows, concerns } = policyOf(functionOf(entry)) ?? { allows: () => false, concerns: null }
        const kind = DEFINED.find(([name]) => name === functionOf(entry))?.[1].kind
        const isWrite = kind !== 'query' && concerns !== 'account'
        const refused = isWrite && (mayWrite ? concerns === 'member' && 'support_has_none' : 'support_read_only')
        const expected = refused || (allows(role) ? null : 'role_required')
        const got = ['role_required', 'support_read_only', 'support_has_none'].includes(code ?? '') ? code : null
        if (got !== expected) wrong.push(`${entry}: ${code}`)
        if (code === 'organization_required' || code === 'Server Error') wrong.push(`${entry}: ${code}`)
        if (text.includes(CANARY)) wrong.push(`${entry}: crosses`)
      }
      expect(wrong).toEqual([])
    },
  )

  it('let an operator set their own work, and no colleague’s', async () => {
    const operator = await app.signUp({ organization: null })
    const row = {
      user_id: operator.user._id,
      organization_id: members.owner.organization._id,
      role: 'operator',
    } as const
    await app.database.root.insertInto('members').values(row).execute()
    const update = (userId: Person['user']['_id']) =>
      operator.http.mutation(api.organizations.operators.update, { userId, patch: { capacity: 2 } })
    await update(operator.user._id)
    await expect(update(members.owner.user._id)).rejects.toMatchObject({ data: { code: 'role_required' } })
  })

  it('answer a person without an organization, and a stranger, with another refusal', {
    timeout: 120_000,
  }, async () => {
    const stranger = new ConvexHttpClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false })
    const wrong: string[] = []
    for (const entry of swept) {
      const asStranger = await call(stranger, entry)
      if (asStranger.code !== 'unauthenticated') wrong.push(`${entry}: ${asStranger.code}`)
      const definition = DEFINED.find(([name]) => name === functionOf(entry))?.[1]
      if (definition?.guard !== 'org') continue
      const { code } = await call(outsider.http, entry)
      if (code !== 'organization_required') wrong.push(`${entry}: ${code}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('routes', () => {
  const all = Object.keys(ROUTES) as Route[]
  const ofMembers = all.filter((route) => (PERMISSIONS as string[]).includes(ROUTES[route]))
  const ofPrograms = all.filter((route) => ROUTES[route].startsWith('scope:'))

  it.each(ORGANIZATION_ROLES)('answer the role %s as the policy says', async (role) => {
    const client = await app.signUp({ organization: null })
    const row = {
      user_id: client.user._id,
      organization_id: members.owner.organization._id,
      role: role === 'owner' ? 'admin' : role,
    } as const
    await app.database.root.insertInto('members').values(row).execute()
    const token = await (role === 'owner' ? members.owner : client).token()
    for (const route of ofMembers) {
      const { code, text } = await request(route, token)
      expect(code === 'role_required', `${route}: ${code}`).toBe(!may(role, ROUTES[route] as never))
      expect(text, route).not.toContain(CANARY)
    }
  })

  it('for members refuse strangers and people without an organization', async () => {
    const token = await outsider.token()
    for (const route of ofMembers) {
      expect((await request(route)).code, route).toBe('unauthenticated')
      expect((await request(route, token)).code, route).toBe('organization_required')
    }
  })

  it.each(API_SCOPES)('of the HTTP API answer a token with the scope %s as the policy says', async (scope) => {
    const { token } = await members.owner.http.action(api.apiTokens.create, { name: scope, scopes: [scope] })
    const kept = await members.owner.http.query(api.apiTokens.list, {})
    expect(kept.find(({ name }) => name === scope)?.scopes).toEqual([scope])
    for (const route of ofPrograms) {
      const { code, status, text } = await request(route, token)
      expect(code === 'scope_required', `${route}: ${code}`).toBe(ROUTES[route] !== `scope:${scope}`)
      if (code === 'scope_required') expect(status).toBe(403)
      expect(text, route).not.toContain(CANARY)
      expect((await request(route)).code, route).toBe('unauthenticated')
    }
  })

  it('of the HTTP API take a token without named scopes everywhere', async () => {
    const { token } = await members.owner.http.action(api.apiTokens.create, { name: 'All' })
    for (const route of ofPrograms) expect((await request(route, token)).code, route).not.toBe('scope_required')
  })
})

/** A route as the policy names it: without the patterns of its parts. */
function withoutPatterns(path: string): string {
  return path.replace(/\{(?:[^{}]|\{[^}]*\})*\}/g, '')
}

/** A request with ids of the other organization. */
async function request(route: Route, token?: string) {
  const [method = '', path = ''] = route.split(' ')
  const address = path
    .replace('sources/:id', `sources/${foreign.documentId}`)
    .replace('customers/:id', `customers/${foreign.customerId}`)
    .replace('conversations/:id', `conversations/${foreign.conversationId}`)
    .replace('exports/:id', `exports/${foreign.exportId}`)
    .replace(':spaceId', foreign.knowledgeSpaceId)
    .replace(':documentId', foreign.documentId)
    .replace(':noteId', foreign.fragmentId)
    .replace(':tableId', foreign.tableId)
    .replace(':number', '1')
    .replace(/:\w+/g, '0'.repeat(32))
  const query = `name=a.txt&knowledgeSpaceId=${foreign.knowledgeSpaceId}&format=csv&language=en&timeZone=UTC`
  const answer = await fetch(`${app.url}${address}?${query}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(method === 'POST' || method === 'PUT' ? { body: new TextEncoder().encode('{}') } : {}),
  })
  const text = await answer.text()
  return { status: answer.status, text, code: /"code":"(\w+)"/.exec(text)?.[1] ?? 'success' }
}

/** The platform admin in the owner's organization, of which they are no member. */
async function actOnBehalf(mayWrite: boolean): Promise<ConvexHttpClient> {
  const { _id: organizationId } = members.owner.organization
  await platformAdmin.http.mutation(api.admin.support.begin, { organizationId, reason: 'Asked for help', mayWrite })
  const answer = await app.auth(`/token?organizationId=${organizationId}`, { token: platformAdmin.sessionToken })
  const client = new ConvexHttpClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false })
  client.setAuth(((await answer.json()) as { token: string }).token)
  return client
}

async function call(client: ConvexHttpClient, entry: string) {
  const [name, args] = [functionOf(entry), CALLS[entry]?.args(foreign) ?? {}]
  const kind = DEFINED.find(([defined]) => defined === name)?.[1].kind
  try {
    const value = await run(client, kind, name, args)
    return { code: 'success', text: JSON.stringify(value ?? null) }
  } catch (error) {
    const data = appErrorData(error)
    const message = error instanceof Error ? error.message : String(error)
    return { code: data?.code ?? (message.includes('Server Error') ? 'Server Error' : 'refused'), text: message }
  }
}

function run(client: ConvexHttpClient, kind: string | undefined, name: string, args: Record<string, unknown>) {
  if (kind === 'query') return client.query(makeFunctionReference<'query'>(name), args)
  if (kind === 'mutation') return client.mutation(makeFunctionReference<'mutation'>(name), args, { skipQueue: true })
  return client.action(makeFunctionReference<'action'>(name), args)
}
