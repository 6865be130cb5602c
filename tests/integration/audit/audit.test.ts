// The audit trail of an organization and of the installation: what leaves an entry, who sees it, and that nothing in it is a secret.
import { ConvexError } from 'convex/values'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { proveChains } from '#server/platform/audit/chains.ts'
import { appErrorData } from '#shared/errors.ts'
import type { AuditEntry, AuditFilters } from '#shared/organizations/audit.ts'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'

const { audit } = api.organizations
const all = api.admin.audit
const PAGE = { numItems: 50, cursor: null }

let app: TestApp
let admin: Person
let owner: Person
beforeAll(async () => {
  app = await startApp()
  admin = await app.signUp()
})
beforeEach(async () => {
  owner = await app.signUp({ name: 'Olga', organization: 'Чайная лавка' })
})
afterAll(() => app.close())

const trail = async (person = owner, filters: Partial<AuditFilters> = {}): Promise<AuditEntry[]> => {
  const { organizationId: _, ...own } = { range: '24h' as const, ...filters }
  return (await person.http.query(audit.list, { ...own, paginationOpts: PAGE })).page
}
const prove = () => app.database.system('test', (db) => proveChains({ db }), { readOnly: true })

async function join(role: 'operator' | 'admin' = 'operator'): Promise<Person> {
  const person = await app.signUp({ name: 'Pavel', organization: null })
  const { link } = await owner.http.mutation(api.organizations.invites.create, { email: person.email, role })
  const token = new URL(link).searchParams.get('token') ?? ''
  await person.http.mutation(api.organizations.invites.accept, { token })
  return person
}

describe('an organization', () => {
  it('sees who did what to whom, with what was before and after', async () => {
    const person = await join()
    const { members } = api.organizations
    await owner.http.mutation(members.setRole, { userId: person.user._id, role: 'analyst' })
    await owner.http.mutation(api.organizations.update, { patch: { displayName: 'Лавка' } })
    await owner.http.mutation(members.remove, { userId: person.user._id })
    const entries = await trail()
    expect(entries.map(({ action, actor }) => [action, actor?.name])).toEqual([
      ['organizations/members:remove', 'Olga'],
      ['organizations:update', 'Olga'],
      ['organizations/members:setRole', 'Olga'],
      ['organizations/invites:accept', 'Pavel'],
      ['organizations/invites:create', 'Olga'],
      ['organizations:create', 'Olga'],
    ])
    const [, update, role] = entries
    expect(role).toMatchObject({
      resource: { kind: 'member', id: person.user._id, name: 'Pavel' },
      before: { role: 'operator' },
      after: { role: 'analyst' },
      actor: { email: owner.email },
      reason: null,
    })
    expect(role?.address).toMatch(/127\.0\.0\.1|::/)
    expect(update).toMatchObject({ before: { displayName: null }, after: { displayName: 'Лавка' } })
  })

  it('sees nothing of another, and asks for the right to see its own', async () => {
    const other = await app.signUp({ organization: 'Other' })
    expect((await trail(other)).map(({ action }) => action)).toEqual(['organizations:create'])
    const person = await join()
    await expect(trail(person)).rejects.toSatisfy((error) => appErrorData(error)?.code === 'role_required')
  })

  it('filters by person, action and time, and offers those that occur', async () => {
    const person = await join()
    await person.http.mutation(api.organizations.members.leave, {})
    expect(await trail(owner, { actorId: person.user._id })).toHaveLength(2)
    expect(await trail(owner, { action: 'organizations/members:leave' })).toHaveLength(1)
    const choices = await owner.http.query(audit.choices, { range: '30d' })
    expect(choices.actors.map(({ name }) => name)).toEqual(['Olga', 'Pavel'])
    expect(choices.actions).toContain('organizations/members:leave')
  })

  it('gets a file of what is shown, in which nothing is a formula', async () => {
    await owner.http.mutation(api.organizations.update, { patch: { displayName: '=1+1' } })
    await owner.http.mutation(api.organizations.update, { patch: { name: '@лавка' } })
    await owner.http.mutation(api.organizations.update, { patch: { displayName: '' } })
    const { name, csv, isCut } = await owner.http.query(audit.export, { range: '7d', language: 'ru' })
    expect(name).toMatch(/^parley-audit-\d{4}-\d\d-\d\d\.csv$/)
    expect(isCut).toBe(false)
    const lines = csv.trimEnd().split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toMatch(/^\uFEFFВремя \(UTC\);Кто;/)
    expect(lines[1]).toContain(`"'@лавка"`)
  })

  it('leaves nothing when a call is refused', async () => {
    const before = await trail()
    const refused = owner.http.mutation(api.organizations.members.setRole, { userId: owner.user._id, role: 'analyst' })
    await expect(refused).rejects.toBeInstanceOf(ConvexError)
    expect(await trail()).toEqual(before)
  })

  it('keeps its trail when it is deleted, for the installation', async () => {
    const { _id: organizationId } = owner.organization
    await owner.http.action(api.organizations.remove, { name: 'Чайная лавка', password: PASSWORD })
    const { page } = await admin.http.query(all.list, { range: 'all', organizationId, paginationOpts: PAGE })
    expect(page.map(({ action, organization }) => [action, organization?.name])).toEqual([
      ['organizations:remove', null],
      ['organizations:create', null],
    ])
  })
})

describe('an account', () => {
  it('leaves an entry for each change of how its person signs in, and none when refused', async () => {
    const changed = { currentPassword: PASSWORD, newPassword: 'another horse battery staple' }
    const wrong = await app.auth('/change-password', {
      token: owner.sessionToken,
      body: { ...changed, currentPassword: 'wrong' },
    })
    expect(wrong.status).toBe(400)
    const done = await app.auth('/change-password', { token: owner.sessionToken, body: changed })
    expect(done.status).toBe(200)
    await app.auth('/revoke-other-sessions', { token: owner.sessionToken, body: {} })
    const entries = (await trail()).filter(({ action }) => action.startsWith('account:'))
    expect(entries.map(({ action }) => action)).toEqual(['account:endOtherSessions', 'account:changePassword'])
    expect(entries[1]).toMatchObject({ actor: { email: owner.email }, before: null, after: null })
    expect(JSON.stringify(entries)).not.toContain('horse')
  })
})

describe('keys and tokens', () => {
  it('are never in it, only how they end', async () => {
    const agent = await owner.http.mutation(api.agents.create, { name: 'Продавец' })
    await owner.http.action(api.agents.keys.set, {
      agentId: agent._id,
      provider: 'openai',
      key: 'sk-very-secret-key-1234',
    })
    const { token } = await owner.http.action(api.apiTokens.create, { name: 'Касса' })
    const entries = await trail()
    expect(entries.slice(0, 2).map(({ action, resource }) => [action, resource?.name])).toEqual([
      ['apiTokens:create', 'Касса'],
      ['agents/keys:set', 'Продавец'],
    ])
    expect(entries[1]?.after).toEqual({ provider: 'openai', endsWith: '1234' })
    for (const secret of ['very-secret', token]) expect(JSON.stringify(entries)).not.toContain(secret)
  })
})

describe('the installation', () => {
  it('sees every organization and what concerns none, and only its administrators see that', async () => {
    const { page } = await admin.http.query(all.list, { range: '24h', paginationOpts: PAGE })
    expect(page.map(({ organization }) => organization?.name)).toContain('Чайная лавка')
    const refused = owner.http.query(all.list, { range: '24h', paginationOpts: PAGE })
    await expect(refused).rejects.toSatisfy((error) => appErrorData(error)?.code === 'admin_required')
  })

  it('can prove all of it', async () => {
    const { entries, flaws } = await prove()
    expect(entries).toBeGreaterThan(10)
    expect(flaws).toEqual([])
  })
})
