// Organizations as administrators of the installation manage them: lists in pages, plan and limit, and what a suspension does to members.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#server/platform/lib/ids.ts'
import { appErrorData } from '#shared/errors.ts'
import type { AdminOrganization, OrganizationSort } from '#shared/organizations/admin.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const { organizations } = api.admin

type Page = { page: AdminOrganization[]; isDone: boolean; continueCursor: string }

let app: TestApp
let admin: Person
let owner: Person
beforeAll(async () => {
  app = await startApp()
  admin = await app.signUp()
  owner = await app.signUp({ name: 'Olga', organization: 'Чайная 100%' })
  await app.signUp({ name: 'Boris', organization: 'Bakery' })
})
afterAll(() => app.close())

const codeOf = (code: string) => (error: unknown) => appErrorData(error)?.code === code
const get = () => admin.http.query(organizations.get, { organizationId: owner.organization._id })

async function listAll(filters: { search?: string; sort?: OrganizationSort } = {}): Promise<AdminOrganization[]> {
  const found: AdminOrganization[] = []
  for (let cursor: string | null = null; ; ) {
    const asked = { ...filters, paginationOpts: { numItems: 1, cursor } }
    const page: Page = await admin.http.query(organizations.list, asked)
    found.push(...page.page)
    if (page.isDone) return found
    cursor = page.continueCursor
  }
}

describe('the list', () => {
  it.each(['name', 'created', 'messages', 'members', 'active'] as const)('has everyone once by %s', async (sort) => {
    const found = await listAll({ sort })
    expect(found).toHaveLength(3)
    expect(new Set(found.map(({ _id }) => _id)).size).toBe(3)
  })

  it('finds by name and owner, and takes no sign for a pattern', async () => {
    expect((await listAll({ search: '100%' })).map(({ name }) => name)).toEqual(['Чайная 100%'])
    expect((await listAll({ search: owner.email })).map(({ name }) => name)).toEqual(['Чайная 100%'])
    expect(await listAll({ search: '%_' })).toEqual([])
  })
})

describe('plan and limit', () => {
  it('change, and stand in the trail of the organization', async () => {
    const { _id: organizationId } = owner.organization
    await admin.http.mutation(organizations.setPlan, { organizationId, planSlug: 'pro' })
    await admin.http.mutation(organizations.setMonthlyLimit, { organizationId, monthlyLimit: 7 })
    expect(await get()).toMatchObject({ plan: { slug: 'pro' }, monthlyLimit: 7, allowance: 7 })
    const paginationOpts = { numItems: 2, cursor: null }
    const trail = await owner.http.query(api.organizations.audit.list, { range: '24h', paginationOpts })
    expect(trail.page.map(({ action }) => action)).toEqual([
      'admin/organizations:setMonthlyLimit',
      'admin/organizations:setPlan',
    ])
  })

  it.each([-1, 1.5, 3_000_000_000])('refuse %s as a limit', async (monthlyLimit) => {
    const { _id: organizationId } = owner.organization
    const call = admin.http.mutation(organizations.setMonthlyLimit, { organizationId, monthlyLimit })
    await expect(call).rejects.toSatisfy(codeOf('invalid_limit'))
  })

  it('refuse a plan that does not exist', async () => {
    const { _id: organizationId } = owner.organization
    const call = admin.http.mutation(organizations.setPlan, { organizationId, planSlug: 'none' })
    await expect(call).rejects.toSatisfy(codeOf('plan_not_found'))
  })
})

describe('a suspension', () => {
  it('keeps members out with the reason until it ends', async () => {
    const { _id: organizationId } = owner.organization
    await admin.http.mutation(organizations.suspend, { organizationId, reason: 'Unpaid' })
    await expect(owner.http.query(api.agents.list, {})).rejects.toSatisfy(codeOf('organization_suspended'))
    const kept = await owner.http.query(api.users.current, {})
    const suspended = { organizationId, organization: 'Чайная 100%', reason: 'Unpaid' }
    expect(kept).toMatchObject({ organization: null, suspended })
    await admin.http.mutation(organizations.resume, { organizationId })
    expect(await owner.http.query(api.agents.list, {})).toEqual([])
    expect(await get()).toMatchObject({ suspendedAt: null, suspendedReason: null })
  })

  it('is not put on the organization that one works in', async () => {
    const { _id: organizationId } = admin.organization
    const own = admin.http.mutation(organizations.suspend, { organizationId, reason: 'Oops' })
    await expect(own).rejects.toSatisfy(codeOf('own_admin_access'))
  })

  it('leaves the administration open to an administrator whose own organization it is', async () => {
    const other = await app.signUp({ organization: 'Of an administrator' })
    const { _id: organizationId } = other.organization
    await admin.http.mutation(api.admin.members.setRole, { userId: other.user._id, role: 'admin' })
    await admin.http.mutation(organizations.suspend, { organizationId, reason: 'Unpaid' })
    await expect(other.http.query(api.agents.list, {})).rejects.toSatisfy(codeOf('organization_suspended'))
    expect(await other.http.query(organizations.get, { organizationId })).toMatchObject({ suspendedReason: 'Unpaid' })
    await other.http.mutation(organizations.resume, { organizationId })
    expect(await other.http.query(api.agents.list, {})).toEqual([])
  })

  it('does not exist for an organization that is not there', async () => {
    const organizationId = newId('organizations')
    const calls = [
      () => admin.http.mutation(organizations.suspend, { organizationId, reason: 'Unpaid' }),
      () => admin.http.mutation(organizations.resume, { organizationId }),
      () => admin.http.query(organizations.get, { organizationId }),
    ]
    for (const call of calls) await expect(call()).rejects.toSatisfy(codeOf('not_found'))
  })
})
