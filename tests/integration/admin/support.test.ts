// Administrators of the installation on behalf of an organization: let in for a reason and a time, as readers unless they ask for more,
// seen by the members, and every change in the organization's trail.
import { ConvexClient, ConvexHttpClient } from 'convex/browser'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { expireAccess } from '#server/domain/support/support.store.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { SupportAccess } from '#shared/organizations/support.ts'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'

const { support } = api.admin

let app: TestApp
let admin: Person
let owner: Person
let organizationId: Id<'organizations'>
beforeAll(async () => {
  app = await startApp()
  admin = await app.signUp({ name: 'Anna', organization: 'Host' })
})
beforeEach(async () => {
  owner = await app.signUp({ name: 'Olga', organization: 'Чайная' })
  organizationId = owner.organization._id
  await owner.http.mutation(api.agents.create, { name: 'Barista' })
})
afterAll(() => app.close())

const reason = 'Olga called: the bot is silent'
const begin = (options: { mayWrite?: boolean; minutes?: 15 | 240 } = {}) =>
  admin.http.mutation(support.begin, { organizationId, reason, ...options })
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => appErrorData(error)?.code,
  )
const listAgents = async (client: ConvexHttpClient) => (await client.query(api.agents.list, {})).map(({ name }) => name)
const trailOf = async (person: Person) => {
  const paginationOpts = { numItems: 20, cursor: null }
  return (await person.http.query(api.organizations.audit.list, { range: '24h', paginationOpts })).page
}
const inside = (): Promise<SupportAccess[]> =>
  owner.http.query(api.users.current, {}).then(({ supportAccesses }) => supportAccesses)

async function tokenFor(sessionToken = admin.sessionToken): Promise<{ status: number; token: string }> {
  const answer = await app.auth(`/token?organizationId=${organizationId}`, { token: sessionToken })
  return { status: answer.status, ...((await answer.json()) as { token: string }) }
}

/** A client of the administrator's session in a tab of the organization. */
async function enter(): Promise<ConvexHttpClient> {
  const client = new ConvexHttpClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false })
  client.setAuth((await tokenFor()).token)
  return client
}

describe('an access', () => {
  it('lets one session in, to read, and the members see who is there and why', async () => {
    expect((await tokenFor()).status).toBe(403)
    const { _id, endsAt } = await begin()
    const tab = await enter()
    expect(await listAgents(tab)).toEqual(['Barista'])
    expect(await tab.query(api.users.current, {})).toMatchObject({
      organizationId,
      organizationRole: 'analyst',
      supportAccesses: [{ _id, isOwn: true, mayWrite: false }],
    })
    const seen = { _id, name: 'Anna', reason, mayWrite: false, endsAt, endedAt: null, isOwn: false }
    expect(await inside()).toMatchObject([seen])
    expect(await listAgents(admin.http)).toEqual([])
    const other = await app.auth('/sign-in/email', { body: { email: admin.email, password: PASSWORD } })
    const { token } = (await other.json()) as { token: string }
    expect((await tokenFor(token)).status).toBe(403)
  })

  it('changes nothing, by functions and by routes, while it is only for reading', async () => {
    await begin()
    const tab = await enter()
    expect(await codeOf(tab.mutation(api.agents.create, { name: 'Mine' }))).toBe('support_read_only')
    expect(await codeOf(tab.mutation(api.alerts.markSeen, { alertIds: [] }))).toBe('support_read_only')
    expect(await codeOf(tab.mutation(api.users.active, {}))).toBeNull()
    const { token } = await tokenFor()
    const headers = { authorization: `Bearer ${token}` }
    const upload = await fetch(`${app.url}/api/files/uploads?name=a.txt`, { method: 'POST', headers, body: 'a' })
    expect([upload.status, await upload.json()]).toMatchObject([403, { code: 'support_read_only' }])
    expect(await codeOf(tab.query(api.apiTokens.list, {}))).toBe('role_required')
    expect(await listAgents(owner.http)).toEqual(['Barista'])
  })

  it('changes things when that was asked for, each with an entry and the reason, and never what members keep', async () => {
    await begin({ mayWrite: true })
    const tab = await enter()
    await tab.mutation(api.agents.create, { name: 'Helper' })
    await tab.mutation(api.organizations.update, { patch: { displayName: 'Tea' } })
    await tab.mutation(api.users.active, {})
    expect(await codeOf(tab.mutation(api.alerts.markSeen, { alertIds: [] }))).toBe('support_has_none')
    expect(await codeOf(tab.action(api.organizations.remove, { name: 'Чайная', password: PASSWORD }))).toBe(
      'role_required',
    )
    const byAnna = (await trailOf(owner)).filter(({ actor }) => actor?.name === 'Anna')
    expect(byAnna.map(({ action }) => action)).toEqual(['organizations:update', 'agents:create', 'admin/support:begin'])
    expect(byAnna.map((entry) => entry.reason)).toEqual([reason, reason, reason])
  })

  it('records a file that is uploaded, which no function takes', async () => {
    await begin({ mayWrite: true })
    const headers = { authorization: `Bearer ${(await tokenFor()).token}`, 'content-type': 'application/octet-stream' }
    const upload = await fetch(`${app.url}/api/files/uploads?name=a.txt`, { method: 'POST', headers, body: 'Tea' })
    expect(upload.status).toBe(201)
    expect((await trailOf(owner))[0]).toMatchObject({
      action: 'POST /api/files/uploads',
      actor: { name: 'Anna' },
      reason,
    })
  })

  it('ends at once when it is ended: open queries leave, and calls are refused', async () => {
    const { _id: accessId } = await begin({ mayWrite: true })
    const { token } = await tokenFor()
    const live = new ConvexClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false })
    live.setAuth(async () => token)
    const seen: (string | null)[] = []
    live.onUpdate(api.users.current, {}, (user) => seen.push(user.organizationId))
    await vi.waitFor(() => expect(seen).toEqual([organizationId]), 5000)
    await admin.http.mutation(support.end, { accessId })
    await vi.waitFor(() => expect(seen.at(-1)).toBeNull(), 5000)
    await live.close()
    expect((await tokenFor()).status).toBe(403)
    expect(await inside()).toEqual([])
    expect((await trailOf(owner))[0]).toMatchObject({ action: 'admin/support:end', reason })
    expect(await codeOf(admin.http.mutation(support.end, { accessId }))).toBe('not_found')
  })

  it('ends with its time, whether or not that was written yet', async () => {
    const { _id: accessId } = await begin({ minutes: 15 })
    const tab = await enter()
    await sql`update support_accesses set begun_at = begun_at - interval '16 minutes', ends_at = ends_at - interval '16 minutes'
      where id = ${accessId}`.execute(app.database.root)
    expect(await codeOf(listAgents(tab))).toBe('organization_required')
    await app.database.system('test', (db) => expireAccess({ db }, accessId))
    expect(await inside()).toEqual([])
    expect(await admin.http.query(support.list, { organizationId })).toMatchObject([
      { _id: accessId, endedAt: expect.any(Number) },
    ])
  })

  it('is replaced by the next of the same session, and is void for who is no administrator any more', async () => {
    await begin()
    await begin({ mayWrite: true })
    expect(await inside()).toMatchObject([{ mayWrite: true }])
    const tab = await enter()
    const setRole = (role: 'admin' | 'user') =>
      app.database.root.updateTable('users').set({ role }).where('id', '=', admin.user._id).execute()
    await setRole('user')
    expect(await codeOf(listAgents(tab))).toBe('organization_required')
    await setRole('admin')
    expect(await listAgents(tab)).toEqual(['Barista'])
  })

  it('reaches an organization that is suspended, and none that the administrator belongs to, or that there is not', async () => {
    await admin.http.mutation(api.admin.organizations.suspend, { organizationId, reason: 'Unpaid' })
    await begin()
    expect(await listAgents(await enter())).toEqual(['Barista'])
    const own = { organizationId: admin.organization._id, reason }
    expect(await codeOf(admin.http.mutation(support.begin, own))).toBe('support_not_needed')
    const none = { organizationId: 'a'.repeat(32) as Id<'organizations'>, reason }
    expect(await codeOf(admin.http.mutation(support.begin, none))).toBe('not_found')
    const blank = { organizationId, reason: '  ' }
    expect(await codeOf(admin.http.mutation(support.begin, blank))).toBe('invalid_arguments')
  })
})
