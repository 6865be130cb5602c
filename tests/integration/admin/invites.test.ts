// Invitations of the whole installation: into a given organization or one recognised by the address, found, exported, sent again, revoked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BYTE_ORDER_MARK } from '#shared/csv.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { AdminInvite, InviteFilters } from '#shared/organizations/admin-invites.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const invites = api.admin.invites
const pages = { paginationOpts: { numItems: 50, cursor: null } }
let app: TestApp
let admin: Person
let owner: Person
let shop: Id<'organizations'>

beforeAll(async () => {
  app = await startApp()
  admin = await app.signUp({ organization: 'Root' })
  owner = await app.signUp({ email: 'anna@tea.test', organization: 'Tea shop' })
  shop = owner.organization._id
})
afterAll(() => app.close())

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => appErrorData(error),
  )
const codeOf = async (call: Promise<unknown>) => (await refusal(call))?.code
const invite = (email: string, organizationId?: Id<'organizations'>) =>
  admin.http.mutation(invites.create, { email, role: 'operator', ...(organizationId && { organizationId }) })
const list = async (filters: InviteFilters = {}): Promise<AdminInvite[]> =>
  (await admin.http.query(invites.list, { ...filters, ...pages })).page
const emails = async (filters: InviteFilters = {}) => (await list(filters)).map(({ email }) => email)
const set = (id: Id<'invites'>, values: Record<string, Date | string>) =>
  app.database.root.updateTable('invites').set(values).where('id', '=', id).execute()

describe('an invitation', () => {
  it('into a given organization has a link that works, and is seen by its members', async () => {
    const { _id, link, isSent } = await invite('given@elsewhere.test', shop)
    expect([isSent, link]).toEqual([false, expect.stringMatching(/^http.*\/invite/)])
    expect(await list()).toMatchObject([
      { _id, email: 'given@elsewhere.test', role: 'operator', state: 'pending', organization: { name: 'Tea shop' } },
    ])
    expect(await owner.http.query(api.organizations.invites.list, {})).toMatchObject([
      { email: 'given@elsewhere.test', state: 'pending' },
    ])
  })

  it.each(['email_of_member', 'invite_active'] as const)('is refused with %s', async (code) => {
    const email = { email_of_member: 'anna@tea.test', invite_active: 'given@elsewhere.test' }[code]
    expect(await refusal(invite(email, admin.organization._id))).toMatchObject({ code, params: { email } })
    expect(await refusal(invite(email.toUpperCase(), admin.organization._id))).toMatchObject({
      code,
      params: { email },
    })
  })

  it('into no organization that exists, or one that is full, is refused', async () => {
    expect(await codeOf(invite('a@b.test', 'nowhere' as Id<'organizations'>))).toBe('not_found')
    await app.database.root.updateTable('plans').set({ members: 1 }).where('slug', '=', 'starter').execute()
    const { root } = app.database
    await root.updateTable('organizations').set({ plan: 'starter' }).where('id', '=', shop).execute()
    expect(await codeOf(invite('full@tea.test', shop))).toBe('members_limit_reached')
    await root.updateTable('organizations').set({ plan: null }).where('id', '=', shop).execute()
  })
})

describe('the organization of an address', () => {
  it('is the one whose members mostly have its domain', async () => {
    const { _id } = await invite('Boris@TEA.test')
    const found = (await list()).find((each) => each._id === _id)
    expect(found).toMatchObject({ email: 'boris@tea.test', organization: { _id: shop } })
  })

  it('is the one whose support address has its domain', async () => {
    const coffee = await app.signUp({ email: 'maria@gmail.com', organization: 'Coffee' })
    const { root } = app.database
    await root
      .updateTable('organizations')
      .set({ support_email: 'help@coffee.test' })
      .where('id', '=', coffee.organization._id)
      .execute()
    await invite('new@coffee.test')
    expect((await list({ search: 'new@coffee' }))[0]?.organization.name).toBe('Coffee')
  })

  it('is never guessed by a public domain, an unknown one, or one of several organizations', async () => {
    for (const email of ['x@gmail.com', 'x@unknown.test']) {
      const domain = email.split('@')[1]
      expect(await refusal(invite(email))).toMatchObject({ code: 'organization_not_detected', params: { domain } })
    }
    await app.signUp({ email: 'other@tea.test', organization: 'Second tea shop' })
    expect(await codeOf(invite('third@tea.test'))).toBe('organization_not_detected')
  })
})

describe('the list', () => {
  it('is filtered by state, in the order of making, and searched by address and organization', async () => {
    const [expired, accepted, revoked] = await Promise.all(
      ['old', 'in', 'out'].map((name) => invite(`${name}@states.test`, shop)),
    )
    if (!expired || !accepted || !revoked) throw new Error('three were made')
    await set(expired._id, { expires_at: new Date(Date.now() - 1000) })
    await set(accepted._id, { accepted_at: new Date() })
    await admin.http.mutation(invites.revoke, { inviteId: revoked._id })
    expect(await emails({ status: 'expired' })).toEqual(['old@states.test'])
    expect(await emails({ status: 'accepted' })).toEqual(['in@states.test'])
    expect(await emails({ status: 'revoked' })).toEqual(['out@states.test'])
    expect(await emails({ status: 'pending' })).toEqual([
      ...['new@coffee.test', 'boris@tea.test', 'given@elsewhere.test'],
    ])
    expect(await emails({ search: 'COFFEE' })).toEqual(['new@coffee.test'])
    expect(await emails({ search: 'tea shop', status: 'pending' })).toEqual(['boris@tea.test', 'given@elsewhere.test'])
    expect(await emails({ search: '%' })).toEqual([])
  })

  it('is a file with the same filters', async () => {
    const file = await admin.http.query(invites.export, { status: 'revoked', language: 'en' })
    expect(file).toMatchObject({ name: expect.stringMatching(/^parley-invitations-.*\.csv$/), isCut: false })
    const lines = file.csv.slice(BYTE_ORDER_MARK.length).trim().split(/\r?\n/)
    expect(lines[0]).toMatch(/^Email,Organization,Role,Status/)
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^out@states\.test,Tea shop,operator,revoked,/)])
  })

  it('finds organizations for a choice', async () => {
    const found = await admin.http.query(invites.organizations, { search: 'TEA' })
    expect(found).toEqual([
      { _id: expect.any(String), name: 'Second tea shop', owner: 'other@tea.test' },
      { _id: shop, name: 'Tea shop', owner: 'anna@tea.test' },
    ])
    expect(await admin.http.query(invites.organizations, { search: '_' })).toEqual([])
  })

  it('finds names of any alphabet in any case', async () => {
    await app.signUp({ email: 'olga@chai.test', organization: 'Чайная Лавка' })
    const found = await admin.http.query(invites.organizations, { search: ' лавка' })
    expect(found).toEqual([{ _id: expect.any(String), name: 'Чайная Лавка', owner: 'olga@chai.test' }])
    await invite('new@chai.test')
    expect(await emails({ search: 'ЧАЙНАЯ' })).toEqual(['new@chai.test'])
    expect(await emails({ search: 'NEW@CHAI' })).toEqual(['new@chai.test'])
  })
})

describe('what can be done with one', () => {
  const one = async (email: string) => (await list({ search: email }))[0]?._id as Id<'invites'>

  it.each([
    ['old@states.test', 'invite_expired'],
    ['in@states.test', 'invite_used'],
    ['out@states.test', 'invite_revoked'],
  ] as const)('%s is not revoked: %s', async (email, code) => {
    expect(await codeOf(admin.http.mutation(invites.revoke, { inviteId: await one(email) }))).toBe(code)
  })

  it('is sent again with another link, also when it has expired, but not at once', async () => {
    const inviteId = await one('old@states.test')
    const resend = () => admin.http.mutation(invites.resend, { inviteId })
    expect(await codeOf(resend())).toBe('invite_just_sent')
    await set(inviteId, { sent_at: new Date(Date.now() - 3_600_000) })
    expect((await resend()).link).toMatch(/^http/)
    expect(await emails({ status: 'pending' })).toContain('old@states.test')
    for (const [email, code] of [
      ['in@states.test', 'invite_used'],
      ['out@states.test', 'invite_revoked'],
    ] as const) {
      expect(await codeOf(admin.http.mutation(invites.resend, { inviteId: await one(email) }))).toBe(code)
    }
  })

  it('that does not exist is refused', async () => {
    const inviteId = 'nothing' as Id<'invites'>
    expect(await codeOf(admin.http.mutation(invites.revoke, { inviteId }))).toBe('not_found')
    expect(await codeOf(admin.http.mutation(invites.resend, { inviteId }))).toBe('not_found')
  })
})
