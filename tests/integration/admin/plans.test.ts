// Plans of the installation: kept by its administrators, in effect at once for those who have one, and what organizations ask for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import type { AdminPlan, AdminPlanRequest } from '#shared/organizations/admin-plans.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const plans = api.admin.plans
let app: TestApp
let admin: Person
let owner: Person

beforeAll(async () => {
  app = await startApp()
  admin = await app.signUp()
  owner = await app.signUp({ organization: 'Чайная лавка' })
})
afterAll(() => app.close())

const list = (): Promise<AdminPlan[]> => admin.http.query(plans.list, {})
const requests = (): Promise<AdminPlanRequest[]> => admin.http.query(plans.requests, {})
const find = async (slug: string) => (await list()).find((plan) => plan.slug === slug)
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => appErrorData(error),
  )
const codeOf = async (call: Promise<unknown>) => (await refusal(call))?.code
const create = (plan: { slug: string; name: string; [field: string]: unknown }) =>
  admin.http.mutation(plans.create, plan as never)

describe('a plan', () => {
  it('is created behind the others, with all that it holds, and offered at once', async () => {
    await create({
      ...{
        slug: 'team',
        name: 'Team',
        description: 'For ten people',
        price: 70_000,
        currency: 'RUB',
        messages: 5000,
        members: 10,
      },
      ...{ channelSlots: 4, features: { ru: ['Всё из Starter'], en: ['All of Starter'] } },
    })
    const all = await list()
    expect(all.map(({ slug }) => slug)).toEqual(['parking', 'starter', 'pro', 'enterprise', 'team'])
    expect(all.at(-1)).toMatchObject({
      ...{ slug: 'team', description: 'For ten people', price: 70_000, currency: 'RUB', messages: 5000, members: 10 },
      ...{ channelSlots: 4, features: { ru: ['Всё из Starter'], en: ['All of Starter'] } },
      ...{ isDefault: false, isArchived: false, organizations: 0 },
    })
    const { plans: offered } = await owner.http.query(api.billing.getPlan, {})
    expect(offered.at(-1)?.slug).toBe('team')
  })

  it.each([
    ['plan_exists', { slug: 'team', name: 'Other' }],
    ['invalid_slug', { slug: 'Team 2', name: 'Team' }],
    ['invalid_slug', { slug: 'команда', name: 'Team' }],
    ['missing_slug', { slug: ' ', name: 'Team' }],
    ['missing_plan_name', { slug: 'nameless', name: ' ' }],
    ['invalid_sort_order', { slug: 'between', name: 'Between', sortOrder: 1.5 }],
  ])('%s is refused and leaves no trace', async (code, plan) => {
    const before = await list()
    expect(await codeOf(create(plan))).toBe(code)
    expect(await list()).toEqual(before)
  })

  it('that is changed holds at once for those who have it', async () => {
    const [{ slug = '' } = {}] = (await list()).filter(({ isDefault }) => isDefault)
    const before = await find(slug)
    expect(before?.organizations).toBeGreaterThan(0)
    await admin.http.mutation(plans.update, { slug, patch: { messages: 77, members: null } })
    const { own, allowance, members } = await owner.http.query(api.billing.getPlan, {})
    expect([own?.messages, allowance, members.allowed]).toEqual([77, 77, null])
    await admin.http.mutation(plans.update, { slug, patch: { messages: before?.messages, members: before?.members } })
    expect(await find(slug)).toEqual(before)
  })

  it('keeps what a change leaves out, and its name', async () => {
    const before = await find('team')
    await admin.http.mutation(plans.update, { slug: 'team', patch: { price: null } })
    expect(await find('team')).toEqual({ ...before, price: null })
    const rename = (name: string) => admin.http.mutation(plans.update, { slug: 'team', patch: { name } })
    expect(await codeOf(rename(' '))).toBe('missing_plan_name')
    const place = admin.http.mutation(plans.update, { slug: 'team', patch: { sortOrder: 0.5 } })
    expect(await codeOf(place)).toBe('invalid_sort_order')
  })

  it('that does not exist is named so by every call', async () => {
    const slug = 'no-such-plan'
    for (const call of [plans.archive, plans.restore, plans.setDefault]) {
      expect(await codeOf(admin.http.mutation(call, { slug }))).toBe('plan_not_found')
    }
    expect(await codeOf(admin.http.mutation(plans.update, { slug, patch: {} }))).toBe('plan_not_found')
    expect(await codeOf(admin.http.mutation(plans.reorder, { slugs: ['pro', slug] }))).toBe('plan_not_found')
  })
})

describe('the default plan', () => {
  it('is one, is given to new organizations, and cannot be archived', async () => {
    await admin.http.mutation(plans.setDefault, { slug: 'team' })
    expect((await list()).filter(({ isDefault }) => isDefault).map(({ slug }) => slug)).toEqual(['team'])
    const late = await app.signUp({ organization: 'Later' })
    expect((await late.http.query(api.billing.getPlan, {})).own?.slug).toBe('team')
    expect(await codeOf(admin.http.mutation(plans.archive, { slug: 'team' }))).toBe('cannot_archive_default_plan')
    await admin.http.mutation(plans.setDefault, { slug: 'parking' })
  })
})

describe('archiving', () => {
  it('is refused while an organization has the plan, with their number', async () => {
    expect(await refusal(admin.http.mutation(plans.archive, { slug: 'team' }))).toMatchObject({
      ...{ code: 'plan_in_use', params: { organizations: 1 } },
    })
  })

  it('takes the plan from those offered, and restoring brings it back', async () => {
    await admin.http.mutation(plans.archive, { slug: 'enterprise' })
    expect((await find('enterprise'))?.isArchived).toBe(true)
    const offered = async () => (await owner.http.query(api.billing.getPlan, {})).plans.map(({ slug }) => slug)
    expect(await offered()).not.toContain('enterprise')
    const asked = owner.http.mutation(api.billing.requestChange, { planSlug: 'enterprise' })
    expect(await codeOf(asked)).toBe('plan_not_found')
    expect(await codeOf(admin.http.mutation(plans.setDefault, { slug: 'enterprise' }))).toBe('plan_not_found')
    await admin.http.mutation(plans.restore, { slug: 'enterprise' })
    expect(await offered()).toContain('enterprise')
  })

  it('does not take a plan from an organization that has it', async () => {
    await app.database.root.updateTable('plans').set({ archived_at: new Date() }).where('slug', '=', 'team').execute()
    const late = (
      await app.database.root.selectFrom('organizations').where('name', '=', 'Later').select('plan').execute()
    )[0]
    expect(late?.plan).toBe('team')
    await admin.http.mutation(plans.restore, { slug: 'team' })
  })
})

describe('the order', () => {
  it('is that of the slugs, for organizations too', async () => {
    const slugs = ['team', 'enterprise', 'pro', 'starter', 'parking']
    await admin.http.mutation(plans.reorder, { slugs })
    expect((await list()).map(({ slug }) => slug)).toEqual(slugs)
    const { plans: offered } = await owner.http.query(api.billing.getPlan, {})
    expect(offered.map(({ slug }) => slug)).toEqual(slugs)
  })
})

describe('requests of organizations', () => {
  const ask = (planSlug: string) => owner.http.mutation(api.billing.requestChange, { planSlug, note: 'Нас шестеро' })

  it('are settled by giving the plan', async () => {
    await ask('pro')
    const [request] = await requests()
    expect(request).toMatchObject({
      ...{ kind: 'change', plan: { slug: 'pro', name: 'Pro' }, note: 'Нас шестеро' },
      organization: { name: 'Чайная лавка', plan: 'parking' },
    })
    const requestId = request?._id as AdminPlanRequest['_id']
    await admin.http.mutation(plans.archive, { slug: 'enterprise' })
    const archived = admin.http.mutation(plans.settle, { requestId, planSlug: 'enterprise' })
    expect(await codeOf(archived)).toBe('plan_not_found')
    await admin.http.mutation(plans.settle, { requestId, planSlug: 'pro' })
    expect(await requests()).toEqual([])
    const { own, request: open } = await owner.http.query(api.billing.getPlan, {})
    expect([own?.slug, open]).toEqual(['pro', null])
    expect(await codeOf(admin.http.mutation(plans.settle, { requestId }))).toBe('plan_request_not_found')
  })

  it('are closed without a change, and forgotten once withdrawn', async () => {
    await owner.http.mutation(api.billing.requestCancellation, { reason: 'Too dear' })
    const [request] = await requests()
    expect(request).toMatchObject({ kind: 'cancellation', plan: null })
    await admin.http.mutation(plans.settle, { requestId: request?._id as AdminPlanRequest['_id'] })
    expect((await owner.http.query(api.billing.getPlan, {})).own?.slug).toBe('pro')
    await ask('starter')
    expect(await requests()).toHaveLength(1)
    await owner.http.mutation(api.billing.withdrawRequest, {})
    expect(await requests()).toEqual([])
  })
})

it('every change is on record', async () => {
  const { page } = await admin.http.query(api.admin.audit.list, {
    ...{ range: 'all', paginationOpts: { numItems: 50, cursor: null } },
  })
  const actions = new Set(page.map(({ action }: { action: string }) => action))
  for (const name of ['create', 'update', 'archive', 'restore', 'setDefault', 'reorder', 'settle']) {
    expect(actions).toContain(`admin/plans:${name}`)
  }
})
